"""Stories: events that follow each other on the same matter."""

from typing import Final, NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.events.grouping import Grouping, Prepared
from core.groups.average_linkage import AverageLinkage
from core.groups.grouper import GroupingInput
from core.runtime import Runtime
from core.similarities import Similarities

CUT: Final = 0.65
TAU_DAYS: Final = 20.0
MOST_EVENTS: Final = 2_000  # the largest ones; more would cost seconds at every move of the slider


class Story(NamedTuple):
    """Two or more events."""

    number: int  # the least number of its events, so that it stays as theirs do
    events: tuple[int, ...]  # their numbers, ascending
    central: int  # the event whose mean is nearest to that of all their headlines; it names the story


def stories_of(prepared: Prepared, grouping: Grouping) -> list[Story]:
    return stories(prepared.context.vectors, prepared.context.days, grouping.ids)


def story_of(prepared: Prepared, grouping: Grouping) -> IntArray:
    """Number of the story of each headline, int64 [n]; of an event of no other story, its own."""
    numbers = grouping.ids.copy()
    for story in stories_of(prepared, grouping):
        numbers[np.isin(grouping.ids, story.events)] = story.number
    return numbers


def stories(vectors: Float32Array, days: FloatArray, ids: IntArray) -> list[Story]:
    """The stories of a timeline, by number, from unit vectors, days and the event of each headline."""
    numbers, where, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    if len(numbers) > MOST_EVENTS:
        numbers = np.sort(numbers[np.argsort(-sizes, kind="stable")[:MOST_EVENTS]])
        multiple = np.isin(ids, numbers)
        vectors, days = vectors[multiple], days[multiple]
        where = np.searchsorted(numbers, ids[multiple])
    if len(numbers) < 2:
        return []
    sums = np.zeros((len(numbers), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, where, vectors)
    middles = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    alike = middles @ middles.T
    usual = float((alike.sum(dtype=np.float64) - alike.trace()) / (len(alike) * (len(alike) - 1)))
    alike = (alike - usual) / max(1.0 - usual, 1e-6) * np.exp(-_gaps(days, where, len(numbers)) / TAU_DAYS)
    similarities = Similarities(np.clip(alike, 0.0, 1.0).astype(np.float32))
    labels = AverageLinkage().fit(GroupingInput(similarities, middles), Runtime()).cut(CUT)
    result = []
    for label in np.flatnonzero(np.bincount(labels) > 1):
        places = np.flatnonzero(labels == label)
        nearest = places[int((middles[places] @ sums[places].sum(axis=0)).argmax())]
        result.append(Story(int(numbers[places[0]]), tuple(numbers[places].tolist()), int(numbers[nearest])))
    return sorted(result, key=lambda story: story.number)


def _gaps(days: FloatArray, where: IntArray, count: int) -> FloatArray:
    """Days from the end of the one event to the begin of the other, [events, events]; 0 if they overlap."""
    dated = ~np.isnan(days)
    first, last = np.full(count, -np.inf), np.full(count, np.inf)
    known = np.unique(where[dated])
    first[known], last[known] = np.inf, -np.inf
    np.minimum.at(first, where[dated], np.floor(days[dated]))
    np.maximum.at(last, where[dated], np.floor(days[dated]))
    return np.asarray(np.maximum(np.maximum(first[:, None] - last, first - last[:, None]), 0.0))
