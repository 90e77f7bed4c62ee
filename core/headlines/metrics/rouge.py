"""ROUGE-1, ROUGE-2 and ROUGE-L, and their mean: the figures of rouge-score, about ten times faster.

Every distinct text is cut into words once and every distinct word stemmed once; stems become numbers. Shared
words and bigrams are counted for all pairs together, and the longest common subsequence is found for all
places of a headline at once, in the bits of one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.headlines.metrics.metric import (
    Column,
    HeadlineMetric,
    MetricInput,
    given_references,
    headline_metrics,
    mean_statistics,
    means,
)
from core.runtime import Runtime
from core.text.porter import StemNumbers, plain_words, stemmer_name

EQUAL_TO: Final = "rouge-score 0.1.2"
"""The library whose English figures these are; tests hold them against it."""

_AT_ONCE = 1_000  # headlines between two looks at the stop signal


@headline_metrics.register("rouge.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Rouge(HeadlineMetric):
    """ROUGE-1, ROUGE-2, ROUGE-L (F1, best reference) and the mean of the three.

    English exactly as google's rouge-score with stemming; other languages with words of their script.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"; the maximum over references
    as in Dialogue 2021, the mean of the three as in Dialogue 2019.
    """

    summary: ClassVar[str] = "Words, pairs of words and order shared with people's headlines"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 1
    step: ClassVar[str] = "ROUGE"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("rouge1", "ROUGE-1", "words shared, F1", True, rank=2),
        Column("rouge2", "ROUGE-2", "neighbouring words shared, F1", True, rank=3),
        Column("rougeL", "ROUGE-L", "longest run of words in the same order, with gaps, F1", True, rank=4),
        Column(
            "rouge_mean",
            "ROUGE mean",
            "mean of ROUGE-1, ROUGE-2 and ROUGE-L, as in Dialogue 2019",
            True,
            rank=1,
        ),
    )

    stems: bool = field(default=True, metadata={"help": "compare words without their endings"})

    def signature_text(self, written: MetricInput | None = None) -> str:
        language = written.language if written else "en"
        same = f"equal to {EQUAL_TO}" if language == "en" else "own tokens"
        return f"ROUGE F1, maximum over references, {same}, " + (
            stemmer_name(language) if self.stems else "no stems"
        )

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        references = given_references(written)
        best = np.full((len(references), 3), np.nan)
        starts = range(0, len(references), _AT_ONCE)
        for start in runtime.track(starts, self.step):
            rows = [
                (row, one)
                for row in range(start, min(start + _AT_ONCE, len(references)))
                for one in references[row]
            ]
            found = rouge_pairs(
                [written.headlines[row] for row, _ in rows],
                [one for _, one in rows],
                language=written.language,
                stems=self.stems,
            )
            np.fmax.at(best, [row for row, _ in rows], found.f1)
        return mean_statistics(best)

    def values(self, sums: FloatArray) -> FloatArray:
        three = means(sums)
        return np.concatenate([three, three.mean(axis=-1, keepdims=True)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class RougeScores:
    """ROUGE-1, ROUGE-2 and ROUGE-L of m pairs, float64 [m, 3] each, 0–1."""

    precision: FloatArray
    recall: FloatArray
    f1: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Grams:
    """n-grams of t texts, one text after the other."""

    numbers: IntArray
    starts: IntArray
    lengths: IntArray


def rouge_pairs(
    headlines: Sequence[str], references: Sequence[str], *, language: str = "en", stems: bool = True
) -> RougeScores:
    """ROUGE of each headline against the reference beside it, as rouge-score 0.1.2 computes it.

    Args:
        headlines: m texts.
        references: m texts.
        language: ISO 639-1 code; see `plain_words` and `stemmer`.
        stems: Whether words are stemmed.

    Returns:
        Scores; 0 where a text has no word, as in rouge-score.
    """
    places: dict[str, int] = {}
    left = _numbered(headlines, places)
    right = _numbered(references, places)
    numbers = StemNumbers(language, stems=stems)
    texts = [[numbers[word] for word in plain_words(text, language)] for text in places]
    words, bigrams = _grams(texts)
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    subsequences = [common_subsequence(texts[one], texts[other]) for one, other in pairs]
    hits = np.stack(
        [_shared(words, left, right), _shared(bigrams, left, right), np.array(subsequences, np.int64)], axis=1
    )
    sizes = np.maximum(np.stack([words.lengths, bigrams.lengths, words.lengths], axis=1), 1)
    precision, recall = hits / sizes[left], hits / sizes[right]
    with np.errstate(invalid="ignore"):
        f1 = 2 * precision * recall / (precision + recall)
    return RougeScores(precision, recall, np.where(hits > 0, f1, 0.0))


def common_subsequence(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the longest common subsequence.

    A bit of `row` is 0 where the length grows at that place of the other text; a word that is not in it
    changes nothing.

    Source: Hyyrö 2004, "Bit-parallel LCS-length computation revisited".
    """
    places: dict[int, int] = {}
    bit = 1
    for word in other:
        places[word] = places.get(word, 0) | bit
        bit <<= 1
    row = whole = bit - 1
    for word in one:
        at = places.get(word)
        if at is not None:
            matched = row & at
            row = ((row + matched) | (row - matched)) & whole
    return len(other) - row.bit_count()


def _numbered(texts: Sequence[str], places: dict[str, int]) -> IntArray:
    return np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, count=len(texts))


def _grams(texts: Sequence[Sequence[int]]) -> tuple[_Grams, _Grams]:
    lengths = np.fromiter(map(len, texts), np.int64, count=len(texts))
    flat = np.fromiter(chain.from_iterable(texts), np.int64, count=int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    kinds = int(flat.max(initial=0)) + 1
    # The pairs that reach from one text into the next are numbered too, and never looked at.
    _, bigrams = np.unique(flat[:-1] * kinds + flat[1:], return_inverse=True)
    return _Grams(flat, starts, lengths), _Grams(bigrams.astype(np.int64), starts, np.maximum(lengths - 1, 0))


def _shared(grams: _Grams, left: IntArray, right: IntArray) -> IntArray:
    kinds = int(grams.numbers.max(initial=0)) + 1
    most = int(grams.lengths.max(initial=0)) + 1
    keys = np.concatenate([_keys(grams, side, kinds, most) for side in (left, right)])
    keys.sort()
    both = keys[1:][keys[1:] == keys[:-1]]
    return np.bincount(both // (kinds * most), minlength=len(left)).astype(np.int64)


def _keys(grams: _Grams, side: IntArray, kinds: int, most: int) -> IntArray:
    lengths = grams.lengths[side]
    ends = np.cumsum(lengths)
    pairs = np.repeat(np.arange(len(side)), lengths)
    inside = np.arange(len(pairs)) - np.repeat(ends - lengths, lengths)
    keys = pairs * kinds + grams.numbers[np.repeat(grams.starts[side], lengths) + inside]
    keys.sort()
    places = np.arange(len(keys))
    first = np.where(np.diff(keys, prepend=-1) != 0, places, 0)
    numbered: IntArray = keys * most + places - np.maximum.accumulate(first)
    return numbered
