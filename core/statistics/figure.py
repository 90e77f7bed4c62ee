"""One measured value with its interval, or with the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from core.statistics.bootstrap import FloatArray, Interval, interval
from core.statistics.few_units import FEWEST, few_units, interval_over


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one system on one set of data.

    Attributes:
        value: None where undefined.
        reason: Why it is None; "" otherwise.
        low: Lower end of the 95 % interval; None where there is none.
        high: Upper end.
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
        p: Two-sided p-value of no difference from what the table compares with; None where nothing is tested.
        count: How many single results it is over (headlines, pairs, answers); 0 where nobody counted.
        unit: What is resampled as a whole, in the plural; "" where there was no resampling.
        resamples: How often that was drawn; 0 for not at all.
    """

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    warning: str = ""
    p: float | None = None
    count: int = 0
    unit: str = ""
    resamples: int = 0

    @property
    def interval(self) -> Interval:
        """Both ends of the 95 % interval; (None, None) where there is none."""
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

        Args:
            value: On the data themselves; None where undefined.
            drawn: The measure in each resample, float64 [resamples], NaN where undefined; or what computes
                them, which is asked only where there are units enough.
            units: How many units are resampled.
            unit: What they are, in the plural.
            count: See `Figure`.
            reason: Why the value is None.
        """
        if value is None:
            return cls(None, reason, count=count)
        if units < FEWEST:
            return cls(value, warning=few_units(units, unit), count=count)
        values = drawn() if callable(drawn) else drawn
        (low, high), warning = interval_over(interval(values), units, unit)
        return cls(value, "", low, high, warning, None, count, unit, len(values))
