"""What trainers of headlines share: their articles, exercises, the loop, and ROUGE of what was written."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from core.data.articles.articles import Articles, articles_of
from core.errors import InputError
from core.headlines.generator import GenerationOptions, Generator
from core.headlines.metrics import MetricInput
from core.headlines.metrics.lexical import Rouge
from core.parts import Part
from core.runtime import Runtime
from core.text.language import language_of
from core.text.tokens import STOP_WORDS
from research.neural.words import GLUE, TextWords, is_word
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import settings_of

VALIDATION_SHARE: Final = 0.1  # of the training articles, where the data names no validation part
E = TypeVar("E")
FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 10  # headlines of news are between these; each telegram draws its longest
_ENDS: Final = frozenset(".?!")
_KEPT_SIGNS: Final = frozenset({"$", "£", "€", "%", "-", "'s"})


def ready_articles(sets: Sequence[Articles]) -> tuple[Articles, list[str]]:
    """Training and validation articles with headlines, and a sentence on each thing that was left out."""
    # Articles with the text of a test article are taken away; without a validation part a tenth is drawn.
    joined = _joined(sets)
    held_out = {text for text, part in zip(joined.texts, joined.parts, strict=True) if part is Part.TEST}
    rows: dict[str, int] = {}
    bare = copies = 0
    for row, text in enumerate(joined.texts):
        if text in held_out:
            continue
        if not text.strip() or not any(headline.strip() for headline in joined.references[row]):
            bare += 1
        elif rows.setdefault(text, row) != row:
            copies += 1
    chosen = joined.at(list(rows.values()))
    if Part.VALIDATION not in chosen.parts:
        chosen = replace(chosen, parts=tuple(map(_drawn, chosen.texts)))
    if Part.TRAIN not in chosen.parts:
        hint = "Give a table with the columns text and headline, or a set with a training part."
        raise InputError("There is no article with a headline to train on.", hint=hint)
    counts = {"without text or headline": bare, "with the text of another one": copies}
    return chosen, [f"{count:,} articles {what} were left out." for what, count in counts.items() if count]


def _joined(sets: Sequence[Articles]) -> Articles:
    if len(sets) == 1:
        return sets[0]
    columns: dict[str, Any] = {
        name: [value for dataset in sets for value in getattr(dataset, name)]
        for name in ("references", "parts", "numbers", "operations")
    }
    return articles_of(
        "+".join(dataset.name for dataset in sets),
        [text for dataset in sets for text in dataset.texts],
        ids=[f"{dataset.name}/{name}" for dataset in sets for name in dataset.ids],
        clusters=[f"{dataset.name}/{name}" if name else "" for dataset in sets for name in dataset.clusters],
        **columns,
    )


def _drawn(text: str) -> Part:
    place = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    return Part.VALIDATION if place < VALIDATION_SHARE * 2**32 else Part.TRAIN


if TYPE_CHECKING:
    from torch import Tensor


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
    """Trains what is not frozen; the least mean loss of watched tokens counts. Gives the last."""
    # `summed` gives the sum of the losses of a batch's tokens and their number; `loss` what is learned by,
    # else their mean.
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


def exercise(
    article: TextWords, generator: np.random.Generator, *, language: str
) -> tuple[TextWords, tuple[str, ...]]:
    """An article from one of its sentences on, and that sentence as a telegram.

    The telegram is the sentence's words without function words and most signs, up to 6 to 10 of them: what a
    network can learn from about reading, copying and leaving out before it sees a headline.

    Source: ours, after Zhang et al. 2020, "PEGASUS": a summary learned from an article's own sentences.
    """
    forms = article.forms
    ends = [place for place, form in enumerate(forms) if form in _ENDS]
    starts = [0, *(end + 1 for end in ends if end + FEWEST_WORDS < len(forms))]
    # Half begin with the article's first sentence, which headlines lean on most.
    start = 0 if generator.random() < 0.5 else starts[int(generator.integers(len(starts)))]
    end = next((place for place in ends if place >= start + FEWEST_WORDS), len(forms))
    telegram = [
        form
        for form in forms[start:end]
        if (is_word(form) or form in _KEPT_SIGNS or (form.startswith(GLUE) and form[1:].isalnum()))
        and form not in STOP_WORDS.get(language, ())
    ]
    most = int(generator.integers(FEWEST_WORDS + 1, MOST_WORDS + 1))
    return TextWords(forms[start:], article.written[start:]), tuple(telegram[:most])
