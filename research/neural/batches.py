"""Articles and headlines as tensors, in rows of one length."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from core.arrays import IntArray
from research.neural.morphology import NONE, Morphology
from research.neural.vocabulary import END, PAD, START, UNKNOWN, Vocabulary
from research.neural.words import TextWords

BUCKET = 50  # batches' worth of examples that are sorted by length before they are cut into batches
State = tuple["Tensor", ...]  # what a decoder remembers of b articles with k headlines each: [b, k, …]
Step = Callable[["Tensor", State], tuple["Tensor", State]]
"""One word on: from the last words, int64 [b, k], and the state to log-probabilities of the next words,
float32 [b, k, vocabulary + extra], and the next state. Unknown words of an article come after the
vocabulary, minus infinity beyond those that it has."""


class Network(Protocol):
    words_table: ClassVar[str]  # name of the parameter with the embeddings of words, or of stems

    def loss(self, batch: "ArticleBatch") -> Tensor:
        """Mean negative log-likelihood a word of the batch's headlines, a scalar."""

    def begin(self, source: "SourceBatch") -> tuple[Step, State]:
        """The step, which knows the articles, and the state before the first word, [b, 1, …]."""


class ArticleExample(NamedTuple):
    source: tuple[int, ...]
    extra: tuple[str, ...]
    written: dict[str, str]
    target: tuple[int, ...] = ()
    grams: IntArray | None = None  # stem, ending and grammeme of each of its words, int64 [s, 3]


@dataclass(frozen=True, slots=True, eq=False)
class SourceBatch:
    words: Tensor  # numbers of their words, int64 [b, s]: `UNKNOWN` for unknown words, `PAD` beyond the end
    extended: Tensor  # the same, unknown words by their own numbers, int64 [b, s]
    lengths: Tensor  # words of each, 1 or more, int64 [b], on the CPU
    extra: int
    grams: Tensor | None = None  # stem, ending and grammeme of each word, int64 [b, s, 3]

    def to(self, device: str) -> "SourceBatch":
        grams = None if self.grams is None else self.grams.to(device)
        return replace(self, words=self.words.to(device), extended=self.extended.to(device), grams=grams)


class ArticleBatch(NamedTuple):
    source: SourceBatch
    targets: Tensor  # headline and `END`, int64 [b, t], unknown words by their own numbers; `PAD` beyond

    def to(self, device: str) -> "ArticleBatch":
        return ArticleBatch(self.source.to(device), self.targets.to(device))


def example(
    vocabulary: Vocabulary, article: TextWords, headline: Sequence[str], morphology: Morphology | None
) -> ArticleExample:
    """An article as numbers; one without words is read as one unknown word."""
    source, extra = vocabulary.encode_source(article.forms)
    begins: dict[str, str] = {}
    inside: dict[str, str] = {}
    for before, form, spelled in zip((".", *article.forms), article.forms, article.written, strict=False):
        # Capitals at the beginning of a sentence say nothing, so any other place goes before.
        (begins if before in {".", "?", "!"} else inside).setdefault(form, spelled)
    return ArticleExample(
        source=tuple(source) or (UNKNOWN,),
        extra=extra,
        written={**begins, **inside},
        target=tuple(vocabulary.encode_target(headline, extra)),
        grams=None if morphology is None else morphology.read(article),
    )


def source_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> SourceBatch:
    extended = _rows([example.source for example in examples])
    grams = [torch.from_numpy(example.grams) for example in examples if example.grams is not None]
    return SourceBatch(
        words=extended.masked_fill(extended >= len(vocabulary), UNKNOWN),
        extended=extended,
        lengths=torch.tensor([len(example.source) for example in examples]),
        extra=max(len(example.extra) for example in examples),
        grams=pad_sequence(grams, batch_first=True, padding_value=NONE) if grams else None,
    )


def batch_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> ArticleBatch:
    targets = _rows([(*example.target, END) for example in examples])
    return ArticleBatch(source_of(examples, vocabulary), targets)


def _rows(rows: Iterable[Sequence[int]]) -> Tensor:
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def words_before(targets: Tensor) -> Tensor:
    return torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)


def by_length(lengths: Sequence[int], size: int) -> list[list[int]]:
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    return [order[start : start + size] for start in range(0, len(order), size)]


def shuffled(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[list[int]]:
    """Rows in batches of like length in a random order; every row once."""
    order = generator.permutation(len(lengths)).tolist()
    batches: list[list[int]] = []
    for start in range(0, len(order), BUCKET * size):
        bucket = sorted(order[start : start + BUCKET * size], key=lambda row: lengths[row])
        batches += [bucket[at : at + size] for at in range(0, len(bucket), size)]
    return [batches[place] for place in generator.permutation(len(batches))]
