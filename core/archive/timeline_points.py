"""The map of a timeline as it is sent to a page or a notebook."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.archive.points import coordinates, drawing_order, packed
from core.archive.query import Lasso, LassoIndex
from core.arrays import Float32Array, IntArray
from core.maps.labels import medoid

_FEW: Final = 500  # headlines of a map up to which single reports have names as well


class Points(NamedTuple):
    """A map as it is sent: points in an order in which those of an event follow each other."""

    order: IntArray  # the row of each point
    lasso: LassoIndex
    content: bytes
    names: Sequence[tuple[str, int]]  # titles with a point of each, in the order of the list of events

    def inside(self, lasso: Lasso) -> list[int]:
        return sorted(self.order[self.lasso.inside(lasso)].tolist())


def place_points(positions: Float32Array, ids: IntArray, titles: Mapping[int, str]) -> Points:
    numbers, groups, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    ranked = np.argsort(-sizes, kind="stable")
    order = drawing_order(groups + 1, ranked + 1)
    spread = np.ptp(positions, axis=0) if len(positions) else 1.0
    places = (positions / np.where(spread > 0, spread, 1.0)).astype(np.float32)  # it fills any window
    content = packed(places[order], sizes[ranked][::-1])
    point_of = np.empty_like(order)
    point_of[order] = np.arange(len(order))
    place = {group: at for at, group in enumerate(numbers.tolist()) if sizes[at] > (len(ids) > _FEW)}
    named = [place[group] for group in titles if group in place]
    middles = [int(point_of[medoid(places, np.flatnonzero(groups == at))]) for at in named]
    names = [(titles[int(numbers[at])], middle) for at, middle in zip(named, middles, strict=True)]
    return Points(order, LassoIndex(*coordinates(places[order]).T), content, names)
