"""The bootstrap: drawing units with replacement, and the 95 % interval of what the draws give.

Everything that is measured here is a function of sums over units (articles, events, gold groups), so a
resample is a row of counts, how often each unit is drawn, and one product with it gives all sums. The same
number of units, resamples and seed draw the same units, so that any two systems are compared on the same
draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
Interval = tuple[float, float] | tuple[None, None]

RESAMPLES: Final = 2000
_PARTS: Final = 40
"""One in 40 resamples lies beyond each end of the interval."""
_DEFINED: Final = 0.95  # share of the resamples that must have a value
_CELLS: Final = 4_000_000  # counts that are held at once


def interval(values: FloatArray) -> Interval:
    """The 95 % percentile interval; (None, None) where more than 5 % of the resamples are undefined.

    Its ends are the values of rank k from below and from above, k = ⌈(b + 1) / 40⌉ - 1 of b values. So the
    interval of a difference leaves out 0 exactly where the two-sided p-value of `paired.paired_bootstrap`,
    counted in the same resamples, is below .05: the one is the other turned round. Fewer than 40 values
    have no such interval.

    Source: Efron and Tibshirani (1993), chapter 13; Davison and Hinkley (1997), section 4.2.

    Args:
        values: A measure in each resample, float64 [resamples]; NaN where undefined.
    """
    defined = values[~np.isnan(values)]
    rank = -(-(len(defined) + 1) // _PARTS) - 1
    if rank < 1 or len(defined) < _DEFINED * len(values):
        return None, None
    ends = np.partition(defined, (rank - 1, len(defined) - rank))
    return float(ends[rank - 1]), float(ends[len(defined) - rank])


def draws(units: int, *, resamples: int, seed: int, cells: int = 0) -> Iterator[Float32Array]:
    """How often each unit is drawn, float32 [some resamples, units], in blocks that fit in memory.

    The blocks do not change what is drawn: one generator goes through all resamples in order.

    Args:
        units: How many there are, 1 or more.
        resamples: How often as many units as there are, are drawn with replacement.
        seed: Of the draws.
        cells: Numbers that the caller holds for each resample, where that is more than one a unit.
    """
    width = max(units, cells)
    if width * resamples <= _CELLS:
        yield _all_draws(units, resamples, seed)
        return
    generator = np.random.default_rng(seed)
    at_once = max(1, _CELLS // width)
    for start in range(0, resamples, at_once):
        yield _draw(generator, units, min(at_once, resamples - start))


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
    """Statistics of rows added up by unit, float64 [units, k].

    Args:
        statistics: float64 [n, k].
        units: Unit of each row, int64 [n], all of 0, 1, … in use.
    """
    count = int(units.max()) + 1 if len(units) else 0
    if count == len(units) and bool((units == np.arange(count)).all()):
        return statistics
    summed = np.zeros((count, statistics.shape[1]))
    np.add.at(summed, units, statistics)
    return summed


def bootstrap_sums(summed: FloatArray, *, resamples: int = RESAMPLES, seed: int = 0) -> FloatArray:
    """Sums of statistics in each resample of the units, float64 [resamples, k].

    Args:
        summed: Statistics by unit, float64 [units, k]; without units all sums are 0.
        resamples: How often as many units as there are, are drawn with replacement.
        seed: Of the draws.
    """
    if not len(summed):
        return np.zeros((resamples, summed.shape[1]))
    counts = draws(len(summed), resamples=resamples, seed=seed)
    return np.concatenate([one.astype(np.float64) @ summed for one in counts])


@lru_cache(maxsize=4)
def _all_draws(units: int, resamples: int, seed: int) -> Float32Array:
    drawn = _draw(np.random.default_rng(seed), units, resamples)
    drawn.flags.writeable = False
    return drawn


def _draw(generator: np.random.Generator, units: int, resamples: int) -> Float32Array:
    drawn = generator.integers(0, units, size=(resamples, units))
    places = (drawn + units * np.arange(resamples)[:, None]).ravel()
    return np.bincount(places, minlength=resamples * units).reshape(resamples, units).astype(np.float32)
