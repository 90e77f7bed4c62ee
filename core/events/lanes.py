"""A first look at many headlines, groups as lanes on a time axis, and what is growing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.data.timelines.dates import SECONDS_PER_DAY
from core.data.timelines.timeline import Field, Timeline, datable, written_day
from core.groups.card import GroupSummary
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime

SAMPLE: Final = 1_000  # headlines of a first look at most: all their pairs are compared
TOPICS: Final = 64  # dimensions to which the weighted words are reduced before they are laid out
CUT: Final = 0.6
"""Mean cosine distance up to which sampled headlines are shown as one story; not tuned, a first look."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    rows: IntArray  # rows of the timeline, int64 [k], rising
    positions: Float32Array  # their places on the map, float32 [k, 2]
    groups: IntArray  # story of each, int64 [k], from 1
    stories: tuple[tuple[int, int], ...]  # row in the middle and size, the largest first


def first_look(texts: Sequence[str], runtime: Runtime) -> FirstLook:
    """Groups and lays out a sample by the words that headlines share; no model is loaded."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows = np.unique(np.linspace(0, len(texts) - 1, min(SAMPLE, len(texts))).round().astype(np.int64))
    rare = 2 if len(rows) > 50 else 1  # a word of one headline joins it to no other
    try:
        weigh = TfidfVectorizer(sublinear_tf=True, min_df=rare, dtype=np.float32)
        words = weigh.fit_transform([texts[row] for row in rows.tolist()]).toarray()
    except ValueError:  # no headline has a word that counts
        words = np.zeros((len(rows), 1), dtype=np.float32)
    cosine = np.clip(words @ words.T, 0.0, 1.0).astype(np.float64)
    groups = np.ones(len(rows), dtype=np.int64)
    if len(rows) > 1:
        away = 1.0 - cosine
        np.fill_diagonal(away, 0.0)
        groups = fcluster(linkage(squareform(away, checks=False), "average"), CUT, "distance").astype(
            np.int64
        )
    stories = []
    for group in np.unique(groups).tolist():
        inside = np.flatnonzero(groups == group)
        middle = inside[int(np.argmax(cosine[np.ix_(inside, inside)].sum(axis=1)))]
        stories.append((int(rows[middle]), len(inside)))
    dimensions = min(TOPICS, min(words.shape) - 1)
    if dimensions > 1:
        words = TruncatedSVD(dimensions, random_state=0).fit_transform(words).astype(np.float32)
    positions = projectors.parse(DEFAULT_MAP).project(words, runtime)
    return FirstLook(rows, positions, groups, tuple(sorted(stories, key=lambda story: -story[1])))


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
    lanes = []
    for own in dated:
        counts: list[int] = np.histogram(own, edges)[0].tolist()
        recent, before = sum(counts[-RECENT:]), sum(counts[-2 * RECENT : -RECENT])
        grows = sum(counts) > recent > max(1, before)
        lanes.append(Course(tuple(counts), recent - before, grows))
    return lanes
