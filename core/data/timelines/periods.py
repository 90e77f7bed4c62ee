"""Stretches of days of a timeline: its days, weeks or months, and the rows that lie in one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from core.data.timelines.dates import FIRST_NEWS
from core.data.timelines.timeline import Field, Timeline

if TYPE_CHECKING:
    import pandas as pd


_EPOCH: Final = date(1970, 1, 1)
DAYS_ALONE = 14
"""A timeline of at most so many days is cut into days, a longer one into weeks or months."""
DAYS_IN_WEEKS = 800


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """Days from the first to the last, both included, in UTC."""

    first: date
    last: date

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


def rows_within(timeline: Timeline, period: Period | None) -> npt.NDArray[np.bool_]:
    """Whether each headline was published in the period, bool [n]; all were where it is None."""
    if period is None:
        return np.ones(len(timeline), dtype=np.bool_)
    import pandas as pd

    days = _days(timeline)
    inside = (days >= pd.Timestamp(period.first)) & (days <= pd.Timestamp(period.last))
    return np.asarray(inside, dtype=np.bool_)  # no date lies in no period


def datable(days: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether news can be of each day: since newspapers began, until tomorrow.

    Args:
        days: Days since 1970 UTC, [n]; NaN for unknown.

    Returns:
        bool [n]; where news can be of none of them, True for all that are known.
    """
    first, last = (date(FIRST_NEWS, 1, 1), datetime.now(UTC).date() + timedelta(days=2))
    can = (days >= (first - _EPOCH).days) & (days < (last - _EPOCH).days)
    return np.asarray(can if can.any() else ~np.isnan(days), dtype=np.bool_)


def whole(timeline: Timeline) -> Period | None:
    """From the first to the last headline; None where no date is known.

    One in year 1 or 9999 would stretch whatever shows it: see `datable`.
    """
    days = timeline.days[datable(timeline.days)]
    if not len(days):
        return None
    return Period(*(_EPOCH + timedelta(math.floor(end)) for end in (days.min(), days.max())))


def periods(timeline: Timeline) -> dict[Period, int]:
    """Days, weeks from Monday to Sunday, or months that hold a headline, with how many; the latest first."""
    span = whole(timeline)
    if span is None:
        return {}
    length = (span.last - span.first).days + 1
    unit = "D" if length <= DAYS_ALONE else "W" if length <= DAYS_IN_WEEKS else "M"
    counts = _days(timeline).dropna().dt.to_period(unit).value_counts().sort_index(ascending=False)
    return {Period(unit.start_time.date(), unit.end_time.date()): int(n) for unit, n in counts.items()}


def _days(timeline: Timeline) -> pd.Series[Any]:
    days: pd.Series[Any] = timeline.table[Field.PUBLISHED].dt.tz_localize(None).dt.normalize()
    return days


MOST_LABELS: Final = 12
"""A column with more different values than that describes; it does not label."""
LONGEST_LABEL: Final = 40


def telling_columns(timeline: Timeline, rows: Sequence[int]) -> tuple[str, ...]:
    """Columns without a meaning of their own that tell some headlines apart."""
    used = {name for names in timeline.report.columns.values() for name in names}
    found = []
    for name in map(str, timeline.original.columns):
        if name in used:
            continue
        column = timeline.original[name]
        values = {str(value).strip() for value in column.dropna().unique()} - {""}
        if not 2 <= len(values) <= min(MOST_LABELS, len(column) - 1):  # all different: numbers of the rows
            continue
        if max(map(len, values)) > LONGEST_LABEL:
            continue
        if column.iloc[list(rows)].nunique(dropna=False) > 1:
            found.append(name)
    return tuple(found)
