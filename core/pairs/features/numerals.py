"""Numbers that two headlines share, and numbers that count the same thing and differ."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Float32Array
from core.pairs.features.overlap import incidence, ones
from core.pairs.selection import Selection
from core.text.differences import ParsedHeadline
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, same

if TYPE_CHECKING:
    from scipy import sparse

_NEAR = 1.12
"""Rounded numbers differ by at most a tenth, so only numbers inside this factor are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class Numerals:
    """Numbers, what they agree with, and what they count. All are CSR with a row a headline.

    Attributes:
        numbers: 1 where a headline has a number.
        agreeing: 1 where it has a number that says the same, one perhaps rounded.
        things: 1 where it says exactly how many or how much of a thing.
        exact: 1 where it has that exact number of a thing.
        alike: 1 where it has a number of the same thing that says the same.
    """

    numbers: sparse.csr_matrix
    agreeing: sparse.csr_matrix
    things: sparse.csr_matrix
    exact: sparse.csr_matrix
    alike: sparse.csr_matrix

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Numerals:
        """Compares the distinct numbers of a timeline with each other, once."""
        distinct: dict[tuple[object, ...], int] = {}
        quantities: list[Quantity] = []
        rows: list[list[int]] = []
        for reading in readings:
            rows.append([])
            for number in reading.numbers:
                place = distinct.setdefault(_identity(number), len(distinct))
                if place == len(quantities):
                    quantities.append(number)
                rows[-1].append(place)
        things = [_thing(number) for number in quantities]
        numbers = ones(rows, len(quantities))
        exact = ones([[place for place in row if things[place]] for row in rows], len(quantities))
        agreeing, same_thing = _agreements(quantities, things)
        return Numerals(
            numbers=numbers,
            agreeing=_at_most_one(numbers @ agreeing),
            things=incidence([[things[place] for place in row if things[place]] for row in rows]),
            exact=exact,
            alike=_at_most_one(exact @ same_thing),
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "numbers agree", np.minimum(at.shared(self.agreeing, self.numbers), np.float32(1))
        unlike = at.shared(self.things, self.things) - at.shared(self.alike, self.exact)
        yield "numbers conflict", np.clip(unlike, np.float32(0), np.float32(1))


def _identity(number: Quantity) -> tuple[object, ...]:
    return (number.kind, number.unit, number.value, number.resolution, number.exact, number.firm)


def _thing(number: Quantity) -> str:
    return f"{number.kind.value} {number.unit}" if number.firm else ""


def _agreements(
    quantities: Sequence[Quantity], things: Sequence[str]
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    kinds: dict[NumeralKind, list[int]] = defaultdict(list)
    for place in sorted(range(len(quantities)), key=lambda place: quantities[place].value):
        kinds[quantities[place].kind].append(place)
    rows = [[place] for place in range(len(quantities))]
    for places in kinds.values():
        for start, one in enumerate(places):
            most = quantities[one].value * _NEAR
            near = itertools.takewhile(lambda other: quantities[other].value <= most, places[start + 1 :])  # noqa: B023
            for other in near:
                if same(quantities[one], quantities[other]):
                    rows[one].append(other)
                    rows[other].append(one)
    alike = [
        [other for other in row if things[other] and things[other] == things[place]]
        for place, row in enumerate(rows)
    ]
    # Where nobody writes a number there is one column without one.
    return ones(rows or [[]], len(rows)), ones(alike or [[]], len(rows))


def _at_most_one(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    from scipy import sparse

    rows = sparse.csr_matrix(rows, dtype=np.float32)
    rows.data[:] = 1.0
    return rows
