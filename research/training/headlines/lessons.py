"""What a network that is trained from scratch learns from: its words, and the batches of each epoch."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from core.data.articles.articles import Articles, articles_of
from core.errors import InputError
from core.headlines.generator import Generator, Wishes
from core.headlines.metrics.lexical import Rouge
from core.headlines.metrics.metric import MetricInput
from core.parts import Part
from core.runtime import Runtime
from core.text.language import MIXED, language_of, timeline_language
from research.neural.config import HeadlineModelConfig, read_config
from research.neural.morphology import learn_morphology
from research.neural.vocabulary import SPECIALS, learn, load
from research.neural.words import GLUE, TextWords, article_words, exercise, learn_style, split
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder

if TYPE_CHECKING:
    from torch import Tensor

    from research.neural.batches import ArticleExample
    from research.neural.model import HeadlineModel
    from research.training.headlines.neural import NeuralTrainer

MOST_WORDS = 2000
"""Words of an article that are kept for exercises."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Training articles with their headlines, and the new model that is to learn from them."""

    model: HeadlineModel
    articles: Sequence[TextWords]
    headlines: Sequence[tuple[str, ...]]
    trainer: NeuralTrainer
    seed: int
    taken_over: int

    def batches(self, epoch: int) -> list[list[ArticleExample]]:
        """The batches of an epoch: exercises first, headlines after `pretraining_epochs`."""
        from research.neural.batches import shuffled

        random = np.random.default_rng([self.seed, epoch])
        language = self.model.config.language
        pairs: Sequence[tuple[TextWords, tuple[str, ...]]]
        if epoch < self.trainer.pretraining_epochs:
            pairs = [exercise(article, random, language=language) for article in self.articles]
        else:
            pairs = list(zip(self.articles, self.headlines, strict=True))
        examples = [self.model.example(*pair) for pair in pairs]
        rows = shuffled([len(example.source) for example in examples], self.trainer.batch_size, random)
        return [[examples[row] for row in batch] for batch in rows]


def lessons_of(
    articles: Articles, trainer: NeuralTrainer, *, seed: int, trained: Mapping[str, Any]
) -> Lessons:
    """Reads the training part, learns or takes over words and style, and makes the model.

    Weights are drawn by torch's generator, which the caller seeds.
    """
    from research.neural.model import WITH_MORPHOLOGY, new_model, start_from

    headlines = [references[0] for references in articles.references]
    start = Path(trainer.start_from) if trainer.start_from else None
    known = None if start is None else read_config(start)
    found = timeline_language(articles.texts)
    language = known.language if known else "en" if found == MIXED else found
    style = known.style if known else learn_style(headlines, language=language)
    # Whole articles are only needed to learn words and to make exercises.
    most = MOST_WORDS if start is None or trainer.pretraining_epochs else trainer.words_read
    texts = [
        article_words(text, language=language, digits=style.digits, most=most) for text in articles.texts
    ]
    written = [split(headline, language=language, digits=style.digits) for headline in headlines]
    if not any(one.forms for one in written):
        raise InputError(
            "The headlines of the training articles hold no word.", hint="Give headlines that people wrote."
        )
    words = learn(texts, size=trainer.vocabulary, headlines=written) if start is None else load(start)
    config = HeadlineModelConfig(
        architecture=trainer.architecture,
        settings=dict(trainer.settings()),
        language=language,
        words_read=trainer.words_read,
        style=style,
        trained=trained,
    )
    morphology = None
    if config.architecture in WITH_MORPHOLOGY:
        morphology = learn_morphology(texts, language=language, vocabulary=words)
    model = new_model(config, words, morphology)
    if trainer.embeddings == "wordllama" and start is None:
        _begin_embeddings(model)
    taken = 0 if start is None else start_from(model, start)
    return Lessons(model, texts, [one.forms for one in written], trainer, seed, taken)


def _begin_embeddings(model: HeadlineModel) -> None:
    import torch

    names = model.vocabulary.written if model.morphology is None else ("", "", *model.morphology.stems)
    special = len(SPECIALS) if model.morphology is None else len(SPECIALS) + 2
    table = model.module.get_parameter(model.network.words_table)
    vectors = torch.from_numpy(reduced(names[special:], table.shape[1])).to(table)
    with torch.no_grad():
        if getattr(model.network, "unit_words", False):
            # Half of a word's vector stays random, so that words of like meaning can be told apart.
            vectors = (torch.nn.functional.normalize(vectors, dim=1) + table[special:]) * 0.5**0.5
        table[special:] = vectors


EMBEDDING_SPREAD = 0.1
"""Standard deviation of embeddings at the start, about that of random ones."""


def reduced(words: Sequence[str], size: int) -> npt.NDArray[np.float32]:
    """WordLlama's embeddings of words, reduced to their principal components, float32 [n, size].

    Where there are fewer words or components than `size`, the rest is 0. Signs are set so that the
    largest entry of each component is above 0, hence the same on every machine.
    """
    from core.pairs.scorers.cosine import embed

    vectors = embed([word.removeprefix(GLUE) for word in words]).astype(np.float64)
    vectors -= vectors.mean(axis=0)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    chosen = directions[:, np.argsort(-values)[:size]]
    chosen *= np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    out = np.zeros((len(words), size), dtype=np.float32)
    out[:, : chosen.shape[1]] = vectors @ chosen
    spread = out[:, : chosen.shape[1]].std()
    return out * np.float32(EMBEDDING_SPREAD / spread) if spread > 0 else out


E = TypeVar("E")

VALIDATION_SHARE: Final = 0.1
"""Share of the training articles that watches training where the data names no validation part."""


def ready_articles(sets: Sequence[Articles]) -> tuple[Articles, list[str]]:
    """Training and validation articles with headlines, and a sentence on each thing that was left out.

    Test articles are taken away, and so is every article whose text one of them shares. Where nothing is
    marked as validation, a tenth is drawn by a hash of the text, the same at any time.
    """
    joined = _joined(sets)
    held_out = {text for text, part in zip(joined.texts, joined.parts, strict=True) if part is Part.TEST}
    kept: list[int] = []
    seen: set[str] = set()
    bare = copies = 0
    for row, text in enumerate(joined.texts):
        if text in held_out:
            continue
        if not text.strip() or not any(headline.strip() for headline in joined.references[row]):
            bare += 1
        elif text in seen:
            copies += 1
        else:
            seen.add(text)
            kept.append(row)
    found = joined.at(kept)
    if Part.VALIDATION not in found.parts:
        found = replace(found, parts=tuple(map(_drawn, found.texts)))
    if Part.TRAIN not in found.parts:
        raise InputError(
            "There is no article with a headline to train on.",
            hint="Give a table with the columns text and headline, or a set with a training part.",
        )
    notes = []
    if bare:
        notes.append(f"{bare:,} articles without text or headline were left out.")
    if copies:
        notes.append(f"{copies:,} articles with the text of another one were left out.")
    return found, notes


def _joined(sets: Sequence[Articles]) -> Articles:
    if len(sets) == 1:
        return sets[0]
    return articles_of(
        "+".join(one.name for one in sets),
        [text for one in sets for text in one.texts],
        ids=[f"{one.name}/{name}" for one in sets for name in one.ids],
        references=[headlines for one in sets for headlines in one.references],
        parts=[part for one in sets for part in one.parts],
        clusters=[f"{one.name}/{name}" if name else "" for one in sets for name in one.clusters],
        numbers=[number for one in sets for number in one.numbers],
        operations=[operation for one in sets for operation in one.operations],
    )


def _drawn(text: str) -> Part:
    place = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    return Part.VALIDATION if place < VALIDATION_SHARE * 2**32 else Part.TRAIN


def teach(
    trainer: Any,
    model: Any,
    examples: Sequence[E],
    run: RunFolder,
    runtime: Runtime,
    *,
    summed: Callable[[Sequence[E]], tuple[Tensor, int]],
    validate: Callable[[], Mapping[str, float | None]],
    length: Callable[[E], int],
) -> None:
    """Trains what of a loaded model is not frozen, by a token's mean loss; the least on validation counts.

    Args:
        trainer: With `epochs`, `batch_size`, `learning_rate`, `warmup_steps` and `validations`.
        model: A module of transformers; it is in evaluation mode afterwards.
        examples: The training articles.
        run: The run.
        runtime: With the seed.
        summed: Sum of the losses of a batch's tokens, a scalar, and how many tokens there are.
        validate: See `TrainingTask`.
        length: What batches are sorted by.
    """
    from research.neural.batches import shuffled

    def batches(epoch: int) -> list[list[E]]:
        random = np.random.default_rng([runtime.seed, epoch])
        rows = shuffled(list(map(length, examples)), trainer.batch_size, random)
        return [[examples[row] for row in batch] for batch in rows]

    def loss(batch: Sequence[E]) -> Tensor:
        total, tokens = summed(batch)
        return total / tokens

    trained = sum(value.numel() for value in model.parameters() if value.requires_grad)
    run.record(trained_weights=trained, training_articles=len(examples), half=str(model.dtype))
    plan = Plan(
        epochs=trainer.epochs,
        learning_rate=trainer.learning_rate,
        warmup_steps=trainer.warmup_steps,
        validations=trainer.validations,
        clip=1.0,
    )
    task = TrainingTask(
        module=model, batches=batches, loss=loss, validate=validate, best_by="loss", lower_is_better=True
    )
    fit(task, plan, run, runtime)
    model.eval()


def mean_loss(
    examples: Sequence[E], size: int, summed: Callable[[Sequence[E]], tuple[Tensor, int]]
) -> dict[str, float]:
    """`loss`: the mean negative log-likelihood a token of some headlines, in nats; empty for no headlines."""
    import torch

    total, tokens = 0.0, 0
    with torch.no_grad():
        for start in range(0, len(examples), size):
            loss, count = summed(examples[start : start + size])
            total, tokens = total + float(loss), tokens + count
    return {"loss": total / tokens} if tokens else {}


def rouge_of(generator: Generator, articles: Articles, *, language: str = "") -> dict[str, float | None]:
    """ROUGE of the headlines that a generator writes for articles with references; empty for no articles."""
    if not len(articles):
        return {}
    runtime = Runtime()
    found = generator.write(articles.texts, Wishes(), runtime)
    rouge = Rouge()
    written = MetricInput(
        headlines=[candidates[0].text for candidates in found],
        references=articles.references,
        articles=articles.texts,
        language=language or language_of(articles.texts[0]),
    )
    values = rouge.values(rouge.statistics(written, runtime).sum(axis=0))
    return {column.name: float(value) for column, value in zip(rouge.columns, values, strict=True)}
