"""How strong each system is, from choices between two: Bradley and Terry's model, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.people.preferences.choices import FIRST, TIE, Preferences
from core.statistics.crossed import crossed_estimates
from core.statistics.figure import Figure

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MOST_SYSTEMS: Final = 100
"""Systems that are ranked together at most."""
_TOLERANCE: Final = 1e-9
_ITERATIONS: Final = 10_000
UNBEATEN: Final = "it won or lost every choice, so no strength fits it best"


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The systems, the strongest first.

    Attributes:
        systems: Names.
        strengths: Logarithm of the strength, 0 in the mean of the systems that have one: of two systems
            with a difference of d, the first wins with a chance of 1 / (1 + exp(-d)). Each with its interval.
        won: Share of its choices that each won, ties as half, 0-1.
        counts: Choices of each, int64 [k].
        chances: That the row's system wins against the column's, float64 [k, k]; NaN where unknown.
        items: How many of them the strengths rest on.
    """

    systems: tuple[str, ...]
    strengths: tuple[Figure, ...]
    won: FloatArray
    counts: IntArray
    chances: FloatArray
    items: int


def strengths(choices: Preferences) -> Strengths:
    """Strengths of all systems, as evalica fits them; a tie counts as half a win for both.

    A fit exists among systems each of which can be reached from each other by wins and ties. The largest set
    of such systems is fitted; the others have no strength. Intervals: `crossed_estimates`.

    Source: Bradley and Terry (1952); when a fit exists, Ford (1957).

    Args:
        choices: Of at most `MOST_SYSTEMS` systems.

    Raises:
        InputError: There are more systems.
    """
    if len(choices.systems) > MOST_SYSTEMS:
        raise InputError(
            f"There are {len(choices.systems):,} systems; at most {MOST_SYSTEMS} are ranked together.",
            hint="Rank those with most choices (--most).",
        )
    points = choices.points()
    inside = _connected(points)
    logs = np.full(len(inside), np.nan)
    found = [Figure(None, UNBEATEN)] * len(inside)
    if inside.any():
        rows = inside[choices.first] & inside[choices.second]
        places = np.cumsum(inside) - 1
        first, second = places[choices.first[rows]], places[choices.second[rows]]
        gained = np.where(choices.chosen == TIE, 0.5, choices.chosen == FIRST)[rows]
        logs[inside] = values = _fit(first, second, gained)
        figures = crossed_estimates(
            values,
            _influence(values, first, second, gained),
            choices.items[rows],
            choices.judges[rows],
            unit="items",
        )
        for place, figure in zip(np.flatnonzero(inside).tolist(), figures, strict=True):
            found[place] = figure
    total = points.sum(axis=1) + points.sum(axis=0)
    share = points.sum(axis=1) / np.maximum(total, 1)
    order = sorted(range(len(inside)), key=lambda one: (-np.nan_to_num(logs[one], nan=-np.inf), -share[one]))
    return Strengths(
        systems=tuple(choices.systems[one] for one in order),
        strengths=tuple(found[one] for one in order),
        won=share[order],
        counts=total.round().astype(np.int64)[order],
        chances=1 / (1 + np.exp(logs[order][None, :] - logs[order][:, None])),
        items=len(np.unique(choices.items[inside[choices.first] & inside[choices.second]])),
    )


def _fit(first: IntArray, second: IntArray, gained: FloatArray) -> FloatArray:
    import evalica
    import pandas as pd

    kinds, counts = np.unique(np.stack([first, second, 2 * gained]), axis=1, return_counts=True)
    winners = (evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X)
    names = list(range(int(max(first.max(), second.max())) + 1))
    scores = evalica.bradley_terry(
        kinds[0].astype(np.int64).tolist(),
        kinds[1].astype(np.int64).tolist(),
        [winners[int(kind)] for kind in kinds[2].tolist()],
        weights=counts.astype(np.float64).tolist(),
        index=pd.Index(names),
        tolerance=_TOLERANCE,
        limit=_ITERATIONS,
    ).scores
    logs = np.log(scores.reindex(names).to_numpy(dtype=np.float64))
    return np.asarray(logs - logs.mean())


def _influence(logs: FloatArray, first: IntArray, second: IntArray, gained: FloatArray) -> FloatArray:
    chance = 1 / (1 + np.exp(logs[second] - logs[first]))
    information = np.zeros((len(logs), len(logs)))
    weight = chance * (1 - chance)
    for one, other, sign in (
        (first, first, 1),
        (second, second, 1),
        (first, second, -1),
        (second, first, -1),
    ):
        np.add.at(information, (one, other), sign * weight)
    inverse = np.linalg.pinv(information, hermitian=True)
    return np.asarray((inverse[first] - inverse[second]) * (gained - chance)[:, None])


def _connected(points: FloatArray) -> npt.NDArray[np.bool_]:
    from scipy.sparse.csgraph import connected_components

    _, parts = connected_components(points > 0, directed=True, connection="strong")
    sizes = np.bincount(parts)
    return np.asarray((parts == sizes.argmax()) & (sizes.max() > 1), dtype=bool)
