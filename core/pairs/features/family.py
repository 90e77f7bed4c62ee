"""What every family of features offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from core.pairs.selection import Selection
from core.similarities import Float32Array


class Family(Protocol):
    """Features that have seen the timeline; they cannot tell left from right."""

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and values of each feature, one after another so that little memory is held.

        Args:
            at: The pairs that are asked for.

        Yields:
            The values have the selection's shape, are finite, and may be overwritten.
        """
        ...
