"""The corrections of a timeline in the journal, those of earlier and later versions of its file among them.

A correction is on the disk when `add` returns, and an entry says nothing but its own correction, so that
windows and processes that correct at once lose none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from core import limits
from core.data.answers import Answers
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.corrections.correction import Correction, History, Kind, as_object, read_objects
from core.journal.entry import Entry, NewEntry
from core.journal.fold import Folds
from core.journal.journal import Journal, the_journal

_READ: Final[Folds[tuple[History, History]]] = Folds()
"""What the entries of each file say, and what that is in this version of it."""


@dataclass(frozen=True, slots=True)
class CorrectionStore:
    """The corrections of one timeline."""

    answers: Answers  # where they are stored

    def read(self) -> History:
        """The corrections as they stand, of the headlines as this file has them."""

        def more(known: tuple[History, History], new: Sequence[Entry]) -> tuple[History, History]:
            said = known[0]
            news = read_objects(entry.body for entry in new if _is_whole(entry))
            said = replace(
                said.with_more(news.corrections),
                damaged=said.damaged + news.damaged,
                newer=said.newer + news.newer,
            )
            return said, said.at(self.answers.index, list(self.answers.files().values()))

        entries = self.answers.entries()
        return _READ.fold(self.answers, entries, lambda: (History(), History()), more)[1]

    def add(self, *corrections: Correction) -> History:
        """Stores corrections, all or none; they are on the disk when this returns."""
        before = self.read()
        now = datetime.now(UTC)
        if before.corrections:
            now = max(now, before.corrections[-1].when + timedelta(microseconds=1))
        timed = [replace(one, when=now + timedelta(microseconds=at)) for at, one in enumerate(corrections)]
        return self._append(before, timed)

    def merge(self, other: History) -> int:
        """Adds the corrections of another log, with who made them and when; gives how many are new."""
        before = self.read()
        known = {one.id for one in before.corrections}
        new = [one for one in other.corrections if one.id not in known]
        if new:
            self._append(before, new)
        return len(new)

    def undo(self, correction: Correction, who: str = "") -> History:
        """Takes one back: events are as if it had never been made."""
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
    """The store of a timeline."""
    subject = f"corrections/{owner or 'local'}"
    return CorrectionStore(Answers(journal or the_journal(), subject, timeline.index))


def _is_whole(entry: Entry) -> bool:
    return not entry.body.get("forgotten") or bool(entry.body.get("headlines"))
