"""Another level for a timeline, from what people corrected: proposed, shown, and only then applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.events.corrections.apply import Corrections, fitted
from core.events.corrections.correction import REGROUPS, Kind
from core.events.corrections.history import History
from core.events.grouping import Grouping, Prepared, regroup
from core.groups.average_linkage import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Similarities

OFFERED_AFTER: Final = 10
"""Corrections of groups in force from which a refit is offered."""
_STEP: Final = 0.01
_COARSE_STEP: Final = 0.05
_LEFT_TOGETHER: Final = 0.25
"""Weight of a correction's pairs that it left together, against 1 for those that it changed: who took one
headline out of an event has seen the others, but said nothing about them."""
_MOST_ROWS: Final = 200
"""Headlines of one side of a correction whose pairs are counted, evenly spaced: bounds time and memory."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPairs:
    """Pairs of headlines that people put together or apart.

    Attributes:
        left, right: Rows, int64 [m].
        together: Whether the two report the same event, bool [m].
        weight: float64 [m]; the pairs of one correction share its weight, for they tell the same.
    """

    left: IntArray
    right: IntArray
    together: np.ndarray[tuple[int], np.dtype[np.bool_]]
    weight: np.ndarray[tuple[int], np.dtype[np.float64]]

    def __len__(self) -> int:
        return len(self.left)


def labelled_pairs(corrections: Corrections, similarities: Similarities, cut: float) -> LabelledPairs:
    """The pairs that corrections are about.

    Of the pairs of one correction those count more whose similarity lies near the cut: they are the ones that
    a level can change. A pair at the distance d from the similarity 1 - cut weighs 1 / (1 + 10 d).
    """
    columns: list[tuple[IntArray, IntArray, bool, np.ndarray[tuple[int], np.dtype[np.float64]]]] = []

    def add(one: Sequence[int], other: Sequence[int], together: bool, share: float) -> None:
        sides = [np.asarray(side, dtype=np.int64)[:: len(side) // _MOST_ROWS + 1] for side in (one, other)]
        left, right = (side.ravel() for side in np.meshgrid(*sides, indexing="ij"))
        kept = left != right if one is not other else left < right
        left, right = left[kept], right[kept]
        if len(left):
            near = np.asarray(similarities.matrix[left, right], dtype=np.float64).ravel()
            weight = 1.0 / (1.0 + 10.0 * np.abs(near - (1.0 - cut)))
            columns.append((left, right, together, share * weight / weight.sum()))

    for said in corrections.history.in_force:
        if said.kind not in REGROUPS:
            continue
        rows, to, rest = (corrections.rows_of(keys) for keys in (said.headlines, said.to, said.rest))
        if said.kind is Kind.NOT_AN_EVENT:
            add(rows, rows, together=False, share=1.0)
        else:
            add(rows, to, together=True, share=1.0)
            add(rows, rest, together=False, share=1.0)
            add(rest, rest, together=True, share=_LEFT_TOGETHER)
    if not columns:
        none = np.empty(0, dtype=np.int64)
        return LabelledPairs(none, none, np.empty(0, dtype=np.bool_), np.empty(0))
    return LabelledPairs(
        np.concatenate([left for left, _, _, _ in columns]),
        np.concatenate([right for _, right, _, _ in columns]),
        np.concatenate([np.full(len(left), together) for left, _, together, _ in columns]),
        np.concatenate([weight for _, _, _, weight in columns]),
    )


def propose(hierarchy: Hierarchy, pairs: LabelledPairs, present: float) -> tuple[float, float, float]:
    """The level whose groups agree with most of the labelled pairs; of equals the nearest to the present."""
    total = float(pairs.weight.sum())
    if not total:
        return present, 1.0, 1.0

    def satisfied(cut: float) -> float:
        labels = hierarchy.cut(cut)
        right = (labels[pairs.left] == labels[pairs.right]) == pairs.together
        return round(float(pairs.weight[right].sum()) / total, 9)

    step = _STEP if isinstance(hierarchy, Dendrogram) else _COARSE_STEP
    found = {cut: satisfied(cut) for cut in np.arange(0.0, 1.0 + step / 2, step).round(4).clip(0, 1).tolist()}
    found[present] = satisfied(present)
    best = min(found, key=lambda cut: (-found[cut], abs(cut - present), cut))
    return best, found[best], found[present]


@dataclass(frozen=True, slots=True, eq=False)
class Refit:
    """What a refit would change; nothing is changed yet.

    Attributes:
        level: The proposed granularity; the present one where no other is better.
        present: The present granularity.
        satisfied: Weighted share of the corrected pairs that the proposed level gets right by itself.
        satisfied_now: The same for the present one.
        before: The events as they are.
        after: The events as they would be, with all corrections.
        changed: Numbers of the events of now that would have other headlines, the largest first.
    """

    level: float
    present: float
    satisfied: float
    satisfied_now: float
    before: Grouping
    after: Grouping
    changed: tuple[int, ...]

    @property
    def better(self) -> bool:
        """Whether another level is better than the present one."""
        return self.level != self.present


def corrected_groups(history: History) -> int:
    """How many corrections in force are about which headlines are one event."""
    return sum(one.kind in REGROUPS for one in history.in_force)


def refit(prepared: Prepared, grouping: Grouping, history: History) -> Refit:
    """Proposes a level from the corrections of a timeline, and shows what would change."""
    corrections = fitted(history, prepared.timeline.index.row)
    present = grouping.granularity
    pairs = labelled_pairs(corrections, prepared.similarities, present)
    level, satisfied, now = propose(prepared.hierarchy, pairs, present)
    after = regroup(prepared, level, corrections=corrections)
    return Refit(level, present, satisfied, now, grouping, after, _changed(grouping.ids, after.ids))


def _changed(before: IntArray, after: IntArray) -> tuple[int, ...]:
    names, sizes = np.unique(before, return_counts=True)
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    others, meets = np.unique(pairs[:, 1], return_counts=True)
    mixed = pairs[np.isin(pairs[:, 1], others[meets > 1]), 0]
    broken = pairs[:, 0][np.flatnonzero(np.diff(pairs[:, 0]) == 0)]
    size = dict(zip(names.tolist(), sizes.tolist(), strict=True))
    found = {*mixed.tolist(), *broken.tolist()}
    return tuple(sorted(found, key=lambda group: (-size[group], group)))
