"""Groups as lanes on a time axis, and what is growing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.timelines.dates import SECONDS_PER_DAY
from core.data.timelines.timeline import Field, Timeline, datable, written_day
from core.groups.card import GroupSummary

MARKS_ACROSS = 120  # marks that fit side by side; reports closer together than that share one


@dataclass(frozen=True, slots=True)
class Mark:
    """Reports of one event that lie close together in time."""

    time: datetime | None  # middle of the reports, UTC; None for those without a date that news can be of
    when: str  # the day, or first and last time, for people
    headlines: int  # how many reports
    publishers: int  # how many are named, at least 1
    headline: str  # the first of them


@dataclass(frozen=True, slots=True)
class Lane:
    group: int  # its id
    title: str  # its representative headline
    size: int  # number of headlines, undated ones too
    marks: tuple[Mark, ...]  # in time order, the undated last


def lanes(
    timeline: Timeline,
    ids: Sequence[int],
    titles: Sequence[tuple[int, str]],
    *,
    within: npt.NDArray[np.bool_] | None = None,
) -> list[Lane]:
    """Lanes of the groups named in `titles`, in that order."""
    shown = np.ones(len(timeline), dtype=np.bool_) if within is None else within
    days = np.where(shown & datable(timeline.days), timeline.days, np.nan)
    known = days[~np.isnan(days)]
    span = float(known.max() - known.min()) if len(known) else 0.0
    day_only = timeline.table["day_only"].to_numpy(dtype=np.bool_)
    width = max(span / MARKS_ACROSS, 1.0 if day_only[~np.isnan(days)].all() else 1.0 / 24)
    labels = np.asarray(ids)
    publishers = timeline.table[Field.PUBLISHER].to_numpy()
    texts = timeline.table[Field.HEADLINE].to_numpy()
    result = []
    for group, title in titles:
        rows = np.flatnonzero(labels == group)
        ordered = rows[shown[rows]]
        ordered = ordered[np.argsort(days[ordered], kind="stable")]
        bins = np.floor(days[ordered] / width)
        marks = []
        for place in np.unique(bins):
            undated = bool(np.isnan(place))
            inside = ordered[np.isnan(bins) if undated else bins == place]
            marks.append(
                Mark(
                    time=None if undated else _utc(float(days[inside].mean())),
                    when="no usable date"
                    if undated
                    else _when(float(days[inside[0]]), float(days[inside[-1]]), bool(day_only[inside].all())),
                    headlines=len(inside),
                    publishers=len({p for p in publishers[inside] if isinstance(p, str)}) or 1,
                    headline=str(texts[inside[0]]),
                )
            )
        result.append(Lane(int(group), title, len(rows), tuple(marks)))
    return result


def _utc(day: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=round(day * SECONDS_PER_DAY))


def _when(first: float, last: float, day_only: bool) -> str:
    start, end = (
        written_day(time) if day_only else f"{written_day(time)} {time:%H:%M}"
        for time in (_utc(first), _utc(last))
    )
    return start if start == end else f"{start} – {end}"


PARTS: Final = 20  # parts of equal length into which the time of a timeline is cut
RECENT: Final = 2  # last parts that count as recent, compared with as many before them


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
