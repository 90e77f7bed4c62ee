"""Named entities that two headlines share, and those that only one of them has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.pairs.features.incidence import incidence, rarity, scaled, sums
from core.pairs.selection import Selection
from core.similarities import Float32Array
from core.text.differences import Reading

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Words that look like names.

    Attributes:
        halves: Square roots of the names' rarities, relative to that of a name that stands once, so
            that products sum up rarities; CSR.
        weight: Sum of these rarities over each headline's names, float32 [n].
    """

    halves: sparse.csr_matrix
    weight: Float32Array

    @staticmethod
    def of(readings: Sequence[Reading]) -> Names:
        """Counts the names of a timeline."""
        names = incidence([[token.form for token in one.names] for one in readings])
        weights = rarity(names) / np.float32(np.log(len(readings) + 2))
        return Names(scaled(names, np.sqrt(weights)), sums(scaled(names, weights)))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: what is shared, the most that one side names alone, and 1 where a side names none."""
        shared = at.shared(self.halves, self.halves)
        left, right = at.sides(self.weight)
        yield "names in one alone", np.maximum(left, right) - shared
        yield "no names", (np.minimum(left, right) == 0).astype(np.float32)
        yield "names", shared
