"""Corrections on a grouped timeline: the groups that follow from them, titles, notes, stars and marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.data.answers import FoundAgain
from core.data.identity import HeadlineKey
from core.events.corrections.correction import REGROUPS, Correction, History, Kind
from core.groups.constraints import Constraints, resolve

DONE: Final[Mapping[Kind, str]] = {
    Kind.MOVE: "moved",
    Kind.SPLIT: "split off",
    Kind.MERGE: "merged",
    Kind.NOT_AN_EVENT: "not an event",
    Kind.RENAME: "renamed",
    Kind.NOTE: "noted",
    Kind.STAR: "starred",
    Kind.LEVEL: "refitted",
}
"""What was done, in words that follow a headline or an event."""


@dataclass(frozen=True, slots=True, eq=False)
class Corrections:
    """The corrections in force, fitted to the rows of one timeline."""

    history: History  # all of them
    rows: Mapping[HeadlineKey, int]  # row of each headline that is in the timeline
    constraints: Constraints  # which rows have to share a group, and which may not
    found_again: FoundAgain  # how many of the headlines that corrections name are in the timeline

    def __bool__(self) -> bool:
        return bool(self.history.in_force)

    @property
    def problem(self) -> str:
        """What is not in force, and which headlines changed, in sentences; "" where there is neither."""
        found = self.found_again
        sentences = [self.history.problem, found.sentence("corrected") if found.changed or found.gone else ""]
        return " ".join(filter(None, sentences))

    @property
    def applied(self) -> int:
        """How many of those in force are about a headline of this timeline, or about its level."""
        return sum(
            one.kind is Kind.LEVEL or any(key in self.rows for key in one.about())
            for one in self.history.in_force
        )

    def level(self, method: str) -> float | None:
        """The granularity that corrections set for an encoder, scorer and grouping method; None for none."""
        found = [one for one in self.history.in_force if one.kind is Kind.LEVEL and one.method == method]
        return float(found[-1].text) if found else None

    def rows_of(self, keys: Iterable[HeadlineKey]) -> list[int]:
        """The rows of some headlines, those that are in the timeline."""
        return sorted({self.rows[key] for key in keys if key in self.rows})

    def marks(self, ids: IntArray) -> Marks:
        """What corrections say about groups.

        A title, note or star belongs to the group that holds most of the headlines it was given to, and at
        least half of them.
        """
        marks = Marks()
        for one in self.history.in_force:
            if one.kind in REGROUPS:
                own = one.headlines if one.kind is not Kind.MERGE else (*one.headlines, *one.to)
                marks.headlines.update(dict.fromkeys(self.rows_of(own), one))
                touched = self.rows_of([*one.headlines, *one.to, *one.rest])
                marks.groups.update(dict.fromkeys(ids[touched].tolist(), one))
                continue
            group = _holder(ids[self.rows_of(one.headlines)])
            if group is None:
                continue
            marks.groups[group] = one
            if one.kind is Kind.RENAME:
                marks.titles[group] = one.text
            elif one.kind is Kind.NOTE:
                marks.notes[group] = one
            elif one.kind is Kind.STAR:
                marks.stars[group] = one.text == "on"
        return Marks(
            headlines=marks.headlines,
            groups=marks.groups,
            titles={group: title for group, title in marks.titles.items() if title},
            notes={group: note for group, note in marks.notes.items() if note.text},
            stars={group: True for group, on in marks.stars.items() if on},
        )


@dataclass(frozen=True, slots=True)
class Marks:
    """What corrections say about headlines and groups, by row and by group number."""

    headlines: dict[int, Correction] = field(default_factory=dict)  # the last that regrouped it
    groups: dict[int, Correction] = field(default_factory=dict)  # the last correction that changed a group
    titles: dict[int, str] = field(default_factory=dict)  # names that people gave
    notes: dict[int, Correction] = field(default_factory=dict)  # notes that people wrote
    stars: dict[int, bool] = field(default_factory=dict)  # groups with a star

    def symbols(self, group: int) -> str:
        """★ for a star, ✎ for a correction; "" for neither."""
        return ("★" if group in self.stars else "") + ("✎" if group in self.groups else "")


def fitted(history: History, rows: Mapping[HeadlineKey, int]) -> Corrections:
    """The corrections of a log on the headlines of a timeline.

    What was said is put in order before headlines that are absent are left out: two headlines that were both
    linked to a third stay linked without it.
    """
    named = {key for one in history.in_force if one.kind in REGROUPS for key in one.about()}
    number = {key: at for at, key in enumerate(sorted(named))}
    constraints = resolve(history.statements(number))
    about = {key for one in history.in_force for key in one.about()}
    here, changed = len(about & rows.keys()), len(about & history.changed)
    return Corrections(
        history=history,
        rows=rows,
        constraints=constraints.at({at: (rows[key],) for key, at in number.items() if key in rows}),
        found_again=FoundAgain(here - changed, changed, len(about) - here),
    )


def said_by(correction: Correction) -> str:
    """What was done, by whom and when: "moved by Ada on 3 Nov 2026"."""
    by = f" by {correction.who}" if correction.who else ""
    when = correction.when
    return f"{DONE.get(correction.kind, correction.kind.value)}{by} on {when.day} {when:%b %Y}"


def _holder(groups: IntArray) -> int | None:
    if not len(groups):
        return None
    names, first, counts = np.unique(groups, return_index=True, return_counts=True)
    best = int(np.lexsort((first, -counts))[0])
    return int(names[best]) if 2 * counts[best] >= len(groups) else None
