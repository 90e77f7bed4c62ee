"""A first look at many headlines, groups as lanes on a time axis, and what is growing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.data.timelines.moments import SECONDS_PER_DAY
from core.data.timelines.timeline import Timeline
from core.events.report_times import moment_of
from core.groups.summary import GroupSummary
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime

SAMPLE: Final = 1_000  # headlines of a first look at most: all their pairs are compared
TOPICS: Final = 64  # dimensions to which the weighted words are reduced before they are laid out
CUT: Final = 0.6  # mean cosine distance up to which sampled headlines are one story; not tuned
PARTS: Final = 20  # parts of equal length into which the time of a timeline is cut
RECENT: Final = 2  # last parts that count as recent, compared with as many before them
_RECENT_DAYS: Final = 731  # what is longer ago is not recent


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


@dataclass(frozen=True, slots=True)
class Mark:
    time: datetime | None  # in the zone of its hours; None where it has no date
    when: str  # the same for people
    outlet: str  # "" where it is not known
    headline: str
    fits: bool = True  # it has all that is filtered by; the others fade


@dataclass(frozen=True, slots=True)
class Lane:
    group: int  # its id
    title: str  # its representative headline
    marks: tuple[Mark, ...]  # in time order, the undated last


def lanes(
    timeline: Timeline,
    ids: Sequence[int],
    titles: Sequence[tuple[int, str]],
    *,
    within: npt.NDArray[np.bool_] | None = None,
    fitting: npt.NDArray[np.bool_] | None = None,
    zone: tzinfo = UTC,
) -> list[Lane]:
    """Lanes of the groups named in `titles`, in that order, with their reports of a period."""
    shown = np.ones(len(timeline), dtype=np.bool_) if within is None else within
    days, outlets, texts, labels = timeline.days, timeline.publishers, timeline.texts, np.asarray(ids)

    def mark(row: int) -> Mark:
        time, when = None, moment_of(timeline, row, zone) or "no date"
        if not np.isnan(days[row]):
            time = datetime.fromtimestamp(round(days[row] * SECONDS_PER_DAY), zone)
        return Mark(time, when, outlets[row] or "", texts[row], fitting is None or bool(fitting[row]))

    result = []
    for group, title in titles:
        rows = np.flatnonzero(shown & (labels == group))
        ordered = rows[np.argsort(days[rows], kind="stable")]
        result.append(Lane(int(group), title, tuple(mark(row) for row in ordered.tolist())))
    return result


@dataclass(frozen=True, slots=True)
class Course:
    counts: tuple[int, ...] = ()  # reports in each of `PARTS` parts of the timeline, the earliest first
    growth: int = 0  # reports in the recent parts less those in as many parts before
    grows: bool = False  # it began earlier, and has two recent reports or more, and more than just before


def courses(timeline: Timeline, events: Sequence[GroupSummary]) -> list[Course]:
    """The course of each event, between the first and the last report of all of them."""
    known = ~np.isnan(timeline.days)
    dated = [timeline.days[rows][known[rows]] for rows in (list(event.rows) for event in events)]
    days = np.concatenate(dated) if dated else np.array([])
    if not len(days) or days.min() == days.max():
        return [Course() for _ in events]
    edges = np.linspace(days.min(), days.max(), PARTS + 1)
    short, lanes = RECENT * (edges[1] - edges[0]) <= _RECENT_DAYS, []
    for own in dated:
        counts: list[int] = np.histogram(own, edges)[0].tolist()
        recent, before = sum(counts[-RECENT:]), sum(counts[-2 * RECENT : -RECENT])
        grows = bool(short) and sum(counts) > recent > max(1, before)
        lanes.append(Course(tuple(counts), recent - before, grows))
    return lanes
