"""The headlines of a timeline that mean most nearly the same as one of them, by the encoder's vectors."""

from typing import Final, NamedTuple

import numpy as np

from core.events.grouping import Grouping, Prepared

MOST: Final = 12
WORDS: Final = (
    "nearly the same meaning",
    "as close as two reports of one event",
    "less close than most reports of one event",
    "only loosely related",
)
_BOUNDS: Final = (
    0.75,
    0.25,
    0.05,
)  # quantiles of the similarities of reports of one event, by the first words
_UNKNOWN: Final = (0.9, 0.7, 0.55)  # in their place where no event has two reports
_SAMPLE: Final = 2_000  # headlines of events that say how close two reports of one event are


class SimilarHeadline(NamedTuple):
    row: int
    similarity: float  # cosine of the vectors
    words: str  # one of `WORDS`


def similar_headlines(prepared: Prepared, grouping: Grouping, row: int) -> list[SimilarHeadline]:
    """The nearest headlines, each wording once, the nearest first; [] where nothing compares by meaning."""
    vectors, copies = prepared.context.vectors, prepared.copies
    if not vectors.shape[1]:
        return []
    near = vectors @ vectors[row]
    bounds = _of_one_event(prepared, grouping)
    met, found = {int(copies[row])}, list[SimilarHeadline]()
    for other in np.argsort(-near, kind="stable").tolist():
        if len(found) == MOST:
            break
        if int(copies[other]) in met:
            continue
        met.add(int(copies[other]))
        place = next((at for at, bound in enumerate(bounds) if near[other] >= bound), len(bounds))
        found.append(SimilarHeadline(other, float(near[other]), WORDS[place]))
    return found


def _of_one_event(prepared: Prepared, grouping: Grouping) -> list[float]:
    """How similar neighbours in time within events are, at the quantiles of `_BOUNDS`."""
    order = np.lexsort((prepared.timeline.days, grouping.ids))[:_SAMPLE]
    left, right = order[:-1], order[1:]
    together = (grouping.ids[left] == grouping.ids[right]) & (prepared.copies[left] != prepared.copies[right])
    vectors = prepared.context.vectors
    pairs = np.einsum("ij,ij->i", vectors[left[together]], vectors[right[together]])
    return np.quantile(pairs, _BOUNDS).tolist() if len(pairs) else list(_UNKNOWN)
