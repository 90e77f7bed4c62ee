"""Features of the pairs of one timeline by family: meaning, words, names and time; numerals have a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.pairs.features.numerals import Numerals
from core.pairs.features.overlap import incidence, rarity, scaled, sums, unit
from core.pairs.features.swapped import Swapped
from core.pairs.features.word_vectors import word_vectors
from core.pairs.scorer import PairContext
from core.pairs.selection import Selection
from core.text.differences import ParsedHeadline, read
from core.text.names import learn_names

if TYPE_CHECKING:
    from scipy import sparse

FARTHEST = 60.0
"""Days beyond which it makes no more difference how many they are."""

UNKNOWN_GAP = 1.0
"""Days that are assumed where a date is missing; a feature of its own says that it is."""

ONE_DAY = 0.5
FEWEST_DAYS = 20
"""Share of dated pairs of one day from which days are no evidence, and of how many headlines."""

_LEAST = np.float32(1e-3)


class Family(Protocol):
    """Features that have seen the timeline; they cannot tell left from right."""

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and values of each feature, one after another so that little memory is held."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Cosines of the encoder's vectors."""

    vectors: Float32Array

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "meaning", at.inner(self.vectors)


@dataclass(frozen=True, slots=True, eq=False)
class WordFamily:
    """Words as they are written, and content words in their light normal form.

    Attributes:
        spelled: TF-IDF rows of unit length of the words as written, CSR.
        rare: Rarities of a headline's forms as rows of unit length, CSR.
        halves: Square roots of these rarities, so that products sum up rarities, CSR.
        weight: Sum of the rarities of each headline's forms, float32 [n].
    """

    spelled: sparse.csr_matrix
    rare: sparse.csr_matrix
    halves: sparse.csr_matrix
    weight: Float32Array

    @staticmethod
    def of(spelled: sparse.csr_matrix, readings: Sequence[ParsedHeadline]) -> WordFamily:
        forms = incidence(
            [[token.form for token in (*reading.names, *reading.words)] for reading in readings]
        )
        weights = rarity(forms)
        weighted = scaled(forms, weights)
        return WordFamily(spelled, unit(weighted), scaled(forms, np.sqrt(weights)), sums(weighted))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "words", at.shared(self.spelled, self.spelled)
        yield "content words", at.shared(self.rare, self.rare)
        left, right = at.sides(self.weight)
        both = at.shared(self.halves, self.halves)
        both /= np.maximum(np.minimum(left, right), _LEAST)
        yield "one contains the other", both


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Words that look like names."""

    halves: sparse.csr_matrix
    weight: Float32Array

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Names:
        names = incidence([[token.form for token in reading.names] for reading in readings])
        weights = rarity(names) / np.float32(np.log(len(readings) + 2))
        return Names(scaled(names, np.sqrt(weights)), sums(scaled(names, weights)))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: what is shared, the most that one side names alone, and 1 where a side names none."""
        shared = at.shared(self.halves, self.halves)
        left, right = at.sides(self.weight)
        yield "names in one alone", np.maximum(left, right) - shared
        yield "no names", (np.minimum(left, right) == 0).astype(np.float32)
        yield "names", shared


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Publication days."""

    days: npt.NDArray[np.float64]

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: whether they are of one day, days apart on two scales, 1 where that is not known."""
        left, right = at.sides(self.days)
        gap = np.abs(left - right).astype(np.float32)
        unknown = np.isnan(gap)
        gap[unknown] = UNKNOWN_GAP
        yield (
            "another day",
            np.where(unknown, np.float32(0.5), np.minimum(np.ceil(gap), 1)).astype(np.float32),
        )
        np.minimum(gap, np.float32(FARTHEST), out=gap)
        yield "days apart", np.log1p(gap)
        yield "weeks apart", gap / np.float32(7)
        yield "date missing", unknown.astype(np.float32)


def informative(days: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Days, or NaN throughout where they are no evidence: many headlines, most pairs of one day."""
    known = days[np.isfinite(days)]
    _, counts = np.unique(known, return_counts=True)
    together = float((counts * (counts - 1)).sum())
    if len(known) >= FEWEST_DAYS and together > ONE_DAY * len(known) * (len(known) - 1):
        return np.full_like(days, np.nan)
    return days


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """Families that have seen a timeline."""

    families: tuple[Family, ...]

    @staticmethod
    def of(context: PairContext) -> PairFeatures:
        known = learn_names(context.texts)
        readings = [read(text, known=known) for text in context.texts]
        return PairFeatures(
            (
                Meaning(context.vectors),
                WordFamily.of(word_vectors(context.texts), readings),
                Names.of(readings),
                Numerals.of(readings),
                Times(informative(np.floor(context.days))),
                Swapped.of(readings),
            )
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        for family in self.families:
            yield from family.values(at)


def by_day_and_wording(texts: Sequence[str], days: npt.NDArray[np.float64]) -> IntArray:
    """An order of the headlines that does not depend on the one they come in, int64 [n].

    By day, the undated last, then by wording; copies of one day are interchangeable.
    """
    _, wording = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    return np.lexsort((wording.ravel(), days)).astype(np.int64)
