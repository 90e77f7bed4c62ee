"""Weighted accuracy of choices between two headlines, as Dialogue 2021 scores them.

A choice is worth 1 where it is what people said, 0.5 where one of the two says "draw", and 0 where left
is taken for right. Pairs that people called "bad" (two events) count for nothing.

Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task", section 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.data.selection_sets.verdicts import SelectionSet, Verdict
from core.errors import InputError
from core.parts import Part
from core.statistics.bootstrap import RESAMPLES, bootstrap_sums

FloatArray = npt.NDArray[np.float64]

_SIDES = {Verdict.LEFT: 1.0, Verdict.DRAW: 0.0, Verdict.RIGHT: -1.0}


def worth(said: Sequence[Verdict], chosen: Sequence[Verdict]) -> FloatArray:
    """What each choice is worth, float64 [m]: 0, 0.5 or 1; NaN where people said "bad".

    Raises:
        InputError: The lengths differ, or a choice is "bad", which no system has to give.
    """
    if len(said) != len(chosen):
        raise InputError(
            f"There are {len(said):,} verdicts and {len(chosen):,} choices.", hint="Give one choice a pair."
        )
    if Verdict.BAD in chosen:
        raise InputError("A system cannot choose `bad`.", hint="Choose left, right or draw.")
    people = np.array([_SIDES.get(one, np.nan) for one in said], dtype=np.float64)
    system = np.array([_SIDES[one] for one in chosen], dtype=np.float64)
    return np.asarray(1 - np.abs(people - system) / 2, dtype=np.float64)


def weighted_accuracy(said: Sequence[Verdict], chosen: Sequence[Verdict]) -> float | None:
    """Mean worth of the choices, 0 to 1; None where no pair has another verdict than "bad".

    Raises:
        InputError: See `worth`.
    """
    values = worth(said, chosen)
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if len(counted) else None


def resampled_accuracy(
    values: FloatArray,
    groups: npt.NDArray[np.int64],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> FloatArray:
    """Weighted accuracy in each resample of the groups, float64 [resamples]; NaN where undefined.

    Pairs of one event share headlines, so events are drawn and not pairs. The same seed and groups draw
    the same resamples: two systems can be compared draw by draw.
    """
    counted = ~np.isnan(values)
    _, places = np.unique(groups[counted], return_inverse=True)
    sums = np.bincount(places, weights=values[counted])
    counts = np.bincount(places)
    if not len(counts):
        return np.full(resamples, np.nan)
    drawn = bootstrap_sums(np.column_stack([sums, counts]), resamples=resamples, seed=seed)
    return drawn[:, 0] / drawn[:, 1]


def chosen(gaps: FloatArray, margin: float) -> list[Verdict]:
    """What is chosen for each difference of scores, left minus right; a draw up to the margin."""
    return [
        Verdict.DRAW if abs(gap) <= margin else Verdict.LEFT if gap > 0 else Verdict.RIGHT
        for gap in gaps.tolist()
    ]


def best_margin(given: SelectionSet, scores: FloatArray) -> float:
    """The difference of scores up to which a draw is best called, by weighted accuracy on validation pairs.

    Among 0 and the smallest third of the differences there; the smallest of equals. 0 without validation
    pairs.
    """
    rows = given.pairs(parts=[Part.VALIDATION])
    said = [given.verdicts[row] for row in rows]
    gaps = scores[given.left[rows]] - scores[given.right[rows]]
    if not len(gaps):
        return 0.0
    margins = np.unique(np.append(np.quantile(np.abs(gaps), np.linspace(0, 1 / 3, 34)), 0.0)).tolist()
    return float(max(margins, key=lambda m: (weighted_accuracy(said, chosen(gaps, m)) or 0.0, -m)))
