"""How the reports of events are spread over time: counts for a sparkline, and what is growing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.data.timelines.timeline import Timeline
from core.groups.card import GroupSummary

PARTS: Final = 20  # parts of equal length into which the time of a timeline is cut
RECENT: Final = 2
"""The last parts, a tenth of the time, that count as recent; as many before them are compared with them."""


@dataclass(frozen=True, slots=True)
class Course:
    """The reports of one event over time."""

    counts: tuple[int, ...] = ()  # reports in each of `PARTS` parts of the timeline, the earliest first
    growth: int = 0  # reports in the recent parts less those in as many parts before
    grows: bool = False  # it began earlier, and has two recent reports or more, and more than just before


def courses(timeline: Timeline, events: Sequence[GroupSummary]) -> list[Course]:
    """The course of each event, between the first and the last dated report of all of them."""
    days = [timeline.days[list(event.rows)] for event in events]
    dated = [own[~np.isnan(own)] for own in days]
    known = np.concatenate(dated) if dated else np.array([])
    if not len(known) or known.min() == known.max():
        return [Course() for _ in events]
    edges = np.linspace(known.min(), known.max(), PARTS + 1)
    found = []
    for own in dated:
        counts: list[int] = np.histogram(own, edges)[0].tolist()
        recent, before = sum(counts[-RECENT:]), sum(counts[-2 * RECENT : -RECENT])
        grows = sum(counts) > recent > max(1, before)
        found.append(Course(tuple(counts), recent - before, grows))
    return found
