"""How strong each system is, from choices between two: Bradley and Terry's model, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.people.preferences.choices import FIRST, SECOND, TIE, Preferences
from core.statistics.bootstrap import RESAMPLES, draws
from core.statistics.figure import Figure

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MOST_SYSTEMS: Final = 100
"""Systems that are ranked together at most; every resample computes all strengths anew."""
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
        items: What was resampled.
    """

    systems: tuple[str, ...]
    strengths: tuple[Figure, ...]
    won: FloatArray
    counts: IntArray
    chances: FloatArray
    items: int


def strengths(choices: Preferences, *, resamples: int = RESAMPLES, seed: int = 0) -> Strengths:
    """Strengths of all systems, as evalica fits them; a tie counts as half a win for both.

    A fit exists among systems each of which can be reached from each other by wins and ties. The largest set
    of such systems is fitted; the others have no strength. In a resample that takes a set apart none has.

    Source: Bradley and Terry (1952); when a fit exists, Ford (1957).

    Args:
        choices: Of at most `MOST_SYSTEMS` systems.
        resamples: Of the items, drawn with replacement; all choices about an item are drawn together.
        seed: Of the draws.

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
    kinds, kind = np.unique(
        np.stack([choices.first, choices.second, choices.chosen]), axis=1, return_inverse=True
    )
    fitted = inside[kinds[0]] & inside[kinds[1]]
    items = np.unique(choices.items[fitted[kind]], return_inverse=True)[1]
    count = int(items.max(initial=-1)) + 1
    usual = _fit(kinds[:, fitted], np.bincount(kind, minlength=len(fitted))[fitted], inside)
    drawn = np.full((resamples, len(inside)), np.nan)
    rows, kind_of = np.flatnonzero(fitted[kind]), kind[fitted[kind]]
    at = 0
    for block in draws(count, resamples=resamples, seed=seed) if len(rows) else ():
        for counts in block:
            weights = np.bincount(kind_of, weights=counts[items], minlength=len(fitted))[fitted]
            drawn[at] = _fit(kinds[:, fitted], weights, inside)
            at += 1
    found = [
        Figure.resampled(
            None if np.isnan(usual[place]) else float(usual[place]),
            drawn[:, place],
            units=count,
            unit="items",
            reason=UNBEATEN,
        )
        for place in range(len(inside))
    ]
    total = points.sum(axis=1) + points.sum(axis=0)
    share = points.sum(axis=1) / np.maximum(total, 1)
    order = sorted(range(len(inside)), key=lambda one: (-np.nan_to_num(usual[one], nan=-np.inf), -share[one]))
    return Strengths(
        systems=tuple(choices.systems[one] for one in order),
        strengths=tuple(found[one] for one in order),
        won=share[order],
        counts=total.round().astype(np.int64)[order],
        chances=1 / (1 + np.exp(usual[order][None, :] - usual[order][:, None])),
        items=count,
    )


def _fit(kinds: IntArray, weights: npt.NDArray[np.number], inside: npt.NDArray[np.bool_]) -> FloatArray:
    import evalica
    import pandas as pd

    values = np.full(len(inside), np.nan)
    drawn = weights > 0
    points = np.zeros((len(inside), len(inside)))
    gained = np.where(kinds[2] == TIE, 0.5, kinds[2] == FIRST)
    np.add.at(points, (kinds[0], kinds[1]), gained * weights)
    np.add.at(points, (kinds[1], kinds[0]), (1 - gained) * weights)
    places = np.flatnonzero(inside)
    if len(places) < 2 or _connected(points).sum() < len(places):
        return values
    winner = {FIRST: evalica.Winner.X, SECOND: evalica.Winner.Y, TIE: evalica.Winner.Draw}
    found = evalica.bradley_terry(
        kinds[0][drawn].tolist(),
        kinds[1][drawn].tolist(),
        [winner[one] for one in kinds[2][drawn].tolist()],
        weights=weights[drawn].astype(np.float64).tolist(),
        index=pd.Index(places.tolist()),
        tolerance=_TOLERANCE,
        limit=_ITERATIONS,
    )
    logs = np.log(found.scores.reindex(places.tolist()).to_numpy(dtype=np.float64))
    values[places] = logs - logs.mean()
    return values


def _connected(points: FloatArray) -> npt.NDArray[np.bool_]:
    from scipy.sparse.csgraph import connected_components

    _, parts = connected_components(points > 0, directed=True, connection="strong")
    sizes = np.bincount(parts)
    return np.asarray((parts == sizes.argmax()) & (sizes.max() > 1), dtype=bool)
