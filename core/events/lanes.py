"""Groups as lanes on a time axis: what the swimlane draws and its table lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

from core.data.timelines.periods import datable, written_day
from core.data.timelines.timeline import SECONDS_PER_DAY, Field, Timeline

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
    """One group."""

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
