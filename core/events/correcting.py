"""Corrections as people make them: headlines and groups in, an entry of the log out.

What is seen after a correction is what was asked for and nothing else: where a method would draw other
headlines along, the entry holds them where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import IntArray
from core.errors import InputError
from core.events.corrections.apply import fitted
from core.events.corrections.correction import (
    Correction,
    Keys,
    Kind,
    checked_text,
    checked_who,
)
from core.events.corrections.history import History
from core.events.grouping import Grouping, Prepared, labels_at, method_of

_TRIES = 8
"""Times that events which would change as well are held where they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Correcting:
    """Somebody before a grouped timeline.

    Another window may have corrected since it was drawn: an event that is meant is the one that holds most
    of its headlines by now, and what a correction leaves alone stays as it is by now.

    Attributes:
        prepared: The timeline.
        grouping: As it is seen, with the numbers of events that are meant.
        history: The corrections so far.
        who: Name or initials; "" for none.
        ids: Group of each headline by now, int64 [n].
    """

    prepared: Prepared
    grouping: Grouping
    history: History
    who: str = ""
    ids: IntArray = field(init=False)

    def __post_init__(self) -> None:
        """Groups once more with every correction so far."""
        object.__setattr__(self, "ids", self._labels(self.history))

    def move(self, rows: Sequence[int], to: int) -> Correction:
        """Moves headlines to the event of that number."""
        members = self._members(to)
        moved = [row for row in self._checked(rows) if row not in members]
        if not moved:
            raise InputError("These headlines are in that event already.", hint="Choose another event.")
        return self._regrouping(Kind.MOVE, moved, members)

    def split(self, rows: Sequence[int]) -> Correction:
        """Makes an event of headlines alone.

        Raises:
            InputError: No headline is given, or they are an event already.
        """
        chosen = self._checked(rows)
        if np.isin(self.ids, self.ids[chosen]).sum() == len(chosen) and len(set(self.ids[chosen])) == 1:
            raise InputError(
                "These headlines are an event of their own already.", hint="Leave at least one of them out."
            )
        return self._regrouping(Kind.SPLIT, chosen, [])

    def merge(self, groups: Sequence[int]) -> Correction:
        """Makes one event of several.

        Raises:
            InputError: They are fewer than two, or there is no such event.
        """
        events = {tuple(self._members(group)) for group in groups}
        if len(events) < 2:
            raise InputError("Two events are needed to merge them.", hint="Choose another event.")
        first, *others = sorted(events)
        return self._regrouping(Kind.MERGE, list(first), [row for rows in others for row in rows])

    def not_an_event(self, group: int) -> Correction:
        """Leaves every headline of an event alone."""
        rows = self._members(group)
        if len(rows) < 2:
            raise InputError(
                "A single report is on its own already.", hint="Choose an event of several headlines."
            )
        return self._regrouping(Kind.NOT_AN_EVENT, rows, [])

    def entitle(self, group: int, title: str) -> Correction:
        """Gives an event another title; "" gives it the usual one."""
        return self._about(group, Kind.RENAME, checked_text(title, Kind.RENAME))

    def note(self, group: int, text: str) -> Correction:
        """Writes a note on an event; "" removes it."""
        return self._about(group, Kind.NOTE, checked_text(text, Kind.NOTE))

    def star(self, group: int, *, on: bool) -> Correction:
        """Puts a star on an event, or takes it off."""
        return self._about(group, Kind.STAR, "on" if on else "off")

    def level(self, granularity: float) -> Correction:
        """Starts the slider somewhere else, for this encoder, scorer and grouping method."""
        return Correction(
            kind=Kind.LEVEL,
            text=f"{granularity:.4f}",
            method=method_of(self.prepared),
            who=checked_who(self.who),
        )

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
        wanted = _wanted(ids, kind, np.flatnonzero(ours))

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
            sets = [named(np.flatnonzero(wanted == one)) for one in sorted(strayed)]
            correction = replace(correction, held=tuple(dict.fromkeys([*correction.held, *sets])))
        return correction


def _wanted(ids: IntArray, kind: Kind, rows: IntArray) -> IntArray:
    wanted, first = ids.copy(), int(ids.max(initial=0)) + 1
    wanted[rows] = first + np.arange(len(rows)) if kind is Kind.NOT_AN_EVENT else first
    return wanted


def _strayed(wanted: IntArray, found: IntArray) -> set[int]:
    pairs = np.unique(np.stack([wanted, found], axis=1), axis=0)
    names, parts = np.unique(pairs[:, 0], return_counts=True)
    others, meets = np.unique(pairs[:, 1], return_counts=True)
    mixed = np.isin(pairs[:, 1], others[meets > 1])
    return {*names[parts > 1].tolist(), *pairs[mixed, 0].tolist()}
