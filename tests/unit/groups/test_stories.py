"""Stories: which events they join, how they are named, and that their numbers stay."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from core.arrays import Float32Array, IntArray
from core.groups import stories as module
from core.groups.stable_ids import stable_ids
from core.groups.stories import stories

THEMES = (0, 0, 0, 1, 1, 2)
"""The theme of each of six events; events of one theme resemble each other."""
IDS: IntArray = np.repeat(np.arange(1, 7), 3)


def made(seed: int = 0) -> Float32Array:
    """Three headlines of each event."""
    random = np.random.default_rng(seed)
    themes = np.eye(16)[list(THEMES)] + 0.04 * random.normal(size=(6, 16))
    vectors = np.repeat(themes, 3, axis=0) + 0.01 * random.normal(size=(18, 16))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def days_of(*events: float) -> npt.NDArray[np.float64]:
    return np.repeat(np.array(events), 3)


def found(days: npt.NDArray[np.float64]) -> list[tuple[int, ...]]:
    return [story.events for story in stories(made(), days, IDS)]


def test_events_of_a_theme_are_one_story_and_a_lone_event_is_none() -> None:
    assert found(days_of(1, 3, 6, 1, 2, 2)) == [(1, 2, 3), (4, 5)]


def test_time_keeps_what_returns_after_months_apart_and_unknown_dates_do_not_count() -> None:
    assert found(days_of(1, 3, 120, 1, 2, 2)) == [(1, 2), (4, 5)]
    assert found(days_of(1, 3, np.nan, 1, 2, 2)) == [(1, 2, 3), (4, 5)]


def test_time_counts_between_the_nearest_ends_of_two_events() -> None:
    days = days_of(1, 3, 120, 1, 2, 2)
    days[3:6] = 3, 60, 119  # the second event lasts until the third
    assert found(days)[0] == (1, 2, 3)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_headlines_does_not_matter_and_the_central_event_names(seed: int) -> None:
    vectors, days = made(), days_of(1, 3, 6, 1, 2, 2)
    order = np.random.default_rng(seed).permutation(len(IDS))
    here = stories(vectors[order], days[order], IDS[order])
    assert here == stories(vectors, days, IDS)
    for story in here:
        own = vectors[np.isin(IDS, story.events)].sum(axis=0)
        near = {event: float(vectors[event == IDS].mean(axis=0) @ own) for event in story.events}
        assert near[story.central] == pytest.approx(max(near.values()), rel=1e-3)


def test_only_the_largest_events_are_compared_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EVENTS", 4)
    days, kept = days_of(1, 3, 6, 1, 2, 2), np.array([row for row in range(18) if row not in (0, 9)])
    some = stories(made()[kept], days[kept], IDS[kept])  # events 1 and 4 are the smallest
    assert [story.events for story in some] == [(2, 3)]


def test_nothing_is_a_story_without_two_events() -> None:
    assert stories(made()[:0], days_of(), IDS[:0]) == []
    assert stories(made()[:3], days_of(1), IDS[:3]) == []


def test_numbers_stay_when_each_day_brings_more() -> None:
    """Headlines come one event after the other; an event and a story keep the number that they had."""
    vectors, days = made(), days_of(1, 3, 6, 1, 2, 2)
    keys = [f"{day:03.0f} {row}" for row, day in enumerate(days)]
    days_seen = sorted(set(days.tolist()))
    numbers: dict[str, int] = {}
    seen: dict[str, int] = {}
    for day in days_seen:
        rows = np.flatnonzero(days <= day)[::-1]  # another order of the rows each time
        ids = stable_ids(IDS[rows], [keys[row] for row in rows], previous=numbers)
        now = dict(zip((keys[row] for row in rows), ids.tolist(), strict=True))
        assert all(now[key] == number for key, number in numbers.items())
        story_of = {
            key: next(
                (one.number for one in stories(vectors[rows], days[rows], ids) if number in one.events), 0
            )
            for key, number in now.items()
        }
        assert all(story_of[key] == number for key, number in seen.items() if number)
        numbers, seen = now, story_of
    assert len({number for number in seen.values() if number}) == 2
