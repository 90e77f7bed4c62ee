"""Which words two headlines share, weighted by how little of the timeline has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.pairs.features.incidence import incidence, rarity, scaled, sums, unit
from core.pairs.selection import Selection
from core.similarities import Float32Array
from core.text.differences import Reading

if TYPE_CHECKING:
    from scipy import sparse

_LEAST = np.float32(1e-3)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
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
    def of(spelled: sparse.csr_matrix, readings: Sequence[Reading]) -> Words:
        """Counts the forms of a timeline.

        Args:
            spelled: From `word_vectors`.
            readings: The headlines taken apart.
        """
        forms = incidence([[token.form for token in (*one.names, *one.words)] for one in readings])
        weights = rarity(forms)
        weighted = scaled(forms, weights)
        return Words(spelled, unit(weighted), scaled(forms, np.sqrt(weights)), sums(weighted))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: two cosines, and the share of the shorter headline that the other contains."""
        yield "words", at.shared(self.spelled, self.spelled)
        yield "content words", at.shared(self.rare, self.rare)
        left, right = at.sides(self.weight)
        both = at.shared(self.halves, self.halves)
        both /= np.maximum(np.minimum(left, right), _LEAST)
        yield "one contains the other", both
