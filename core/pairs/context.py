"""The headlines that pairs are taken from, as every scorer sees them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.text.timeline_reading import NOT_READ, TimelineReading

if TYPE_CHECKING:
    from scipy import sparse

NO_ANNOTATORS: IntArray = np.empty((0, 0), dtype=np.int64)

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class PairContext:
    """The headlines that pairs are taken from, n of them, and what was read of them together."""

    texts: Sequence[str]
    days: FloatArray  # publication time in days, float64 [n]; NaN where unknown
    vectors: Float32Array  # unit vectors, float32 [n, d]; [n, 0] when no encoder was asked for
    bodies: Sequence[str] = ()  # texts of the articles, "" where unknown; empty when there are none at all
    # group number that each of k people gave, int64 [n, k], -1 for none; [0, 0] when nobody annotated
    annotators: IntArray = field(default_factory=lambda: NO_ANNOTATORS)
    reading: TimelineReading = NOT_READ  # language, names and words of the timeline, each read once
    places: IntArray | None = None  # row of each headline in `reading`, int64 [n]; None for its own order
    _measured: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.reading is NOT_READ:
            object.__setattr__(self, "reading", TimelineReading(self.texts))

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: IntArray) -> PairContext:
        """The headlines of some rows, as timeline of their own; all in another order keep what was read."""
        whole = len(rows) == len(self) and len(np.unique(rows)) == len(rows)
        taken = PairContext(
            texts=[self.texts[row] for row in rows.tolist()],
            days=self.days[rows],
            vectors=self.vectors[rows],
            bodies=[self.bodies[row] for row in rows.tolist()] if self.bodies else (),
            annotators=self.annotators[rows] if len(self.annotators) else self.annotators,
            reading=self.reading if whole else NOT_READ,
            places=(rows if self.places is None else self.places[rows]) if whole else None,
        )
        if whole:
            object.__setattr__(taken, "_measured", self._measured)
        return taken

    @property
    def words(self) -> sparse.csr_matrix:
        """TF-IDF vectors of unit length, fitted inside the timeline, float32 CSR [n, words]."""
        return self.reading.words if self.places is None else self.reading.words[self.places]

    @property
    def languages(self) -> IntArray:
        """A number for the language of each headline, int64 [n]; -1 where it is doubtful or all share one."""
        numbers = self.reading.language_numbers
        return numbers if self.places is None else numbers[self.places]

    @cached_property
    def by_day_and_wording(self) -> IntArray:
        """An order by day, the undated last, then wording, whatever order the headlines have, int64 [n]."""
        _, wording = np.unique(np.array(self.texts, dtype=np.str_), return_inverse=True)
        return np.lexsort((wording.ravel(), self.days)).astype(np.int64)

    def once(self, recipe: Hashable, measure: Callable[[], Value]) -> Value:
        """What a recipe measures of the headlines, once for all their orders; it must not depend on these."""
        if recipe not in self._measured:
            self._measured[recipe] = measure()
        value: Value = self._measured[recipe]
        return value


def require_vectors(context: PairContext) -> None:
    if len(context.vectors) != len(context) or (len(context) > 0 and context.vectors.shape[1] == 0):
        message = f"This scorer needs a vector for each of the {len(context)} headlines."
        raise InputError(message, hint="Choose an encoder.")
