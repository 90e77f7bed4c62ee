"""Which groups are named on the map, and where their names stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.similarities import Float32Array, IntArray

PLOT = (900.0, 600.0)
FONT = 12.0
CHARACTER_WIDTH = 0.56
"""Mean width of a character of a sans face, as a share of the font size."""
EDGE = 0.25
"""Share of the width at either side in which a name is not centred over its point."""
EXACT_MEDOID = 1500
"""Members up to which the medoid is found exactly; past it, from the median point."""


@dataclass(frozen=True, slots=True)
class MapLabel:
    """The name of one group on the map.

    Attributes:
        group: Its number.
        row: Row of its most central headline, above whose point the name stands.
        x: Place of that headline, in the map's units.
        y: Likewise.
        size: How many headlines the group has.
        text: The name, one line.
    """

    group: int
    row: int
    x: float
    y: float
    size: int
    text: str


def labels_for_map(
    positions: Float32Array,
    groups: IntArray,
    *,
    texts: Mapping[int, str] | None = None,
    most: int = 12,
    smallest: int = 3,
    characters: int = 32,
    plot: tuple[float, float] = PLOT,
    font: float = FONT,
) -> tuple[MapLabel, ...]:
    """Names for the biggest groups, the biggest first, none over another.

    Args:
        positions: float32 [n, 2].
        groups: int64 [n], the group of each headline; negative ones are never named.
        texts: Name of each group; the number stands where one is missing.
        most: Names at most.
        smallest: Least size of a group that is named.
        characters: Longer names are cut with an ellipsis.
        plot: Width and height of the picture in pixels, for the test of overlap.
        font: Height of the letters in pixels.

    Returns:
        At most `most` labels; none for an empty map.
    """
    if len(groups) == 0:
        return ()
    low = positions.min(axis=0)
    span = np.maximum(positions.max(axis=0) - low, np.finfo(np.float32).tiny)
    numbers, sizes = np.unique(groups, return_counts=True)
    chosen: list[MapLabel] = []
    boxes: list[tuple[float, float, float, float]] = []
    for which in np.lexsort((numbers, -sizes)):
        group, size = int(numbers[which]), int(sizes[which])
        if len(chosen) == most or size < smallest:
            break
        if group < 0:
            continue
        text = _cut((texts or {}).get(group, f"Group {group}"), characters)
        row = medoid(positions, np.flatnonzero(groups == group))
        x, y = (positions[row] - low) / span * plot
        box = _box(float(x), float(y), len(text), font, plot[0])
        if any(_overlap(box, other) for other in boxes):
            continue
        boxes.append(box)
        place = positions[row]
        chosen.append(MapLabel(group, row, float(place[0]), float(place[1]), size, text))
    return tuple(chosen)


def apart(
    labels: tuple[MapLabel, ...], positions: Float32Array, *, plot: tuple[float, float], font: float = FONT
) -> tuple[MapLabel, ...]:
    """The names that do not cover one another in a smaller picture, the biggest groups' first.

    Args:
        labels: Of `labels_for_map`.
        positions: The whole map, float32 [n, 2].
        plot: Width and height of the smaller picture in pixels.
        font: Height of the letters in pixels.
    """
    if not labels:
        return ()
    low = positions.min(axis=0)
    span = np.maximum(positions.max(axis=0) - low, np.finfo(np.float32).tiny)
    kept: list[MapLabel] = []
    boxes: list[tuple[float, float, float, float]] = []
    for label in labels:
        x, y = (positions[label.row] - low) / span * plot
        box = _box(float(x), float(y), len(label.text), font, plot[0])
        if not any(_overlap(box, other) for other in boxes):
            boxes.append(box)
            kept.append(label)
    return tuple(kept)


def medoid(positions: Float32Array, members: IntArray) -> int:
    """The member with the least sum of distances to the others; the first of equals.

    Past `EXACT_MEDOID` members: the one nearest to their median point.
    """
    places = positions[members].astype(np.float64)
    if len(members) > EXACT_MEDOID:
        away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    else:
        away = np.linalg.norm(places[:, None, :] - places[None, :, :], axis=2).sum(axis=1)
    return int(members[int(np.argmin(away))])


def _cut(text: str, characters: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def _box(x: float, y: float, characters: int, font: float, width: float) -> tuple[float, float, float, float]:
    wide = characters * font * CHARACTER_WIDTH
    left = {"left": x, "right": x - wide}.get(side(x / width), x - wide / 2)
    return left, y, left + wide, y + 1.4 * font


def side(share: float) -> Literal["left", "center", "right"]:
    """Which end of a name stands at its point, `share` of the picture's width from the left.

    A name in the middle is centred; one near an edge begins or ends at its point, so that none is cut.
    """
    return "left" if share < EDGE else "right" if share > 1 - EDGE else "center"


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
