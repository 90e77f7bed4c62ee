"""Whether one system is better than another on the same data: one paired test for every table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.statistics.bootstrap import RESAMPLES, FloatArray, interval
from core.statistics.few_units import FEWEST, TIE, few_units, interval_over
from core.statistics.figure import Figure


def paired_bootstrap(
    one: FloatArray, other: FloatArray, value: float | None, *, count: int, units: str
) -> Figure:
    """The difference of two systems, its interval and its p-value, all from the same resamples.

    There is a p-value where there is an interval without a warning, and it is below .05 exactly where the
    interval leaves out 0.

    p is twice the share of resamples on the far side of zero, ties counted, with one added to both counts:
    the bootstrap interval turned round (Davison and Hinkley, 1997, section 4.2; Koehn, 2004). It is never
    below 2 / (resamples + 1); see `enough_resamples`. Under `few_units.ENOUGH` units there is none.

    Args:
        one: The measure of the first in each resample, float64 [resamples]; NaN where undefined.
        other: That of the second in the same resamples.
        value: The difference on the data themselves; None where undefined.
        count: How many units were drawn from.
        units: What they are, in the plural.
    """
    if value is None:
        return Figure(None)
    if count < FEWEST:
        return Figure(value, warning=few_units(count, units))
    gaps = one - other
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
    return Figure(value, "", low, high, warning, p, unit=units, resamples=len(one))


def enough_resamples(comparisons: int) -> int:
    """Resamples with which the surest of some comparisons stays at .02 once Holm has corrected it.

    Args:
        comparisons: How many are shown together.
    """
    return max(RESAMPLES, 100 * comparisons - 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for how many there are, so that any false alarm among them stays rare.

    Source: Holm (1979). What is None counts for nothing and stays None.
    """
    places = [k for k, p in enumerate(p_values) if p is not None]
    given = np.array([p for p in p_values if p is not None], dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate((len(given) - np.arange(len(given))) * given[order])
    corrected: list[float | None] = [None] * len(p_values)
    for place, value in zip(order.tolist(), np.minimum(steps, 1.0).tolist(), strict=True):
        corrected[places[place]] = value
    return corrected
