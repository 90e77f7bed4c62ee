"""What trainers of headlines share: the loop over articles, and ROUGE of what was written."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.data.articles.articles import Articles
from core.headlines.generator import GenerationOptions, Generator
from core.headlines.metrics import MetricInput
from core.headlines.metrics.lexical import Rouge
from core.runtime import Runtime
from core.text.language import language_of
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import settings_of

if TYPE_CHECKING:
    from torch import Tensor


E = TypeVar("E")


def teach(
    trainer: Any,
    module: Any,
    examples: Sequence[E],
    watched: Sequence[E],
    *,
    run: RunFolder,
    runtime: Runtime,
    summed: "Callable[[Sequence[E]], tuple[Tensor, int]]",
    length: Callable[[E], int],
    loss: "Callable[[Sequence[E]], Tensor] | None" = None,
    perplexity: bool = False,
    **plan: Any,
) -> dict[str, float]:
    """Trains what is not frozen; the least mean loss of a token of watched headlines counts. Gives the last.

    `summed` gives the sum of the losses of a batch's tokens and their number; `loss` what is learned by, else
    their mean. Batches are sorted by `length`.
    """
    from research.neural.batches import shuffled

    lengths, size = list(map(length, examples)), trainer.batch_size

    def batches(epoch: int) -> list[list[E]]:
        rows = shuffled(lengths, size, np.random.default_rng([runtime.seed, epoch]))
        return [[examples[row] for row in batch] for batch in rows]

    def mean(batch: Sequence[E]) -> "Tensor":
        total, tokens = summed(batch)
        return total / tokens

    def validate() -> dict[str, float]:
        import torch

        some = watched[: trainer.watched]
        with torch.no_grad():
            sums = [summed(some[start : start + size]) for start in range(0, len(some), size)]
        if not sums:
            return {}
        value = sum(float(total) for total, _ in sums) / sum(tokens for _, tokens in sums)
        return {"loss": value, **({"perplexity": math.exp(value)} if perplexity else {})}

    run.record(training_articles=len(examples))
    by: dict[str, Any] = {"best_by": "loss", "lower_is_better": True}
    task = TrainingTask(module=module, batches=batches, loss=loss or mean, validate=validate, **by)
    fit(task, settings_of(Plan, trainer, **plan), run, runtime)
    module.eval()
    return validate()


def rouge_of(generator: Generator, articles: Articles, *, language: str = "") -> dict[str, float | None]:
    """ROUGE of the headlines that a generator writes for articles with references; empty for no articles."""
    if not len(articles):
        return {}
    runtime = Runtime()
    results = generator.write(articles.texts, GenerationOptions(), runtime)
    rouge = Rouge()
    written = MetricInput(
        headlines=[candidates[0].text for candidates in results],
        references=articles.references,
        articles=articles.texts,
        language=language or language_of(articles.texts[0]),
    )
    values = rouge.values(rouge.statistics(written, runtime).sum(axis=0))
    return {column.name: float(value) for column, value in zip(rouge.columns, values, strict=True)}
