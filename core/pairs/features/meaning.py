"""How close the meanings of two headlines are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.pairs.selection import Selection
from core.similarities import Float32Array


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Cosines of the encoder's vectors.

    Attributes:
        vectors: Unit vectors, float32 [n, d].
    """

    vectors: Float32Array

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: the cosine."""
        yield "meaning", at.inner(self.vectors)
