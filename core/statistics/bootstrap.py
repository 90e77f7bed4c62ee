"""Units drawn with replacement, intervals and paired tests of the draws."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Self

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray

Interval = tuple[float, float] | tuple[None, None]
RESAMPLES: Final = 2000
_PARTS: Final = 40  # one in 40 resamples lies beyond each end of the interval
_DEFINED: Final = 0.95  # share of the resamples that must have a value
_CELLS: Final = 4_000_000  # counts that are held at once
FEWEST: Final = 2  # units below which there is no interval: nothing varies between resamples of one unit
ENOUGH: Final = 10
"""Units below which an interval carries a warning and nothing is tested: over so few, percentile intervals
are far too narrow and their p-values far too small (over 4, no exact test can go below .125)."""
TIE: Final = 1e-12  # values that lie closer together are equal but for the order of adding


def interval(values: FloatArray) -> Interval:
    """The 95 % percentile interval; (None, None) where more than 5 % of the resamples are undefined.

    `values` are a measure in each resample, float64 [resamples], NaN where undefined. The ends are those of
    rank k from below and from above, k = ⌈(b + 1) / 40⌉ - 1 of b values; fewer than 40 have no such interval.

    Source: Efron and Tibshirani (1993), chapter 13; Davison and Hinkley (1997), section 4.2.
    """
    defined = values[~np.isnan(values)]
    rank = -(-(len(defined) + 1) // _PARTS) - 1
    if rank < 1 or len(defined) < _DEFINED * len(values):
        return None, None
    ends = np.partition(defined, (rank - 1, len(defined) - rank))
    return float(ends[rank - 1]), float(ends[len(defined) - rank])


def draws(units: int, *, resamples: int, seed: int, cells: int = 0) -> Iterator[Float32Array]:
    """How often each unit is drawn, float32 [some resamples, units], in blocks that fit in memory.

    The blocks do not change what is drawn, and any two systems over as many units get the same draws. `cells`
    are the numbers that the caller holds for each resample, where that is more than one a unit.
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
    """The unit of each article, int64 [n]: articles of one event are drawn together, others alone."""
    numbers: dict[tuple[str, int], int] = {}
    named = ((name, -1) if name else ("", row) for row, name in enumerate(clusters))
    return np.array([numbers.setdefault(key, len(numbers)) for key in named], dtype=np.int64)


def unit_sums(statistics: FloatArray, units: IntArray) -> FloatArray:
    """Statistics of rows added up by unit, float64 [units, k]."""
    count = int(units.max()) + 1 if len(units) else 0
    if count == len(units) and bool((units == np.arange(count)).all()):
        return statistics
    summed = np.zeros((count, statistics.shape[1]))
    np.add.at(summed, units, statistics)
    return summed


def bootstrap_sums(summed: FloatArray, *, resamples: int = RESAMPLES, seed: int = 0) -> FloatArray:
    """Sums of statistics in each resample of the units, float64 [resamples, k]."""
    if not len(summed):
        return np.zeros((resamples, summed.shape[1]))
    counts = draws(len(summed), resamples=resamples, seed=seed)
    return np.concatenate([drawn.astype(np.float64) @ summed for drawn in counts])


@lru_cache(maxsize=4)
def _all_draws(units: int, resamples: int, seed: int) -> Float32Array:
    drawn = _draw(np.random.default_rng(seed), units, resamples)
    drawn.flags.writeable = False
    return drawn


def _draw(generator: np.random.Generator, units: int, resamples: int) -> Float32Array:
    drawn = generator.integers(0, units, size=(resamples, units))
    places = (drawn + units * np.arange(resamples)[:, None]).ravel()
    return np.bincount(places, minlength=resamples * units).reshape(resamples, units).astype(np.float32)


def few_units(count: int, units: str) -> str:
    """What is wrong with an interval over some units, a sentence; "" where there are enough."""
    if count < FEWEST:
        return f"Too few {units} for an interval ({count}; it takes at least {FEWEST})."
    if count < ENOUGH:
        return f"Too few {units} for a reliable interval ({count}; it takes at least {ENOUGH})."
    return ""


def interval_over(span: Interval, count: int, units: str) -> tuple[Interval, str]:
    """An interval as it may be shown (none without width), and what is wrong with it, or ""."""
    warning = few_units(count, units)
    if count < FEWEST:
        return (None, None), warning
    if warning and span[0] is not None and span[1] is not None and span[1] - span[0] < TIE:
        return (None, None), f"All {count} {units} have the same value: too few for an interval."
    return span, warning


class Crossed(NamedTuple):
    """What an interval over items and judges rests on; counts are those of as many with equal weights."""

    item: float  # variance between items
    judge: float  # between judges
    answer: float  # between single answers, when item and judge are accounted for
    items: float
    judges: float
    answers: float
    freedom: float  # Student's degrees of freedom


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one system on one set of data."""

    value: float | None  # None where undefined
    reason: str = ""  # why it is None; "" otherwise
    low: float | None = None  # lower end of the 95 % interval; None where there is none
    high: float | None = None  # upper end
    warning: str = ""  # why there is no interval or why not to rely on it, a sentence; "" otherwise
    p: float | None = None  # two-sided, of no difference from what the table compares with
    count: int = 0  # how many single results it is over (headlines, pairs, answers); 0 where nobody counted
    unit: str = ""  # what is resampled as a whole, in the plural; "" where there was no resampling
    resamples: int = 0  # how often that was drawn; 0 for not at all
    crossed: Crossed | None = None  # of an interval over items and judges; None for others

    @property
    def interval(self) -> Interval:
        return (None, None) if self.low is None or self.high is None else (self.low, self.high)

    @classmethod
    def resampled(
        cls,
        value: float | None,
        drawn: FloatArray | Callable[[], FloatArray],
        *,
        units: int,
        unit: str,
        count: int = 0,
        reason: str = "",
    ) -> Self:
        """A value with the interval that its resamples give, or with the warning that they are too few.

        `drawn` is the measure in each resample, float64 [resamples], NaN where undefined, or what computes
        it, which is asked only where there are units enough; `unit` is what they are, in the plural.
        """
        if value is None:
            return cls(None, reason, count=count)
        if units < FEWEST:
            return cls(value, warning=few_units(units, unit), count=count)
        values = drawn() if callable(drawn) else drawn
        (low, high), warning = interval_over(interval(values), units, unit)
        return cls(value, "", low, high, warning, None, count, unit, len(values))

    @classmethod
    def ratio(cls, sums: FloatArray, *, unit: str, reason: str = "") -> Self:
        """The first of two sums by the second, from what each unit adds to both, float64 [units, 2]."""
        first, second = sums.sum(axis=0).tolist() if len(sums) else (0.0, 0.0)
        if not second:
            return cls(None, reason)

        def drawn() -> FloatArray:
            resampled = bootstrap_sums(sums)
            return np.asarray(resampled[:, 0] / resampled[:, 1])

        return cls.resampled(first / second, drawn, units=len(sums), unit=unit, count=int(second))

    @classmethod
    def wilson(cls, count: int, total: int) -> Self:
        from scipy.stats import binomtest

        low, high = binomtest(count, total).proportion_ci(method="wilson")
        return cls(count / total, low=float(low), high=float(high), count=count)


def paired_bootstrap(
    left: FloatArray, right: FloatArray, value: float | None, *, count: int, units: str
) -> Figure:
    """The difference of two systems, its interval and its p-value, all from the same resamples.

    `left` and `right` are their measures in each, float64 [resamples], NaN where undefined; `value` is the
    difference on the data themselves. p is twice the share of resamples on the far side of zero, ties
    counted, with one added to both counts: the bootstrap interval turned round (Davison and Hinkley, 1997,
    section 4.2; Koehn, 2004). It is below .05 exactly where the interval leaves out 0, and never below
    2 / (resamples + 1), see `enough_resamples`. There is none where the interval has a warning.
    """
    if value is None:
        return Figure(None)
    if count < FEWEST:
        return Figure(value, warning=few_units(count, units))
    gaps = left - right
    gaps = np.where(np.abs(gaps) < TIE, 0.0, gaps)
    span = interval(gaps)
    if span == (None, None):
        return Figure(value, warning="Too few resamples have a value for an interval.")
    defined = gaps[~np.isnan(gaps)]
    (low, high), warning = interval_over(span, count, units)
    p = None
    if not warning:
        far = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
        p = min(1.0, 2 * (far + 1) / (len(defined) + 1))
    return Figure(value, "", low, high, warning, p, unit=units, resamples=len(left))


def enough_resamples(comparisons: int) -> int:
    """Resamples with which the surest of some comparisons stays at .02 once Holm has corrected it."""
    return max(RESAMPLES, 100 * comparisons - 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for how many there are (Holm 1979); what is None counts for nothing."""
    places = [k for k, p in enumerate(p_values) if p is not None]
    given = np.array([p for p in p_values if p is not None], dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate((len(given) - np.arange(len(given))) * given[order])
    corrected: list[float | None] = [None] * len(p_values)
    for place, value in zip(order.tolist(), np.minimum(steps, 1.0).tolist(), strict=True):
        corrected[places[place]] = value
    return corrected
