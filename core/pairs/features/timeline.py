"""All features of the pairs of one timeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.pairs.features.family import Family
from core.pairs.features.meaning import Meaning
from core.pairs.features.names import Names
from core.pairs.features.numerals import Numerals
from core.pairs.features.times import Times
from core.pairs.features.word_vectors import word_vectors
from core.pairs.features.words import Words
from core.pairs.scorer import PairContext
from core.pairs.selection import Selection
from core.similarities import Float32Array, IntArray
from core.text.differences import read
from core.text.names import learn_names


@dataclass(frozen=True, slots=True)
class Features:
    """Families that have seen a timeline.

    Attributes:
        families: One of each kind.
    """

    families: tuple[Family, ...]

    @staticmethod
    def of(context: PairContext) -> Features:
        """Looks at a timeline.

        Args:
            context: Its headlines with vectors; rounding depends on their order, nothing else does.
        """
        known = learn_names(context.texts)
        readings = [read(text, known=known) for text in context.texts]
        return Features(
            (
                Meaning(context.vectors),
                Words.of(word_vectors(context.texts), readings),
                Names.of(readings),
                Numerals.of(readings),
                Times(np.floor(context.days)),
            )
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and values of every feature, one after another."""
        for family in self.families:
            yield from family.values(at)


def by_day_and_wording(texts: list[str], days: npt.NDArray[np.float64]) -> IntArray:
    """An order of the headlines that does not depend on the one they come in, int64 [n].

    By day, the undated last, then by wording; copies of one day are interchangeable.
    """
    _, wording = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    return np.lexsort((wording.ravel(), days)).astype(np.int64)
