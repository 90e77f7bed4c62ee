"""Days, weeks and months of a timeline."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from core.arrays import BoolArray
from core.data.timelines.timeline import Field, Timeline

if TYPE_CHECKING:
    import pandas as pd

DAYS_ALONE = 14  # a timeline of at most so many days is cut into days, a longer one into weeks or months
DAYS_IN_WEEKS = 800


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """Days from the first to the last, both included, in UTC."""

    first: date
    last: date

    def __str__(self) -> str:
        return f"{self.first}/{self.last}"

    @property
    def words(self) -> str:
        """For people: `3 Jun 2021`, `7 – 13 Jun 2021`, `31 May – 6 Jun 2021`."""
        first, last = self.first, self.last
        end = written_day(last)
        if first == last:
            return end
        if first.year != last.year:
            return f"{written_day(first)} – {end}"
        return f"{first.day} {first:%b} – {end}" if first.month != last.month else f"{first.day} – {end}"


def written_day(day: date) -> str:
    """A day, or the day of a time, for people: `3 Jun 2021`."""
    return f"{day.day} {day:%b %Y}"  # %-d is not known everywhere


def written_days(timeline: Timeline) -> list[str]:
    """The day of each headline for people; "" where it is not known. Rows in the timeline's order."""
    import pandas as pd

    return ["" if pd.isna(when) else written_day(when) for when in timeline.table[Field.PUBLISHED]]


def rows_within(timeline: Timeline, period: Period | None) -> BoolArray:
    """Whether each headline was published in the period, bool [n]; all were where it is None."""
    if period is None:
        return np.ones(len(timeline), dtype=np.bool_)
    import pandas as pd

    days = _days(timeline)
    inside = (days >= pd.Timestamp(period.first)) & (days <= pd.Timestamp(period.last))
    return np.asarray(inside, dtype=np.bool_)  # no date lies in no period


def whole(timeline: Timeline) -> Period | None:
    """From the first to the last day of its headlines; None where no date is known."""
    days = _days(timeline).dropna()
    return Period(days.min().date(), days.max().date()) if len(days) else None


def periods(timeline: Timeline) -> dict[Period, int]:
    """Days, weeks from Monday to Sunday, or months that hold a headline, with how many; the latest first."""
    span = whole(timeline)
    if span is None:
        return {}
    length = (span.last - span.first).days + 1
    unit = "D" if length <= DAYS_ALONE else "W" if length <= DAYS_IN_WEEKS else "M"
    counts = _days(timeline).dropna().dt.to_period(unit).value_counts().sort_index(ascending=False)
    return {Period(unit.start_time.date(), unit.end_time.date()): int(n) for unit, n in counts.items()}


def _days(timeline: Timeline) -> "pd.Series[Any]":
    days: pd.Series[Any] = timeline.table[Field.PUBLISHED].dt.tz_localize(None).dt.normalize()
    return days
