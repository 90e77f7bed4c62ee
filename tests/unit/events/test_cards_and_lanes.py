"""Groups as people see them: cards, why two headlines are together, and lanes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from core.data.timelines.load import load, load_sample
from core.data.timelines.timeline import Period, Timeline, whole
from core.errors import InputError, UnknownNameError
from core.events.cards import disputes, group_card, group_summaries, suggestions, vague, why_together
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.events.lanes import MARKS_ACROSS, PARTS, Course, courses, lanes
from core.groups.card import GroupSummary
from core.runtime import Runtime


def test_a_card_is_its_line_of_the_list_and_more(iss: Prepared, groups: Grouping) -> None:
    for line in group_summaries(iss, groups):
        found = group_card(iss, groups, line.group)
        assert found.summary == line
        assert len(found.differences) == line.size - 1
        assert line.group not in {near.group for near in (*found.groups, *found.headlines)}
        for near in found.groups:
            assert near.gap == pytest.approx(1 - groups.granularity - near.similarity)
    with pytest.raises(UnknownNameError):
        group_card(iss, groups, 10_000)


def test_lists_and_suggestions_give_one_verdict_on_vagueness(iss: Prepared) -> None:
    judged = vague(iss)
    each = [[row] for row in range(len(iss.timeline))]
    found = suggestions(iss, each, selector="guidelines|base:longest")
    assert ["it is vague" in one.reason for one in found] == [one.is_vague for one in judged]
    assert any(one.is_vague for one in judged)
    assert vague(iss) is judged


def test_events_are_told_apart_by_how_far_their_reports_differ(iss: Prepared, groups: Grouping) -> None:
    several = [line for line in group_summaries(iss, groups) if line.size > 1]
    found = disputes(iss, groups, several, Runtime())
    assert set(found) == {line.group for line in several}
    assert all(0 <= one.apart <= 1 for one in found.values())
    assert len({one.apart for one in found.values()}) > len(several) / 2
    # Numbers that disagree come before words that differ.
    texts = b"Fire in Leeds kills 3\nFire in Leeds kills 4\nRain in Rome floods streets\nRome under water"
    read = prepare(load(texts, "news.txt"), Settings(), Runtime())
    at = replace(regroup(read, 0.5), ids=np.array([1, 1, 2, 2]))
    one, two = disputes(read, at, group_summaries(read, at), Runtime()).values()
    assert (one.contradictions, two.contradictions) == (1, 0)
    assert one.apart < two.apart
    assert one > two


def test_why_together_says_where_the_tree_joins_two(iss: Prepared, groups: Grouping) -> None:
    left, right = group_summaries(iss, groups)[0].rows[:2]
    found = why_together(iss, groups, left, right)
    assert found.link.together
    assert found.link.joins_at is not None
    assert found.link.joins_at <= groups.granularity
    before, after = (regroup(iss, found.link.joins_at + step).ids for step in (-1e-3, 1e-3))
    assert before[left] != before[right]
    assert after[left] == after[right]
    assert found.link.similarity == pytest.approx(iss.similarities.of(left, right))
    assert {"meaning", "shared words"} <= {part.name for part in found.parts}
    with pytest.raises(InputError):
        why_together(iss, groups, 0, 47)


def test_methods_without_a_tree_of_merges_name_no_height() -> None:
    prepared = prepare(load_sample("iss"), Settings(method="hdbscan"), Runtime())
    assert why_together(prepared, regroup(prepared), 0, 1).link.joins_at is None


def test_reports_close_in_time_share_a_mark_and_undated_ones_another() -> None:
    timeline = load(
        b"headline,published,publisher\n"
        b"One,2024-01-01T10:05:00Z,Alpha\nTwo,2024-01-01T10:20:00Z,Beta\nThree,2024-01-01T15:00:00Z,\n"
        b"Four,,Alpha\nFar,2024-01-02T10:00:00Z,Alpha\n",
        "a.csv",
    )
    (lane,) = lanes(timeline, [1, 1, 1, 1, 2], [(1, "It")])
    assert lane.size == 4
    found = [(m.headlines, m.publishers, m.headline) for m in lane.marks]
    assert found == [(2, 2, "One"), (1, 1, "Three"), (1, 1, "Four")]
    assert lane.marks[0].when == "1 Jan 2024 10:05 – 1 Jan 2024 10:20"
    assert [mark.time and f"{mark.time:%H:%M:%S}" for mark in lane.marks] == ["10:12:30", "15:00:00", None]
    shown = np.array([False, False, True, False, True])
    (lane,) = lanes(timeline, [1, 1, 1, 1, 2], [(1, "It")], within=shown)
    assert [mark.headline for mark in lane.marks] == ["Three"]


def test_days_alone_are_told_without_a_time_and_marks_fit_side_by_side() -> None:
    rows = "".join(f"Headline {k},{2000 + k // 12}-{k % 12 + 1:02}-01\n" for k in range(240))
    timeline = load(f"headline,published\n{rows}".encode(), "a.csv")
    (lane,) = lanes(timeline, [1] * 240, [(1, "All")])
    assert len(lane.marks) <= MARKS_ACROSS + 1
    assert sum(mark.headlines for mark in lane.marks) == 240
    assert all(":" not in mark.when for mark in lane.marks)
    some = load(b"headline,published\nOne,2024-01-01\nTwo,\nThree,2024-01-02T10:05:00Z\n", "a.csv")
    (lane,) = lanes(some, [1] * 3, [(1, "All")])
    assert [mark.when for mark in lane.marks[:2]] == ["1 Jan 2024", "2 Jan 2024 10:05"]


def test_a_date_that_no_news_can_have_stretches_no_lane() -> None:
    rows = "One,2024-01-01\nTwo,2024-01-20\nOld,0001-01-01\nFar,9999-12-31\n"
    timeline = load(f"headline,published\n{rows}".encode(), "a.csv")
    (lane,) = lanes(timeline, [1] * 4, [(1, "All")])
    assert [mark.headline for mark in lane.marks if mark.time] == ["One", "Two"]
    assert lane.marks[-1].headlines == 2
    assert whole(timeline) == Period(date(2024, 1, 1), date(2024, 1, 20))
    only = load(b"headline,published\nOld,0001-01-01\nFar,9999-12-31\n", "a.csv")
    assert whole(only) == Period(date(1, 1, 1), date(9999, 12, 31)), "it has no other days"


def timeline(days: list[int | None]) -> Timeline:
    """A headline for each day of January 2024, None for one without a date."""
    lines = [f"{'' if day is None else f'2024-01-{day:02}'};Headline {n}" for n, day in enumerate(days)]
    return load("\n".join(["published;headline", *lines]).encode(), "days.csv")


def event(*rows: int) -> GroupSummary:
    return GroupSummary(rows[0], rows, tuple((row,) for row in rows), rows[0], None, None, None, ())


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
