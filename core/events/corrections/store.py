"""The corrections of a timeline in the journal: a stream a timeline, named by its fingerprint.

A correction is on the disk when `add` returns, and an entry says nothing but its own correction, so that
windows and processes that correct at once lose none. A file that holds at least half of the headlines of one
that was corrected, and has no corrections of its own, takes them on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from core import limits
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.corrections.correction import Correction, HeadlineKey, Kind, as_object, keys_of
from core.events.corrections.history import History, read_objects
from core.journal.entry import Entry, NewEntry
from core.journal.journal import Journal, the_journal

SHARED: Final = 0.5
"""Share of the earlier headlines that a later version of a file has to hold to count as one."""
SAMPLED: Final = 256
"""Headlines by which a later version of a file is recognised: those with the smallest hashes."""
LOOKED_AT: Final = 500
"""Timelines among which an earlier version is looked for, the last corrected first."""
_TIMELINE: Final = "timeline"
_PARSED: Final[dict[tuple[Journal, str], tuple[tuple[Entry, ...], History]]] = {}


def hashes(keys: Sequence[HeadlineKey]) -> set[str]:
    """A hash of each headline, 16 hex digits."""
    told = ("\x1f".join(key).encode("utf-8", errors="surrogatepass") for key in set(keys))
    return {sha256(text).hexdigest()[:16] for text in told}


@dataclass(frozen=True, eq=False)
class CorrectionStore:
    """The corrections of one timeline.

    Attributes:
        journal: Where they are stored.
        owner: Whose they are, "" without a workshop; each visitor of one has corrections of their own.
        fingerprint: Of the timeline.
        name: Of the timeline, for people.
        keys: Of its headlines.
    """

    journal: Journal
    owner: str
    fingerprint: str
    name: str
    keys: tuple[HeadlineKey, ...]

    @property
    def stream(self) -> str:
        """Where the corrections are in the journal."""
        return f"{self._streams}{self.fingerprint}"

    def read(self) -> History:
        """The corrections as they stand.

        Raises:
            DataSourceError: They cannot be read.
        """
        own = self.journal.read(self.stream)
        return self._history(self.stream, own) if own else self._taken_on()

    def add(self, *corrections: Correction) -> History:
        """Stores corrections, all or none; they are on the disk when this returns.

        Args:
            corrections: In their order. Their time is put after that of what is there.

        Raises:
            InputError: There are too many.
            DataSourceError: They cannot be stored; what was there is as it was.
        """
        before = self.read()
        now = datetime.now(UTC)
        if before.corrections:
            now = max(now, before.corrections[-1].when + timedelta(microseconds=1))
        timed = [replace(one, when=now + timedelta(microseconds=at)) for at, one in enumerate(corrections)]
        return self._append(before, timed)

    def merge(self, other: History) -> int:
        """Adds the corrections of another log, with who made them and when; gives how many are new.

        Raises:
            InputError: There are too many.
            DataSourceError: They cannot be stored; what was there is as it was.
        """
        before = self.read()
        known = {one.id for one in before.corrections}
        new = [one for one in other.corrections if one.id not in known]
        if new:
            self._append(before, new)
        return len(new)

    def undo(self, correction: Correction, who: str = "") -> History:
        """Takes one back: events are as if it had never been made.

        Raises:
            DataSourceError: It cannot be stored.
        """
        return self.add(Correction(kind=Kind.UNDO, text=correction.id, who=who))

    def redo(self, correction: Correction, who: str = "") -> History:
        """Does one again that was undone, at its old place in the order.

        Raises:
            DataSourceError: It cannot be stored.
        """
        return self.add(Correction(kind=Kind.REDO, text=correction.id, who=who))

    @property
    def _streams(self) -> str:
        return f"corrections/{self.owner or 'local'}/"

    def _append(self, before: History, new: Sequence[Correction]) -> History:
        most = limits.CORRECTIONS.value
        if len(before.corrections) + len(new) > most:
            raise InputError(
                f"A timeline keeps at most {most:,} corrections, with every undo and redo.",
                hint=f"Save the corrected timeline as gold and go on with that, or raise "
                f"{limits.CORRECTIONS.variable}.",
            )
        entries = [_entry(one) for one in new]
        if not self.journal.read(self.stream):
            # Two windows that do this at once store what was taken on once: its ids are the same.
            head = NewEntry(kind=_TIMELINE, body=self._about(before))
            entries = [head, *map(_entry, before.corrections), *entries]
        self.journal.append(self.stream, entries)
        return self.read()

    def _about(self, before: History) -> dict[str, Any]:
        """What the corrections are about, and by which headlines a later version of the file is known."""
        return {
            "timeline": self.name,
            "fingerprint": self.fingerprint,
            "headlines": len(self.keys),
            "sample": sorted(self._hashes)[:SAMPLED],
            "taken_from": before.taken_from,
        }

    @cached_property
    def _hashes(self) -> set[str]:
        return hashes(self.keys)

    def _taken_on(self) -> History:
        """The corrections of an earlier version of the file: of several, of the one corrected last."""
        for stream in list(self.journal.streams(self._streams))[:LOOKED_AT]:
            entries = self.journal.read(stream)
            sample = set(map(str, _head(entries).get("sample", ())))
            if sample and len(sample & self._hashes) >= SHARED * len(sample):
                found = self._history(stream, entries)
                if found.corrections:
                    return replace(found, taken_from=_head(entries).get("timeline", "") or "another file")
        return History()

    def _history(self, stream: str, entries: tuple[Entry, ...]) -> History:
        """The corrections in a stream; only what is new since the last look is parsed."""
        known, before = _PARSED.get((self.journal, stream), ((), History()))
        if entries is known:
            return before
        if known and (len(entries) < len(known) or entries[len(known) - 1] is not known[-1]):
            known, before = (), History()
        news = read_objects(one.body for one in entries[len(known) :] if _is_correction(one))
        history = replace(
            before.with_more(news.corrections),
            damaged=before.damaged + news.damaged,
            newer=before.newer + news.newer,
            taken_from=_head(entries).get("taken_from", ""),
        )
        if len(_PARSED) >= LOOKED_AT:
            _PARSED.clear()
        _PARSED[self.journal, stream] = entries, history
        return history


def store_of(timeline: Timeline, journal: Journal | None = None, owner: str = "") -> CorrectionStore:
    """The store of a timeline.

    Args:
        timeline: As it was given.
        journal: Where corrections are stored; None for the one of this installation.
        owner: Whose corrections; "" without a workshop.
    """
    keys = tuple(keys_of(timeline))
    return CorrectionStore(journal or the_journal(), owner, timeline.fingerprint, timeline.name, keys)


def _entry(correction: Correction) -> NewEntry:
    one = correction
    return NewEntry(kind=one.kind.value, who=one.who, when=one.when, id=one.id, body=as_object(one))


def _is_correction(entry: Entry) -> bool:
    """Whether an entry is one, and not all of its headlines were removed on request."""
    return entry.kind != _TIMELINE and not (entry.body.get("forgotten") and not entry.body.get("headlines"))


def _head(entries: Sequence[Entry]) -> Mapping[str, Any]:
    return next((one.body for one in entries if one.kind == _TIMELINE), {})
