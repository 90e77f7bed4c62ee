"""Which groups are named on the map, and where their names stand: near their points, on none of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from textwrap import wrap
from typing import Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray

PLOT: Final = (900.0, 600.0)
FONT: Final = 12.0
CHARACTER_WIDTH: Final = 0.54  # mean width of a character of a sans face, as a share of the font size
LINE_HEIGHT: Final = 1.3  # of a line of a name, as a share of the font size
NAME_CHARACTERS: Final = 26  # of a line of a name where names have two
PAD: Final = (0.05, 0.1)  # share of width and height left free on each side of the points
EXACT_MEDOID: Final = 1500  # members up to which the medoid is found exactly; past it, from the median point
_CELL: Final = 3.0  # pixels of a cell in which points are counted
_POINT: Final = 6.0  # half the size of a point in pixels
_APART: Final = 4.0  # pixels between two names at least
_DISTANCES: Final = (0.0, 12.0, 26.0, 42.0, 60.0)  # pixels from a point to its name that are tried
_LED: Final = 12.0  # pixels from a point to its name from which a line leads there
_STEPS: Final = 16  # places of a line at which it must be free
_COVERING: Final = 4.0  # what a covered point costs, in units of 20 pixels of distance
_CROWDED: Final = 0.7  # a name may cover so many points as its mean share, times this; one at least
_TRIED: Final = 4  # groups that are tried for each name that is wanted
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class MapLabel:
    group: int  # its number
    row: int  # row of its most central headline, near whose point the name stands
    x: float  # place of that headline, in the map's units
    y: float  # likewise
    size: int  # how many headlines the group has
    text: str  # the name; a line break where it has two lines
    right: float = 0.0  # pixels from that point to the middle of the name
    up: float = 0.0  # likewise
    leader: tuple[float, float] | None = None  # likewise to its edge, where a line leads there from the point


def labels_for_map(
    positions: Float32Array,
    groups: IntArray,
    *,
    texts: Mapping[int, str] | None = None,
    most: int = 12,
    smallest: int = 3,
    characters: int = 32,
    lines: int = 1,
    plot: tuple[float, float] = PLOT,
    font: float = FONT,
) -> tuple[MapLabel, ...]:
    """Names for the biggest groups, the biggest first, none over another nor over a crowd of points."""
    if len(groups) == 0:
        return ()
    canvas = _Canvas(positions, plot, font)
    numbers, sizes = np.unique(groups, return_counts=True)
    chosen: list[MapLabel] = []
    biggest = [at for at in np.lexsort((numbers, -sizes)) if numbers[at] >= 0 and sizes[at] >= smallest]
    for which in biggest[: _TRIED * most]:
        if len(chosen) == most:
            break
        group = int(numbers[which])
        row = medoid(positions, np.flatnonzero(groups == group))
        x, y = positions[row].tolist()
        name = " ".join((texts or {}).get(group, f"Group {group}").split()) or "…"
        text = "\n".join(wrap(name, characters, max_lines=lines, placeholder="…"))
        placed = canvas.placed(MapLabel(group, row, x, y, int(sizes[which]), text))
        if placed is not None:
            chosen.append(placed)
    return tuple(chosen)


def bounds(positions: Float32Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """What a picture of the map shows: least and greatest x, and y, with `PAD` around the points."""
    if len(positions) == 0:
        return (0.0, 1.0), (0.0, 1.0)
    sides: list[tuple[float, float]] = []
    for axis, pad in enumerate(PAD):
        low, high = float(positions[:, axis].min()), float(positions[:, axis].max())
        span = high - low or 1.0
        sides.append((low - pad * span, high + pad * span))
    return sides[0], sides[1]


class _Canvas:
    def __init__(self, positions: Float32Array, plot: tuple[float, float], font: float) -> None:
        self._plot, self._font = plot, font
        sides = bounds(positions)
        self._low = np.array([side[0] for side in sides])
        self._scale = np.array(plot) / [side[1] - side[0] for side in sides]
        self._boxes: list[_Box] = []
        places = ((positions.astype(np.float64) - self._low) * self._scale) / _CELL
        cells = [int(side / _CELL) + 1 for side in plot]
        counts = np.zeros(cells)
        np.add.at(counts, tuple(places.astype(np.int64).T), 1.0)
        self._sums: FloatArray = np.pad(counts.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def placed(self, label: MapLabel) -> MapLabel | None:
        px, py = (np.array([label.x, label.y]) - self._low) * self._scale
        rows = label.text.split("\n")
        wide = max(map(len, rows)) * self._font * CHARACTER_WIDTH
        high = len(rows) * self._font * LINE_HEIGHT
        best: tuple[float, _Box, list[_Box]] | None = None
        for far, (across, along) in product(_DISTANCES, product((0, 1, -1), (1, -1, 0))):
            if not across and not along:
                continue
            beside = (wide / 2 + _POINT + 2 + far) * across
            over = (high / 2 + _POINT + 1 + far) * along
            left = min(max(px + beside - wide / 2, 2.0), self._plot[0] - wide - 2.0)
            low = min(max(py + over - high / 2, 2.0), self._plot[1] - high - 2.0)
            box = left, low, left + wide, low + high
            covered = self._covered(box)
            end = min(max(px, box[0]), box[2]), min(max(py, box[1]), box[3])
            steps = _STEPS if np.hypot(end[0] - px, end[1] - py) > _LED else 0
            line = [(x, y, x, y) for x, y in np.linspace((px, py), end, steps).tolist()]
            cost = _COVERING * covered + far / 20 + (0.6 if across and along else 0.3 if across else 0.0)
            if (
                (best is None or cost < best[0])
                and covered <= self._allowed(wide, high)
                and all(map(self._free, (box, *line)))
            ):
                best = cost, box, line
        if best is None:
            return None
        _, box, line = best
        self._boxes += [box, *line]
        leader = (round(line[-1][0] - px, 1), round(line[-1][1] - py, 1)) if line else None
        right, up = (box[0] + box[2]) / 2 - px, (box[1] + box[3]) / 2 - py
        return replace(label, right=round(float(right), 1), up=round(float(up), 1), leader=leader)

    def _covered(self, box: _Box) -> float:
        left, low = (max(int((side - _POINT) / _CELL), 0) for side in box[:2])
        right = min(int((box[2] + _POINT) / _CELL) + 1, len(self._sums) - 1)
        top = min(int((box[3] + _POINT) / _CELL) + 1, self._sums.shape[1] - 1)
        sums = self._sums
        return float(sums[right, top] - sums[left, top] - sums[right, low] + sums[left, low])

    def _allowed(self, wide: float, high: float) -> float:
        share = (wide + 2 * _POINT) * (high + 2 * _POINT) / (self._plot[0] * self._plot[1])
        return max(1.0, _CROWDED * share * float(self._sums[-1, -1]))

    def _free(self, box: _Box) -> bool:
        return not any(
            box[0] < other[2] + _APART
            and other[0] < box[2] + _APART
            and box[1] < other[3] + _APART
            and other[1] < box[3] + _APART
            for other in self._boxes
        )


def medoid(positions: Float32Array, members: IntArray) -> int:
    """The member with the least sum of distances; of more than `EXACT_MEDOID` the nearest to the median."""
    places = positions[members].astype(np.float64)
    if len(members) > EXACT_MEDOID:
        away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    else:
        away = np.linalg.norm(places[:, None, :] - places[None, :, :], axis=2).sum(axis=1)
    return int(members[int(np.argmin(away))])
