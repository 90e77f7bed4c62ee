"""When the reports of an event came, in words: "first", "2 h 10 min later", "6 Sep, 14:20"; and edits."""

import math
from collections.abc import Sequence
from datetime import UTC, tzinfo
from itertools import chain
from typing import Final, NamedTuple

from core.data.timelines.periods import written_day
from core.data.timelines.timeline import Field, Timeline
from core.results.render import date_words

NOT_KNOWN: Final = "which came first is not known"
_MINUTES: Final = 24 * 60


class EditTimes(NamedTuple):
    edited: dict[int, str]  # headlines that came in another one's place, and when: "12:00"
    replaced: dict[int, str]  # those in whose place they came
    unordered: Sequence[tuple[int, int]]  # wordings of an article of which no time says which came first


class Clock:
    def __init__(self, timeline: Timeline, rows: Sequence[int], zone: tzinfo = UTC) -> None:
        self._zone = zone
        self.order = {row: place for place, row in enumerate(rows)}
        self._days, self._when = timeline.days, timeline.table[Field.PUBLISHED]
        self._day_only = any(bool(flag) for flag in timeline.table["day_only"].iloc[list(rows)])
        known = [row for row in rows if not math.isnan(self._days[row])]
        self._first = min(known, key=lambda row: self._days[row], default=-1)

    def at(self, row: int) -> str:
        """The moment of a report with a date: "14:20", or "6 Sep, 14:20" on another day than the first."""
        if self._day_only:
            return written_day(self._when[row])
        moment, first = (self._when[each].astimezone(self._zone) for each in (row, self._first))
        day = written_day(moment)
        return f"{moment:%H:%M}" if day == written_day(first) else f"{day}, {moment:%H:%M}"

    def after(self, rows: Sequence[int]) -> str:
        """When an outlet reported: "first", "2 h 10 min later", "3 days later"; "" without a date."""
        known = [self._days[row] for row in rows if not math.isnan(self._days[row])]
        if not known or self._first < 0:
            return ""
        minutes = round((min(known) - self._days[self._first]) * _MINUTES)
        days = round(minutes / _MINUTES)
        if minutes >= _MINUTES:
            return f"{days} day{'' if days == 1 else 's'} later"
        if self._day_only or not minutes:
            return "first day" if self._day_only else "first"
        parts = ((minutes // 60, "h"), (minutes % 60, "min"))
        return f"{' '.join(f'{count} {unit}' for count, unit in parts if count)} later"


def moment_of(timeline: Timeline, row: int, zone: tzinfo = UTC) -> str:
    """When a headline came: "6 Sep 2026, 14:20 UTC", or its day alone; "" without a date."""
    if math.isnan(timeline.days[row]):
        return ""
    day_only = bool(timeline.table["day_only"][row])
    return date_words(timeline.table[Field.PUBLISHED][row], day_only=day_only, zone=zone)


def edit_times(timeline: Timeline, rows: Sequence[int], zone: tzinfo = UTC) -> EditTimes:
    """The edits of the articles of some headlines, by time."""
    changes, unordered = timeline.editions.versions_among(rows)
    clock = Clock(timeline, [*rows, *chain(*changes)], zone)
    edited = {after: clock.at(after) for _, after in changes}
    return EditTimes(edited, {before: edited[after] for before, after in changes}, unordered)
