"""What people said about the headlines of a file, in the journal: found again when the file has changed.

An answer is stored with the key of its headline, in a stream of its subject and of the file that was open.
The stream `headlines` has the ids of the headlines of each such file; answers about every file that is a
version of this one are read together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from typing import Any, Final

from core.data.identity import HeadlineId, HeadlineIndex, HeadlineKey
from core.journal.entry import Entry, NewEntry
from core.journal.journal import Journal
from core.results.render import count_words

FILES: Final = "headlines"
"""The stream of the files about which something was answered."""
ROWS: Final = ("row", "with")
"""Names in a body under which rows of the file stand; they are stored as keys."""
_SEEN: Final[dict[object, Any]] = {}
_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """How many headlines that were answered about are in a file: agreeing in all, changed, and no longer."""

    same: int = 0
    changed: int = 0
    gone: int = 0

    def sentence(self, what: str = "answered", noun: str = "headline") -> str:
        """For people; "" where nothing was answered."""
        if not self.same + self.changed + self.gone:
            return ""
        found = count_words(self.same + self.changed, f"{what} {noun}", f"{what} {noun}s")
        return f"{found} found in this file, {self.changed:,} of them changed since; {self.gone:,} gone."


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one subject about the headlines of one file.

    Attributes:
        journal: Where they are.
        subject: What the names of their streams begin with.
        index: The headlines.
    """

    journal: Journal
    subject: str
    index: HeadlineIndex

    @property
    def stream(self) -> str:
        """Where answers are stored while this file is open."""
        return f"{self.subject}/{self.index.fingerprint}"

    def files(self) -> dict[str, frozenset[HeadlineId]]:
        """The headlines of every known version of this file, by fingerprint; this one among them.

        Raises:
            DataSourceError: They cannot be read.
        """
        own = self.index.fingerprint
        entries = self.journal.read(FILES)
        found: dict[str, frozenset[HeadlineId]]
        known, found = _SEEN.get((self.journal, own), ((), {own: frozenset(self.index.ids)}))
        if entries is not known:
            begun = len(known) if _begins(entries, known) else 0
            found = dict(found) if begun else {own: frozenset(self.index.ids)}
            for entry in entries[begun:]:
                ids = frozenset(str(entry.body.get("ids", "")).split())
                if entry.id != own and self.index.shares(ids):
                    found[entry.id] = ids
            _remember((self.journal, own), (entries, found))
        return found

    def entries(self) -> tuple[Entry, ...]:
        """Everything that was answered about any version of the file, in its order, as it was stored."""
        parts = [part for file in self.files() if (part := self.journal.read(f"{self.subject}/{file}"))]
        if len(parts) < 2:
            return parts[0] if parts else ()
        place = (self.journal, self.stream)
        joined: tuple[Entry, ...]
        known, joined = _SEEN.get(place, ((), ()))
        if len(known) != len(parts) or any(one is not other for one, other in zip(known, parts, strict=True)):
            joined = tuple(merge(*parts, key=lambda entry: entry.sequence))
            _remember(place, (parts, joined))
        return joined

    def read(self) -> tuple[Entry, ...]:
        """The answers about the headlines of this file, with rows in the place of keys.

        Raises:
            DataSourceError: They cannot be read.
        """
        return self._read()[1]

    def found_again(self) -> FoundAgain:
        """How many of the headlines that were answered about are here."""
        return self._read()[2]

    def damaged(self) -> int:
        """How many entries name a headline by what is no key; they are left out."""
        return sum(None in _keys(entry.body).values() for entry in self.entries())

    def append(self, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        """Stores answers, all or none, with keys in the place of rows; they are on the disk at the end.

        Raises:
            InputError: One is too long.
            DataSourceError: They cannot be stored.
        """
        self.know()
        return self.journal.append(self.stream, [replace(one, body=self._keyed(one.body)) for one in entries])

    def know(self) -> None:
        """Stores which headlines the file has, where that is not known."""
        own = self.index.fingerprint
        if not any(entry.id == own for entry in self.journal.read(FILES)):
            body = {"ids": " ".join(sorted(self.index.ids))}
            self.journal.append(FILES, [NewEntry(kind="file", id=own, body=body)])

    def _keyed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        keys = self.index.keys
        return {
            name: keys[value].body() if name in ROWS and type(value) is int and value >= 0 else value
            for name, value in body.items()
        }

    def _read(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...], FoundAgain]:
        entries = self.entries()
        place = (self.journal, self.subject, self.index)
        seen, here, rows = _SEEN.get(place, ((), (), {}))
        if entries is not seen:
            begun = len(seen) if _begins(entries, seen) else 0
            keyed = [_keys(entry.body) for entry in entries[begun:]]
            if not all(key in rows or key in self.index.row for key in _named(keyed)):
                # Which headlines are lost decides what each of them may be.
                begun, keyed = 0, [_keys(entry.body) for entry in entries]
            rows = rows if begun else {}
            new = _named(keyed) - rows.keys()
            found = self.index.found(new, list(self.files().values()))
            rows = {**rows, **{key: found.get(key) for key in new}}
            here = (*(here if begun else ()), *_at(rows, entries[begun:], keyed))
            _remember(place, (entries, here, rows))
        found_rows = {key: row for key, row in rows.items() if row is not None}
        same = sum(self.index.keys[row] == key for key, row in found_rows.items())
        return entries, here, FoundAgain(same, len(found_rows) - same, len(rows) - len(found_rows))


def _at(
    rows: Mapping[HeadlineKey, int | None], entries: Sequence[Entry], keyed: Sequence[Mapping[str, Any]]
) -> Iterator[Entry]:
    for entry, keys in zip(entries, keyed, strict=True):
        now = {name: rows[key] if isinstance(key, HeadlineKey) else key for name, key in keys.items()}
        if None not in now.values():
            yield replace(entry, body={**entry.body, **now})


def _named(keyed: Iterable[Mapping[str, Any]]) -> set[HeadlineKey]:
    return {key for keys in keyed for key in keys.values() if isinstance(key, HeadlineKey)}


def _keys(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _key(body[name]) for name in ROWS if name in body}


def _begins(entries: Sequence[Entry], seen: Sequence[Entry]) -> bool:
    return 0 < len(seen) <= len(entries) and entries[len(seen) - 1] is seen[-1]


def _key(cell: Any) -> HeadlineKey | int | None:
    if type(cell) is int:
        return cell if cell < 0 else None
    try:
        return HeadlineKey.of(cell)
    except ValueError:
        return None


def _remember(place: object, value: Any) -> None:
    if len(_SEEN) >= _MOST:
        _SEEN.clear()
    _SEEN[place] = value
