"""Corrections on a grouped timeline, and in the journal with those of other versions of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import IntArray
from core.data.answers import Answers, FoundAgain
from core.data.identity import HeadlineKey
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.correction import REGROUPS, Correction, History, Kind, as_object, read_objects
from core.groups.constraints import Constraints, resolve
from core.journal.entries import Entry, NewEntry
from core.journal.folds import Folds
from core.results.render import shorten

if TYPE_CHECKING:
    from core.journal.journal import Journal

DONE: Final[Mapping[Kind, str]] = {  # in words that follow a headline or an event
    Kind.MOVE: "moved",
    Kind.SPLIT: "split off",
    Kind.MERGE: "merged",
    Kind.NOT_AN_EVENT: "not an event",
    Kind.RENAME: "renamed",
    Kind.NOTE: "noted",
    Kind.STAR: "starred",
    Kind.LEVEL: "refitted",
}
_READ: Final[Folds[tuple[History, History]]] = Folds()  # in each file, and in this version of it


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
        again = self.found_again
        sentences = [self.history.problem, again.sentence("corrected") if again.changed or again.gone else ""]
        return " ".join(filter(None, sentences))

    @property
    def applied(self) -> int:
        """How many of those in force are about a headline of this timeline, or about its level."""
        known, in_force = self.rows.keys(), self.history.in_force
        return sum(each.kind is Kind.LEVEL or not known.isdisjoint(each.about()) for each in in_force)

    def level(self, method: str) -> float | None:
        """The granularity that corrections set for an encoder, scorer and grouping method; None for none."""
        levels = (entry for entry in reversed(self.history.in_force) if entry.kind is Kind.LEVEL)
        return next((float(level.text) for level in levels if level.method == method), None)

    def rows_of(self, keys: Iterable[HeadlineKey]) -> list[int]:
        return sorted({self.rows[key] for key in keys if key in self.rows})

    def marks(self, ids: IntArray) -> Marks:
        """A title, note or star belongs to the group with most of its headlines, half at least."""
        marks = Marks()
        for correction in self.history.in_force:
            if correction.kind in REGROUPS:
                own = (*correction.headlines, *(correction.to if correction.kind is Kind.MERGE else ()))
                marks.headlines.update(dict.fromkeys(self.rows_of(own), correction))
                touched = self.rows_of([*correction.headlines, *correction.to, *correction.rest])
                marks.groups.update(dict.fromkeys(ids[touched].tolist(), correction))
                continue
            group = _holder(ids[self.rows_of(correction.headlines)])
            if group is None or correction.unsure:
                continue
            marks.groups[group] = correction
            if correction.kind is Kind.RENAME:
                marks.titles[group] = correction.text
            elif correction.kind is Kind.NOTE:
                marks.notes[group] = correction
            elif correction.kind is Kind.STAR:
                marks.stars[group] = correction.text == "on"
        return replace(
            marks,
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
    """The corrections of a log on a timeline; two headlines linked by an absent third stay linked."""
    regroups = {*REGROUPS, Kind.LEVEL}
    named = {
        key for correction in history.in_force if correction.kind in regroups for key in correction.about()
    }
    number = {key: at for at, key in enumerate(sorted(named))}
    constraints = resolve(history.statements(number))
    about = {key for correction in history.in_force for key in correction.about()}
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
    answered = correction.kind is Kind.LEVEL and correction.headlines
    done = "answered" if answered else DONE.get(correction.kind, correction.kind.value)
    return f"{done}{by} on {when.day} {when:%b %Y}"


def described(correction: Correction) -> str:
    """Which headlines it is about, and what was done with them."""
    heads = correction.headlines
    if correction.kind is Kind.LEVEL and heads:
        pair = " and ".join(f"“{shorten(key.text, 50)}”" for key in (*heads, *correction.to))
        said = "not sure" if correction.unsure else "different events" if correction.rest else "same event"
        return f"{pair}: {said}, {said_by(correction)}"
    if correction.kind is Kind.LEVEL:
        return f"level {float(correction.text):.2f}, {said_by(correction)}"
    more = f" and {len(heads) - 1:,} more" if len(heads) > 1 else ""
    return f"“{shorten(heads[0].text, 50)}”{more}, {said_by(correction)}" if heads else said_by(correction)


def _holder(groups: IntArray) -> int | None:
    if not len(groups):
        return None
    names, first, counts = np.unique(groups, return_index=True, return_counts=True)
    best = int(np.lexsort((first, -counts))[0])
    return int(names[best]) if 2 * counts[best] >= len(groups) else None


@dataclass(frozen=True, slots=True)
class CorrectionStore:
    answers: Answers  # where they are stored

    def read(self) -> History:
        """The corrections as they stand, of the headlines as this file has them."""

        def more(known: tuple[History, History], new: Sequence[Entry]) -> tuple[History, History]:
            said = known[0]
            bodies = (entry.body for entry in new)
            news = read_objects(body for body in bodies if not body.get("forgotten") or body.get("headlines"))
            damaged, newer = said.damaged + news.damaged, said.newer + news.newer
            said = replace(said.with_more(news.corrections), damaged=damaged, newer=newer)
            return said, said.at(self.answers.index, list(self.answers.files().values()))

        entries = self.answers.entries()
        return _READ.fold(self.answers, entries, lambda: (History(), History()), more)[1]

    def add(self, *corrections: Correction) -> History:
        """Stores corrections, all or none; they are on the disk when this returns."""
        before = self.read()
        now = datetime.now(UTC)
        if before.corrections:
            now = max(now, before.corrections[-1].when + timedelta(microseconds=1))
        times = (now + timedelta(microseconds=at) for at in range(len(corrections)))
        timed = [replace(each, when=when) for each, when in zip(corrections, times, strict=True)]
        return self._append(before, timed)

    def merge(self, other: History) -> int:
        """Puts the corrections of another log in force, also those undone here; gives how many were not."""
        before = self.read()
        known = {correction.id for correction in before.corrections}
        new = [correction for correction in other.corrections if correction.id not in known]
        here = {correction.id for correction in (self._append(before, new) if new else before).in_force}
        again = [correction.id for correction in other.in_force if correction.id not in here]
        if again:
            self.add(*(Correction(kind=Kind.REDO, text=name) for name in again))
        return len(new) + len(again)

    def undo(self, correction: Correction, who: str = "") -> History:
        return self.add(Correction(kind=Kind.UNDO, text=correction.id, who=who))

    def redo(self, correction: Correction, who: str = "") -> History:
        """Does one again that was undone, at its old place in the order."""
        return self.add(Correction(kind=Kind.REDO, text=correction.id, who=who))

    def _append(self, before: History, new: Sequence[Correction]) -> History:
        most = limits.CORRECTIONS.value
        if len(before.corrections) + len(new) > most:
            raise InputError(
                f"A timeline keeps at most {most:,} corrections, with every undo and redo.",
                hint=f"Save the corrected timeline as gold and go on with that, or raise "
                f"{limits.CORRECTIONS.variable}.",
            )
        self.answers.append(
            NewEntry(kind=one.kind.value, who=one.who, when=one.when, id=one.id, body=as_object(one))
            for one in new
        )
        return self.read()


def store_of(timeline: Timeline, journal: Journal | None = None, owner: str = "") -> CorrectionStore:
    from core.journal.journal import the_journal

    subject = f"corrections/{owner or 'local'}"
    return CorrectionStore(Answers(journal or the_journal(), subject, timeline.index))
