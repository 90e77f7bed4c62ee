"""The headlines of a timeline that mean most nearly the same as one of them, by the encoder's vectors."""

from typing import Final

import numpy as np

from core.events.grouping import Grouping, Prepared

MOST: Final = 12
WORDS: Final = (
    "nearly the same meaning", "as close as two reports of one event",
    "less close than most reports of one event", "only loosely related",
)  # fmt: skip
_BOUNDS: Final = (0.75, 0.25, 0.05)  # quantiles of the similarities of reports of one event, for the words
_UNKNOWN: Final = (0.9, 0.7, 0.55)  # in their place where no event has two reports
_SAMPLE: Final = 2_000  # headlines of events that say how close two reports of one event are


def similar_headlines(prepared: Prepared, grouping: Grouping, row: int) -> list[tuple[int, float, str]]:
    """The nearest headlines, each wording once: row, cosine of the vectors, and that in words."""
    vectors, copies, ids = prepared.context.vectors, prepared.copies, grouping.ids
    order = np.lexsort((prepared.timeline.days, ids))[:_SAMPLE]
    left, right = order[:-1], order[1:]  # neighbours in time within events
    together = (ids[left] == ids[right]) & (copies[left] != copies[right])
    pairs = np.einsum("ij,ij->i", vectors[left[together]], vectors[right[together]])
    bounds = np.quantile(pairs, _BOUNDS) if len(pairs) else np.array(_UNKNOWN)
    near = vectors @ vectors[row]
    ranked = np.argsort(-near, kind="stable")
    _, places = np.unique(copies[ranked], return_index=True)  # of each wording the nearest
    nearest = [at for at in ranked[np.sort(places)].tolist() if copies[at] != copies[row]][:MOST]
    return [(at, float(near[at]), WORDS[int((near[at] < bounds).sum())]) for at in nearest]
