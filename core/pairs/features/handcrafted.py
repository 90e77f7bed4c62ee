"""Numbers about a pair of headlines, as systems of Dialogue 2021 feed them to gradient boosting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from core.arrays import Float32Array, IntArray
from core.pairs.features.overlap import Overlap, dice, jaccard, overlap
from core.pairs.scorer import PairContext
from core.pairs.selection import PairList
from core.text.differences import ParsedHeadline, read
from core.text.names import learn_names
from core.text.numerals.quantities import Quantity

NAMES: Final = (
    "cosine",
    "difference_mean",
    "difference_deviation",
    "difference_largest",
    "shared_words",
    "shared_trigrams",
    "edit_ratio",
    "names_shared",
    "names_share",
    "numbers_shared",
    "numbers_share",
    "numbers_in_conflict",
    "length_ratio",
    "days_apart",
)
"""What each column is; one for each reduced dimension of |u - v| follows."""

RISING: Final = frozenset({"cosine", "shared_words", "shared_trigrams", "edit_ratio", "names_shared"})
FALLING: Final = frozenset({"numbers_in_conflict", "days_apart"})
"""Columns with which the probability of the same event may only rise, or only fall."""


@dataclass(frozen=True, slots=True, eq=False)
class Handcrafted:
    """The headlines of a timeline, taken apart once."""

    vectors: Float32Array
    reduction: Float32Array
    texts: list[str]
    lengths: Float32Array
    days: npt.NDArray[np.float64]
    words: Overlap
    trigrams: Overlap
    names: Overlap
    numbers: Overlap
    counted: Overlap

    def features(self, left: IntArray, right: IntArray) -> Float32Array:
        """Columns `NAMES` and the reduced |u - v| of the pairs (left[k], right[k]), float32 [m, 14 + k].

        Exchanging left and right changes nothing, to the last bit. Days apart are NaN where a date is
        unknown; everything else is a number.
        """
        u, v = self.vectors[left], self.vectors[right]
        gap = np.abs(u - v)
        shorter = np.minimum(self.lengths[left], self.lengths[right])
        longer = np.maximum(self.lengths[left], self.lengths[right])
        at = PairList(left, right)
        shared = {part: getattr(self, part).score(at) for part in ("names", "numbers", "counted")}
        both = {part: getattr(self, part).counts[left] + getattr(self, part).counts[right] for part in shared}
        columns = [
            np.einsum("md,md->m", u, v),
            gap.mean(axis=1),
            gap.std(axis=1),
            gap.max(axis=1),
            self.words.score(at),
            self.trigrams.score(at),
            self._edit_ratio(left, right),
            shared["names"],
            jaccard(shared["names"], both["names"]),
            shared["numbers"],
            jaccard(shared["numbers"], both["numbers"]),
            np.maximum(shared["counted"] - shared["numbers"], 0),
            shorter / np.maximum(longer, 1),
            np.abs(self.days[left] - self.days[right]),
        ]
        return np.column_stack([*columns, gap @ self.reduction]).astype(np.float32)

    def _edit_ratio(self, left: IntArray, right: IntArray) -> Float32Array:
        low, high = np.minimum(left, right), np.maximum(left, right)
        found = process.cpdist(
            [self.texts[row] for row in low.tolist()],
            [self.texts[row] for row in high.tolist()],
            scorer=fuzz.ratio,
            dtype=np.float32,
        )
        return np.asarray(found, dtype=np.float32) / np.float32(100)


def take_apart(context: PairContext, reduction: Float32Array) -> Handcrafted:
    known = learn_names(context.texts)
    readings = [read(text, known=known) for text in context.texts]
    lower = [text.casefold() for text in context.texts]
    return Handcrafted(
        vectors=context.vectors,
        reduction=reduction,
        texts=lower,
        lengths=np.array([len(text) for text in lower], dtype=np.float32),
        days=np.floor(context.days),
        words=overlap((_words(reading) for reading in readings), jaccard),
        trigrams=overlap((_trigrams(text) for text in lower), dice),
        names=overlap((frozenset(t.form for t in reading.names) for reading in readings), _count),
        numbers=overlap((frozenset(map(_value, reading.numbers)) for reading in readings), _count),
        counted=overlap((_counted(reading) for reading in readings), _count),
    )


def _words(reading: ParsedHeadline) -> frozenset[str]:
    return frozenset(token.form for token in (*reading.words, *reading.names))


def _trigrams(text: str) -> frozenset[str]:
    plain = " ".join(text.split())
    return frozenset(plain[start : start + 3] for start in range(len(plain) - 2))


def _value(number: Quantity) -> str:
    return f"{number.kind} {number.unit} {number.value:.6g}"


def _counted(reading: ParsedHeadline) -> frozenset[str]:
    return frozenset(f"{number.kind} {number.unit}" for number in reading.numbers if number.firm)


def _count(shared: Float32Array, both: Float32Array) -> Float32Array:
    return shared
