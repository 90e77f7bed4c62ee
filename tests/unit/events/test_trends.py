"""The course of an event: counts over the timeline, and what is growing at its end."""

from __future__ import annotations

import pytest

from core.data.timelines.load import load
from core.data.timelines.timeline import Timeline
from core.events.trends import PARTS, Course, courses
from core.groups.card import GroupSummary


def timeline(days: list[int | None]) -> Timeline:
    """A headline for each day of January 2024, None for one without a date."""
    lines = [f"{'' if day is None else f'2024-01-{day:02}'};Headline {n}" for n, day in enumerate(days)]
    return load("\n".join(["published;headline", *lines]).encode(), "days.csv")


def event(*rows: int) -> GroupSummary:
    return GroupSummary(
        group=rows[0],
        rows=rows,
        reports=tuple((row,) for row in rows),
        representative=rows[0],
        first=None,
        last=None,
        spread_days=None,
        publishers=(),
    )


@pytest.mark.parametrize(
    ("days", "grows", "growth"),
    [
        ([30, 31, 31], False, 3),
        ([2, 30, 31], True, 2),
        ([2, 31], False, 1),  # one recent report is no growth
        ([27, 27, 31, 31], False, 0),
        ([2, 3, 4], False, 0),
    ],
)
def test_what_grows(days: list[int | None], grows: bool, growth: int) -> None:
    whole = [*days, 1, 31]
    found = courses(timeline(whole), [event(*range(len(days))), event(len(days), len(days) + 1)])[0]
    assert (found.grows, found.growth) == (grows, growth)
    assert len(found.counts) == PARTS
    assert sum(found.counts) == len(days)


def test_reports_without_a_date_are_not_counted_and_one_day_has_no_course() -> None:
    assert sum(courses(timeline([1, None, 31]), [event(0, 1, 2)])[0].counts) == 2
    assert courses(timeline([5, 5]), [event(0, 1)]) == [Course()]
    assert courses(timeline([5, 6]), []) == []
