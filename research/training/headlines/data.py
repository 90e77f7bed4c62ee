"""The articles of a training run: several sets as one, with a validation part, and ROUGE on it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from core.data.articles.articles import Articles, articles_of
from core.errors import InputError
from core.headlines.generator import Generator, Wishes
from core.headlines.metrics.metric import MetricInput
from core.headlines.metrics.rouge import Rouge
from core.parts import Part
from core.runtime import Runtime
from core.text.sentences import language_of

if TYPE_CHECKING:
    from torch import Tensor

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
