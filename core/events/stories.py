"""Stories: events that follow each other on the same matter."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.events.grouping import Grouping, Prepared
from core.events.story_links import link_probabilities, measured, shared_words

CUT: Final = 0.65
MOST_EVENTS: Final = 2_000  # the largest ones; more would cost seconds at every move of the slider


class Story(NamedTuple):
    number: int  # the least number of its events, so that it stays as theirs do
    events: tuple[int, ...]  # their numbers, ascending
    central: int  # the event whose mean is nearest to that of all their headlines; it names the story


def stories_of(prepared: Prepared, grouping: Grouping) -> list[Story]:
    context = prepared.context
    return stories(context.texts, context.reading.names, context.vectors, context.days, grouping.ids)


def story_of(prepared: Prepared, grouping: Grouping) -> IntArray:
    """Number of the story of each headline, int64 [n]; of an event of no other story, its own."""
    numbers = grouping.ids.copy()
    for story in stories_of(prepared, grouping):
        numbers[np.isin(grouping.ids, story.events)] = story.number
    return numbers


def stories(
    texts: Sequence[str], names: Collection[str], vectors: Float32Array, days: FloatArray, ids: IntArray
) -> list[Story]:
    """By number, from the headlines of a timeline, their names, unit vectors, days and events."""
    from scipy import sparse

    numbers, where, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    if len(numbers) > MOST_EVENTS:
        numbers = np.sort(numbers[np.argsort(-sizes, kind="stable")[:MOST_EVENTS]])
        rows = np.flatnonzero(np.isin(ids, numbers))
        texts, vectors, days = [texts[row] for row in rows.tolist()], vectors[rows], days[rows]
        where = np.searchsorted(numbers, ids[rows])
    if len(numbers) < 2:
        return []
    sums = np.zeros((len(numbers), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, where, vectors)
    middles = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    words = shared_words(texts, names, where)
    likely = link_probabilities(words, measured(middles, days, where)) >= CUT
    links = words.left[likely], words.right[likely]
    linked = sparse.coo_matrix((np.ones(len(links[0])), links), shape=(len(numbers),) * 2)
    labels = sparse.csgraph.connected_components(linked, directed=False)[1]
    result = []
    for label in np.flatnonzero(np.bincount(labels) > 1):
        places = np.flatnonzero(labels == label)
        nearest = places[int((middles[places] @ sums[places].sum(axis=0)).argmax())]
        result.append(Story(int(numbers[places[0]]), tuple(numbers[places].tolist()), int(numbers[nearest])))
    return sorted(result, key=lambda story: story.number)
