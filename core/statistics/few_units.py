"""When what is resampled is too little for an interval."""

from __future__ import annotations

from typing import Final

from core.statistics.bootstrap import Interval

FEWEST: Final = 2
"""Units below which there is no interval: nothing varies between resamples of one unit."""
ENOUGH: Final = 10
"""Units below which an interval carries a warning and nothing is tested: over so few, percentile intervals
are far too narrow and their p-values far too small (over 4, no exact test can go below .125)."""
TIE: Final = 1e-12
"""Values that lie closer together are equal but for the order of adding."""


def few_units(count: int, units: str) -> str:
    """What is wrong with an interval over some units, a sentence; "" where there are enough.

    Args:
        count: How many units are resampled.
        units: What they are, in the plural.
    """
    if count < FEWEST:
        return f"Too few {units} for an interval ({count}; it takes at least {FEWEST})."
    if count < ENOUGH:
        return f"Too few {units} for a reliable interval ({count}; it takes at least {ENOUGH})."
    return ""


def interval_over(span: Interval, count: int, units: str) -> tuple[Interval, str]:
    """An interval as it may be shown, and what is wrong with it, a sentence; "" where nothing is.

    Few units that are all alike give an interval without width, which would claim to be sure: there is none.

    Args:
        span: As the resamples give it.
        count: How many units are resampled.
        units: What they are, in the plural.
    """
    warning = few_units(count, units)
    if count < FEWEST:
        return (None, None), warning
    if warning and span[0] is not None and span[1] is not None and span[1] - span[0] < TIE:
        return (None, None), f"All {count} {units} have the same value: too few for an interval."
    return span, warning
