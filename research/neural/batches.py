"""Articles and headlines as tensors: words in rows of one length, unknown words by their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import torch
from torch import Tensor

from research.neural.words import END, PAD, START, UNKNOWN, TextWords, Vocabulary

if TYPE_CHECKING:
    from torch import Tensor

    from research.neural.morphology import Morphology


BUCKET = 50
"""Batches' worth of examples that are sorted by length before they are cut into batches."""


@dataclass(frozen=True, slots=True, eq=False)
class ArticleExample:
    """One article, with its headline where it is to be learned.

    Attributes:
        grams: Stem, ending and grammeme of each of its words, int64 [s, 3]; None where none are read.
    """

    source: tuple[int, ...]
    extra: tuple[str, ...]
    written: dict[str, str]
    target: tuple[int, ...] = ()
    grams: np.ndarray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SourceBatch:
    """b articles.

    Attributes:
        words: Numbers of their words, int64 [b, s]: `UNKNOWN` for unknown words, `PAD` beyond the end.
        extended: The same, unknown words by their own numbers, int64 [b, s].
        lengths: Words of each, 1 or more, int64 [b], on the CPU.
        grams: Stem, ending and grammeme of each word, int64 [b, s, 3]; None where the network reads none.
    """

    words: Tensor
    extended: Tensor
    lengths: Tensor
    extra: int
    grams: Tensor | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def mask(self) -> Tensor:
        return self.words != PAD

    def to(self, device: str) -> SourceBatch:
        grams = None if self.grams is None else self.grams.to(device)
        return replace(self, words=self.words.to(device), extended=self.extended.to(device), grams=grams)


@dataclass(frozen=True, slots=True, eq=False)
class ArticleBatch:
    """b articles with their headlines.

    Attributes:
        targets: What it is to write: the headline and `END`, int64 [b, t]; unknown words by their own
            numbers, `PAD` beyond the end.
    """

    source: SourceBatch
    inputs: Tensor
    targets: Tensor

    def to(self, device: str) -> ArticleBatch:
        return ArticleBatch(self.source.to(device), self.inputs.to(device), self.targets.to(device))


def example(
    vocabulary: Vocabulary,
    article: TextWords,
    headline: Sequence[str] = (),
    *,
    morphology: Morphology | None = None,
) -> ArticleExample:
    """An article as numbers; one without words is read as one unknown word."""
    source, extra = vocabulary.encode_source(article.forms)
    begins: dict[str, str] = {}
    inside: dict[str, str] = {}
    before = "."
    for form, spelled in zip(article.forms, article.written, strict=True):
        # Capitals at the beginning of a sentence say nothing, so any other place goes before.
        (begins if before in {".", "?", "!"} else inside).setdefault(form, spelled)
        before = form
    return ArticleExample(
        source=tuple(source) or (UNKNOWN,),
        extra=extra,
        written={**begins, **inside},
        target=tuple(vocabulary.encode_target(headline, extra)),
        grams=None if morphology is None else morphology.read(article),
    )


def source_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> SourceBatch:
    extended = _rows([one.source for one in examples])
    grams = None
    read = [example.grams for example in examples if example.grams is not None]
    if read:
        stacked = np.zeros((*extended.shape, 3), dtype=np.int64)
        for row, parts in enumerate(read):
            stacked[row, : len(parts)] = parts
        grams = torch.from_numpy(stacked)
    return SourceBatch(
        words=extended.masked_fill(extended >= len(vocabulary), UNKNOWN),
        extended=extended,
        lengths=torch.tensor([len(one.source) for one in examples]),
        extra=max(len(one.extra) for one in examples),
        grams=grams,
    )


def batch_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> ArticleBatch:
    inputs = _rows([(START, *example.target) for example in examples])
    return ArticleBatch(
        source_of(examples, vocabulary),
        inputs.masked_fill(inputs >= len(vocabulary), UNKNOWN),
        _rows([(*one.target, END) for one in examples]),
    )


def _rows(rows: Sequence[Sequence[int]]) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])


def by_length(lengths: Sequence[int], size: int) -> list[list[int]]:
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    return [order[start : start + size] for start in range(0, len(order), size)]


def shuffled(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[list[int]]:
    """Rows in batches of like length in a random order; every row once.

    Rows are shuffled, sorted by length within `BUCKET` batches, and the batches are shuffled.
    """
    order = generator.permutation(len(lengths)).tolist()
    batches: list[list[int]] = []
    for start in range(0, len(order), BUCKET * size):
        bucket = sorted(order[start : start + BUCKET * size], key=lambda row: lengths[row])
        batches += [bucket[at : at + size] for at in range(0, len(bucket), size)]
    return [batches[place] for place in generator.permutation(len(batches))]


State = tuple["Tensor", ...]
"""What a decoder remembers of b articles with k headlines each: tensors [b, k, …]."""

Step = Callable[["Tensor", State], tuple["Tensor", State]]
"""One word on: from the last words, int64 [b, k], and the state to log-probabilities of the next words,
float32 [b, k, vocabulary + extra], and the next state. Unknown words of an article come after the
vocabulary, minus infinity beyond those that it has."""


class Network(Protocol):
    """A `torch.nn.Module` that writes headlines.

    Attributes:
        words_table: Name of the parameter that holds the embeddings of words, or of stems where the network
            reads stems.
    """

    words_table: ClassVar[str]

    def loss(self, batch: ArticleBatch) -> Tensor:
        """Mean negative log-likelihood a word of the batch's headlines, a scalar."""

    def begin(self, source: SourceBatch) -> tuple[Step, State]:
        """Reads articles.

        Returns:
            The step, which knows the articles, and the state before the first word, [b, 1, …].
        """

    def state_dict(self) -> dict[str, Any]:
        """Its tensors by name."""
