"""Intervals and paired tests of written headlines, from a few numbers of each headline.

A metric keeps a few numbers of each headline, and its value on any sample is a function of their sums. So
every resample is one row of a matrix of counts, and all metrics of all systems go through one product with
it: two systems are always compared on the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Values = Callable[[FloatArray], FloatArray]

RESAMPLES: Final = 2000
_CELLS: Final = 4_000_000  # counts that are held at once, 32 MB
_TIE: Final = 1e-12  # differences of sums that are equal but for the order of adding


def units_of(clusters: Sequence[str]) -> IntArray:
    """The unit of each article, int64 [n]: articles of one event are drawn together, others alone.

    Args:
        clusters: The event of each article, "" for one that stands alone.
    """
    numbers: dict[tuple[str, int], int] = {}
    return np.array(
        [
            numbers.setdefault((name, -1) if name else ("", row), len(numbers))
            for row, name in enumerate(clusters)
        ],
        dtype=np.int64,
    )


def unit_sums(statistics: FloatArray, units: IntArray) -> FloatArray:
    """Statistics of headlines added up by unit, float64 [units, k].

    Args:
        statistics: float64 [n, k].
        units: Unit of each headline, int64 [n], all of 0, 1, … in use.
    """
    count = int(units.max()) + 1 if len(units) else 0
    if count == len(units) and bool((units == np.arange(count)).all()):
        return statistics
    summed = np.zeros((count, statistics.shape[1]))
    np.add.at(summed, units, statistics)
    return summed


def bootstrap_sums(summed: FloatArray, *, resamples: int = RESAMPLES, seed: int = 0) -> FloatArray:
    """Sums of statistics in each resample of the units, float64 [resamples, k].

    The same number of units, resamples and seed draw the same units.

    Args:
        summed: Statistics by unit, float64 [units, k]; without units all sums are 0.
        resamples: How often as many units as there are, are drawn with replacement.
        seed: Of the draws.
    """
    units = len(summed)
    if not units:
        return np.zeros((resamples, summed.shape[1]))
    generator = np.random.default_rng(seed)
    found = []
    for rows in _blocks(units, resamples):
        drawn = generator.integers(0, units, size=(rows, units))
        places = (drawn + units * np.arange(rows)[:, None]).ravel()
        counts = np.bincount(places, minlength=rows * units).reshape(rows, units)
        found.append(counts.astype(np.float64) @ summed)
    return np.concatenate(found)


def randomisation_p(
    values: Values, one: FloatArray, other: FloatArray, *, resamples: int = RESAMPLES, seed: int = 0
) -> FloatArray:
    """Two-sided p-values of no difference by approximate randomisation, float64 [columns].

    In each trial the two systems swap their headlines of about half of the units; p is the share of trials
    whose difference is at least as large as the one found, with one added to both counts.

    Source: Noreen (1989); Riezler and Maxwell (2005), section 2.2.

    Args:
        values: From sums float64 [..., k] to values [..., columns]; NaN where undefined.
        one: Statistics of the one system by unit, float64 [units, k].
        other: Those of the other.
        resamples: How many trials.
        seed: Of the swaps.

    Returns:
        NaN where the difference is undefined.
    """
    total, total_other, apart = one.sum(axis=0), other.sum(axis=0), other - one
    found = np.abs(values(total) - values(total_other))
    generator = np.random.default_rng(seed)
    far = np.zeros(found.shape)
    for rows in _blocks(max(1, len(one)), resamples):
        swapped = generator.integers(0, 2, size=(rows, len(one))).astype(np.float64) @ apart
        trial = np.abs(values(total + swapped) - values(total_other - swapped))
        far += (trial >= found - _TIE).sum(axis=0)
    return np.where(np.isnan(found), np.nan, (far + 1) / (resamples + 1))


def _blocks(units: int, resamples: int) -> Iterator[int]:
    """How many resamples go at once; the same numbers are drawn whatever the size of a block."""
    at_once = max(1, _CELLS // units)
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)
