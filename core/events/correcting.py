"""Corrections as people make them: headlines and groups in, an entry of the log out; refits."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.errors import InputError
from core.events.correction import REGROUPS, Correction, History, Keys, Kind, checked_text, checked_who
from core.events.corrections import Corrections, fitted
from core.events.grouping import Grouping, Prepared, labels_at, method_of, regroup
from core.events.reviewing import answers_in
from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Similarities

_TRIES = 8  # times that events which would change as well are held where they are
OFFERED_AFTER: Final = 10  # corrections of groups in force from which a refit is offered
_STEP: Final = 0.01
_COARSE_STEP: Final = 0.05
_LEFT_TOGETHER: Final = 0.25
"""Weight of pairs that a correction left together, against 1 for changed ones: nothing was said of them."""
_MOST_ROWS: Final = 200  # of a side of a correction, evenly spaced, whose pairs are counted
Labelled = tuple[IntArray, IntArray, BoolArray, FloatArray]  # left, right, one event, weight


@dataclass(frozen=True, eq=False)
class Correcting:
    """Somebody before a grouped timeline; an event meant is the one that has most of its headlines now."""

    prepared: Prepared  # the timeline
    grouping: Grouping  # as it is seen, with the numbers of events that are meant
    history: History  # the corrections so far
    who: str = ""  # name or initials; "" for none

    @cached_property
    def ids(self) -> IntArray:
        """Group of each headline by now, int64 [n]."""
        return self._labels(self.history)

    def move(self, rows: Sequence[int], to: int) -> Correction:
        members = self._members(to)
        moved = [row for row in self._checked(rows) if row not in members]
        if not moved:
            raise InputError("These headlines are in that event already.", hint="Choose another event.")
        return self._regrouping(Kind.MOVE, moved, members)

    def split(self, rows: Sequence[int]) -> Correction:
        chosen = self._checked(rows)
        if np.isin(self.ids, self.ids[chosen]).sum() == len(chosen) and len(set(self.ids[chosen])) == 1:
            message = "These headlines are an event of their own already."
            raise InputError(message, hint="Leave at least one of them out.")
        return self._regrouping(Kind.SPLIT, chosen, [])

    def merge(self, groups: Sequence[int]) -> Correction:
        events = {tuple(self._members(group)) for group in groups}
        if len(events) < 2:
            raise InputError("Two events are needed to merge them.", hint="Choose another event.")
        first, *others = sorted(events)
        return self._regrouping(Kind.MERGE, list(first), [row for rows in others for row in rows])

    def not_an_event(self, group: int) -> Correction:
        rows = self._members(group)
        if len(rows) < 2:
            message = "A single report is on its own already."
            raise InputError(message, hint="Choose an event of several headlines.")
        return self._regrouping(Kind.NOT_AN_EVENT, rows, [])

    def entitle(self, group: int, title: str) -> Correction:
        return self._about(group, Kind.RENAME, checked_text(title, Kind.RENAME))

    def note(self, group: int, text: str) -> Correction:
        return self._about(group, Kind.NOTE, checked_text(text, Kind.NOTE))

    def star(self, group: int, *, on: bool) -> Correction:
        return self._about(group, Kind.STAR, "on" if on else "off")

    def level(self, granularity: float) -> Correction:
        """Starts the slider somewhere else, for this encoder, scorer and grouping method."""
        method, who = method_of(self.prepared), checked_who(self.who)
        return Correction(kind=Kind.LEVEL, text=f"{granularity:.4f}", method=method, who=who)

    def _members(self, group: int) -> list[int]:
        seen = self.ids[self.grouping.ids == group]
        if not len(seen):
            raise InputError(f"There is no event {group}.", hint="Choose one from the list of events.")
        return np.flatnonzero(self.ids == np.bincount(seen).argmax()).tolist()

    def _labels(self, history: History) -> IntArray:
        corrections = fitted(history, self.prepared.timeline.index.row)
        return labels_at(self.prepared, self.grouping.granularity, corrections)

    def _checked(self, rows: Sequence[int]) -> list[int]:
        chosen = sorted(set(rows))
        if not chosen or not 0 <= chosen[0] <= chosen[-1] < len(self.grouping.ids):
            raise InputError("No headline is selected.", hint="Select at least one headline.")
        return chosen

    def _about(self, group: int, kind: Kind, text: str) -> Correction:
        keys = self.prepared.timeline.index.keys
        named = tuple(keys[row] for row in self._members(group))
        return Correction(kind=kind, headlines=named, text=text, who=checked_who(self.who))

    def _regrouping(self, kind: Kind, rows: list[int], to: list[int]) -> Correction:
        keys = self.prepared.timeline.index.keys
        ids = self.ids
        ours = np.isin(np.arange(len(keys)), [*rows, *to])
        parts = kind in (Kind.MOVE, Kind.SPLIT)
        left = np.isin(ids, ids[rows]) & ~ours & parts
        alike_here = labels_at(self.prepared, self.grouping.granularity, None)
        drawn = np.isin(alike_here, alike_here[rows]) & ~ours & ~left & parts
        wanted, first = ids.copy(), int(ids.max(initial=0)) + 1
        wanted[ours] = first + np.arange(ours.sum()) if kind is Kind.NOT_AN_EVENT else first

        def named(some: Sequence[int] | IntArray) -> Keys:
            return tuple(keys[row] for row in some)

        correction = Correction(
            kind=kind,
            headlines=named(rows),
            to=named([row for row in to if row not in rows]),
            rest=named(np.flatnonzero(left)),
            clear=named(np.flatnonzero(drawn)),
            who=checked_who(self.who),
        )
        for _ in range(_TRIES):
            strayed = _strayed(wanted, self._labels(self.history.with_more([correction])))
            if not strayed:
                break
            sets = [named(np.flatnonzero(wanted == group)) for group in sorted(strayed)]
            correction = replace(correction, held=tuple(dict.fromkeys([*correction.held, *sets])))
        return correction


def _strayed(wanted: IntArray, groups: IntArray) -> set[int]:
    pairs = np.unique(np.stack([wanted, groups], axis=1), axis=0)
    names, parts = np.unique(pairs[:, 0], return_counts=True)
    others, meets = np.unique(pairs[:, 1], return_counts=True)
    mixed = np.isin(pairs[:, 1], others[meets > 1])
    return {*names[parts > 1].tolist(), *pairs[mixed, 0].tolist()}


def labelled_pairs(corrections: Corrections, similarities: Similarities, cut: float) -> Labelled:
    """The pairs that corrections are about; one at a distance d from the cut weighs 1 / (1 + 10 d)."""
    parts: list[Labelled] = []

    def add(side: Sequence[int], other: Sequence[int], together: bool, share: float) -> None:
        sides = [np.asarray(rows, dtype=np.int64)[:: len(rows) // _MOST_ROWS + 1] for rows in (side, other)]
        left, right = (rows.ravel() for rows in np.meshgrid(*sides, indexing="ij"))
        distinct = left != right if side is not other else left < right
        left, right = left[distinct], right[distinct]
        if len(left):
            near = np.asarray(similarities.matrix[left, right], dtype=np.float64).ravel()
            weight = 1.0 / (1.0 + 10.0 * np.abs(near - (1.0 - cut)))
            same = np.full(len(left), together)
            parts.append((left, right, same, share * weight / weight.sum()))

    for _, answer in answers_in(corrections):
        if answer.same is not None:
            add([answer.left], [answer.right], together=answer.same, share=1.0)
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
    if not parts:
        none = np.empty(0, dtype=np.int64)
        return none, none, np.empty(0, dtype=np.bool_), np.empty(0)
    left, right, together, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return left, right, together, weight


def propose(hierarchy: Hierarchy, pairs: Labelled, present: float) -> tuple[float, float, float]:
    """The level whose groups agree with most of the labelled pairs; of equals the nearest to the present."""
    left, right, together, weight = pairs
    total = float(weight.sum())
    if not total:
        return present, 1.0, 1.0

    def satisfied(cut: float) -> float:
        labels = hierarchy.cut(cut)
        agreeing = (labels[left] == labels[right]) == together
        return round(float(weight[agreeing].sum()) / total, 9)

    step = _STEP if isinstance(hierarchy, Dendrogram) else _COARSE_STEP
    share = {cut: satisfied(cut) for cut in np.arange(0.0, 1.0 + step / 2, step).round(4).clip(0, 1).tolist()}
    share[present] = satisfied(present)
    best = min(share, key=lambda cut: (-share[cut], abs(cut - present), cut))
    return best, share[best], share[present]


@dataclass(frozen=True, slots=True, eq=False)
class Refit:
    """What a refit would change; nothing is changed yet."""

    level: float  # the proposed granularity; the present one where no other is better
    present: float  # the present granularity
    satisfied: float  # weighted share of the corrected pairs that the proposed level gets right by itself
    satisfied_now: float  # the same for the present one
    before: Grouping  # the events as they are
    after: Grouping  # the events as they would be, with all corrections
    changed: tuple[int, ...]  # events of now that would have other headlines, the largest first

    @property
    def better(self) -> bool:
        return self.level != self.present


def corrected_groups(history: History) -> int:
    return sum(correction.kind in REGROUPS for correction in history.in_force)


def refit(prepared: Prepared, grouping: Grouping, history: History) -> Refit:
    """Proposes a level from the corrections of a timeline, and shows what would change."""
    corrections = fitted(history, prepared.timeline.index.row)
    present = grouping.granularity
    pairs = labelled_pairs(corrections, prepared.similarities, present)
    level, satisfied, now = propose(prepared.hierarchy, pairs, present)
    after = regroup(prepared, level, corrections=corrections)
    size = Counter(grouping.ids.tolist())
    changed = sorted(_strayed(grouping.ids, after.ids), key=lambda group: (-size[group], group))
    return Refit(level, present, satisfied, now, grouping, after, tuple(changed))
