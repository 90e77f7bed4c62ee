"""People's answers about headlines, found again in other versions of their file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from typing import TYPE_CHECKING, Any, Final

from core.data.identity import HeadlineId, HeadlineIndex, HeadlineKey
from core.journal.entries import Entry, NewEntry
from core.journal.folds import Folds
from core.results.render import count_words

if TYPE_CHECKING:
    from core.journal.journal import Journal

FILES: Final = "headlines"  # the stream with the ids of the headlines of each file that was answered about
ROWS: Final = ("row", "with")  # names in a body under which rows of the file stand; they are stored as keys
VERSION: Final = "instructions"  # name in a body under which their version stands
Keys = Mapping[HeadlineKey, int | None]
Versions = dict[str, frozenset[HeadlineId]]  # the headlines of each version of a file, by its fingerprint
_FILES: Final[Folds[Versions]] = Folds()
Here = tuple[tuple[Entry, ...], Keys]  # the answers about headlines of this file, and the rows of all keys
_HERE: Final[Folds[Here]] = Folds()
_JOINED: Final[dict[object, tuple[list[tuple[Entry, ...]], tuple[Entry, ...]]]] = {}
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
        answered = count_words(self.same + self.changed, f"{what} {noun}", f"{what} {noun}s")
        return f"{answered} found in this file, {self.changed:,} of them changed since; {self.gone:,} gone."


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers, stored with keys of headlines by subject and file; those about versions of it are read too."""

    journal: "Journal"
    subject: str
    index: HeadlineIndex
    version: int = 0  # of the instructions that are shown, stored with each answer; 0 for none

    @property
    def stream(self) -> str:
        """Where answers are stored while this file is open."""
        return f"{self.subject}/{self.index.fingerprint}"

    def files(self) -> Versions:
        """The headlines of every known version of this file, by fingerprint; this one among them."""
        own = self.index.fingerprint

        def more(known: Versions, new: Sequence[Entry]) -> Versions:
            ids = {entry.id: frozenset(str(entry.body.get("ids", "")).split()) for entry in new}
            return known | {file: of for file, of in ids.items() if file != own and self.index.shares(of)}

        entries = self.journal.read(FILES)
        return {own: frozenset(self.index.ids)} | _FILES.fold((self.journal, own), entries, dict, more)

    def entries(self) -> tuple[Entry, ...]:
        """Everything that was answered about any version of the file, in its order, as it was stored."""
        parts = [part for file in self.files() if (part := self.journal.read(f"{self.subject}/{file}"))]
        if len(parts) < 2:
            return parts[0] if parts else ()
        place = (self.journal, self.stream)
        known, joined = _JOINED.get(place, ([], ()))
        if len(known) != len(parts) or any(old is not now for old, now in zip(known, parts, strict=True)):
            joined = tuple(merge(*parts, key=lambda entry: entry.sequence))
            if len(_JOINED) >= _MOST:
                _JOINED.clear()
            _JOINED[place] = parts, joined
        return joined

    def read(self) -> tuple[Entry, ...]:
        """The answers about the headlines of this file, with rows in the place of keys."""
        return self._here()[0]

    def found_again(self) -> FoundAgain:
        rows = self._here()[1]
        places = {key: row for key, row in rows.items() if row is not None}
        same = sum(self.index.keys[row] == key for key, row in places.items())
        return FoundAgain(same, len(places) - same, len(rows) - len(places))

    def damaged(self) -> int:
        """How many entries name a headline by what is no key; they are left out."""
        return sum(None in _keys(entry.body).values() for entry in self.entries())

    def append(self, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        """Stores answers, all or none, with keys in the place of rows; they are on the disk at the end."""
        self.know()
        keyed = [replace(entry, body=self._keyed(entry.body)) for entry in entries]
        return self.journal.append(self.stream, keyed)

    def know(self) -> None:
        """Stores which headlines the file has, where that is not known."""
        own = self.index.fingerprint
        if not any(entry.id == own for entry in self.journal.read(FILES)):
            body = {"ids": " ".join(sorted(self.index.ids))}
            self.journal.append(FILES, [NewEntry(kind="file", id=own, body=body)])

    def _keyed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        keys = self.index.keys
        keyed = {
            name: keys[value].body() if name in ROWS and type(value) is int and value >= 0 else value
            for name, value in body.items()
        }
        return keyed | {VERSION: self.version} if self.version else keyed

    def _here(self) -> Here:
        entries = self.entries()

        def more(known: Here, new: Sequence[Entry]) -> Here:
            here, rows = known
            keyed = [_keys(entry.body) for entry in new]
            if not all(key in rows or key in self.index.row for key in _named(keyed)):
                # Which headlines are lost decides what each of them may be.
                (here, rows), new = ((), {}), list({entry.id: entry for entry in entries}.values())
                keyed = [_keys(entry.body) for entry in new]
            unknown = _named(keyed) - rows.keys()
            places = self.index.rows_of(unknown, list(self.files().values()))
            rows = {**rows, **{key: places.get(key) for key in unknown}}
            return (*here, *_at(rows, new, keyed)), rows

        return _HERE.fold((self.journal, self.subject, self.index), entries, lambda: ((), {}), more)


def _at(rows: Keys, entries: Sequence[Entry], keyed: Sequence[Mapping[str, Any]]) -> Iterator[Entry]:
    for entry, keys in zip(entries, keyed, strict=True):
        now = {name: rows[key] if isinstance(key, HeadlineKey) else key for name, key in keys.items()}
        if None not in now.values():
            yield replace(entry, body={**entry.body, **now})


def _named(keyed: Iterable[Mapping[str, Any]]) -> set[HeadlineKey]:
    return {key for keys in keyed for key in keys.values() if isinstance(key, HeadlineKey)}


def _keys(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _key(body[name]) for name in ROWS if name in body}


def _key(cell: Any) -> HeadlineKey | int | None:
    if type(cell) is int:
        return cell if cell < 0 else None
    try:
        return HeadlineKey.of(cell)
    except ValueError:
        return None
