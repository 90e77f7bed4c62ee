"""One correction: what was said about which headlines, by whom and when; and its form as a line of JSON."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from core import limits
from core.data.identity import HeadlineId, HeadlineIndex, HeadlineKey
from core.errors import InputError
from core.groups.constraints import Statement
from core.results.render import count_words
from core.text.normalise import clean_line

FORMAT: Final = 1
LONGEST_TITLE: Final = 300
LONGEST_NOTE: Final = 1_000
LONGEST_WHO: Final = 60
_LISTS: Final = ("headlines", "to", "rest", "clear")  # fields that hold keys of headlines
Keys = tuple[HeadlineKey, ...]
_REMEMBERED: Final = 20_000  # corrections whose digest is known
_DAMAGED, _NEWER = "damaged", "newer"
NAME: Final = "headline_lab_corrections"
_HINT: Final = "Give a file that “Export corrections” or an export of groups as JSON wrote."


class Kind(StrEnum):
    MOVE = "move"
    SPLIT = "split"
    MERGE = "merge"
    NOT_AN_EVENT = "not_an_event"
    RENAME = "rename"
    NOTE = "note"
    STAR = "star"
    LEVEL = "level"
    UNDO = "undo"
    REDO = "redo"


REGROUPS: Final = frozenset({Kind.MOVE, Kind.SPLIT, Kind.MERGE, Kind.NOT_AN_EVENT})
"""Kinds that say which headlines are one event."""
STEPS: Final = frozenset({Kind.UNDO, Kind.REDO})  # kinds that are about another correction


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    kind: Kind  # what it does
    headlines: Keys = ()  # what it is about: those that are moved, split off, merged, renamed, …
    to: Keys = ()  # headlines of the event that they are moved into or merged with, or compared with
    rest: Keys = ()  # headlines of the events that they leave: they are parted from these
    clear: Keys = ()  # of further events that the method would join them with: parted, too
    # Sets that stay apart as they are; of an answer: what is held as one event (two events: `rest`, `clear`).
    held: tuple[Keys, ...] = ()
    text: str = ""  # a title or note
    method: str = ""  # what the level is for: encoder, scorer and grouping method
    who: str = ""  # name or initials; "" where none was given
    asked: str = ""  # signature of the model that said it, with who answered and when; "" where a person did
    when: datetime = field(default_factory=lambda: datetime.now(UTC))  # UTC
    id: str = field(default_factory=lambda: secrets.token_hex(8))  # 16 hex digits

    @property
    def unsure(self) -> bool:
        """An answer of "not sure": nothing is held together or apart."""
        return self.kind is Kind.LEVEL and bool(self.headlines) and not (self.held or self.rest)

    def about(self) -> set[HeadlineKey]:
        sets = (self.headlines, self.to, self.rest, self.clear, *self.held)
        return {key for keys in sets for key in keys}

    def renamed(self, now: Mapping[HeadlineKey, HeadlineKey]) -> Correction:
        """The same about headlines as they are known now; those that are gone stay as they were."""

        def of(keys: Keys) -> Keys:
            return tuple(now.get(key, key) for key in keys)

        return replace(
            self,
            headlines=of(self.headlines),
            to=of(self.to),
            rest=of(self.rest),
            clear=of(self.clear),
            held=tuple(map(of, self.held)),
        )


def checked_text(text: str, kind: Kind) -> str:
    line, most = clean_line(text), LONGEST_NOTE if kind is Kind.NOTE else LONGEST_TITLE
    if len(line) > most:
        raise InputError(
            f"The {'note' if kind is Kind.NOTE else 'title'} has {len(line):,} characters; at most {most:,} "
            "are kept.",
            hint="Shorten it.",
        )
    return line


def checked_who(name: str) -> str:
    return clean_line(name)[:LONGEST_WHO]


def as_object(correction: Correction) -> dict[str, Any]:
    """Plain data; what is empty is left out."""
    plain: dict[str, Any] = {
        "format": FORMAT,
        "id": correction.id,
        "when": correction.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "who": correction.who,
        "asked": correction.asked,
        "kind": correction.kind.value,
        **{name: _bodies(getattr(correction, name)) for name in _LISTS},
        "held": list(map(_bodies, correction.held)),
        "text": correction.text,
        "method": correction.method,
    }
    return {name: value for name, value in plain.items() if value not in ([], "")}


def from_object(plain: Mapping[str, Any]) -> Correction:
    if plain.get("format") != FORMAT:
        raise ValueError("format")
    when = datetime.fromisoformat(_text(plain, "when", 40))
    if when.tzinfo is None:
        raise ValueError("when")
    name = _text(plain, "id", 16)
    if len(name) != 16 or not set(name) <= set("0123456789abcdef"):
        raise ValueError("id")
    kind = Kind(str(plain.get("kind")))
    held = plain.get("held", [])
    if not isinstance(held, list):
        raise ValueError("held")
    correction = Correction(
        kind=kind,
        **{name: _keys(plain.get(name, [])) for name in _LISTS},
        held=tuple(map(_keys, held)),
        text=clean_line(_text(plain, "text", LONGEST_NOTE)),
        method=clean_line(_text(plain, "method", 2_000)),
        who=checked_who(_text(plain, "who", 1_000)),
        asked=clean_line(_text(plain, "asked", 2_000)),
        when=when.astimezone(UTC),
        id=name,
    )
    if kind is Kind.LEVEL and not 0.0 <= float(correction.text) <= 1.0:
        raise ValueError("text")
    if kind is Kind.LEVEL and len(correction.rest) != len(correction.clear):
        raise ValueError("rest")
    if kind in REGROUPS and not correction.headlines:
        raise ValueError("headlines")
    if kind is Kind.LEVEL and not len(correction.headlines) == len(correction.to) <= 1:
        raise ValueError("to")
    return correction


def _text(plain: Mapping[str, Any], name: str, most: int) -> str:
    value = plain.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(name)
    return value


def _keys(keys: Any) -> Keys:
    if not isinstance(keys, list):
        raise ValueError("headlines")
    return tuple(map(HeadlineKey.of, keys))


def _bodies(keys: Keys) -> list[list[str | int]]:
    return [key.body() for key in keys]


@dataclass(frozen=True, slots=True, eq=False)
class History:
    corrections: tuple[Correction, ...] = ()  # all of them by time; undo and redo are corrections, too
    damaged: int = 0  # entries that could not be read
    newer: int = 0  # entries that a newer version wrote
    changed: frozenset[HeadlineKey] = frozenset()  # read differently in the file they were corrected in
    in_force: tuple[Correction, ...] = field(init=False)  # corrections that are not undone, in their order
    undone: tuple[Correction, ...] = field(init=False)  # what "redo" does again, the next one last

    def __post_init__(self) -> None:
        by_id = {correction.id: correction for correction in self.corrections if correction.kind not in STEPS}
        done: dict[str, None] = {}
        made, undone = set[str](), list[str]()
        for correction in self.corrections:
            if correction.kind is Kind.UNDO and correction.text in done:
                del done[correction.text]
                undone.append(correction.text)
            elif correction.kind is Kind.REDO and correction.text in made and correction.text not in done:
                undone = [name for name in undone if name != correction.text]
                done[correction.text] = None
            elif correction.kind not in STEPS:
                made.add(correction.id)
                done[correction.id] = None
                undone.clear()
        now = tuple(each for each in self.corrections if each.id in done and each.kind not in STEPS)
        object.__setattr__(self, "in_force", now)
        object.__setattr__(self, "undone", tuple(by_id[name] for name in undone))

    @property
    def last(self) -> Correction | None:
        """The correction that "undo" takes back: the last one done, or done again."""
        order = [entry.text if entry.kind is Kind.REDO else entry.id for entry in self.corrections]
        done = {correction.id: correction for correction in self.in_force}
        return next((done[name] for name in reversed(order) if name in done), None)

    @property
    def digest(self) -> str:
        """16 hex digits over what is in force; "" for nothing."""
        if not self.in_force:
            return ""
        return sha256(b"".join(map(_digest, self.in_force))).hexdigest()[:16]

    @property
    def asked(self) -> tuple[str, ...]:
        """Signatures of the models whose answers are in force."""
        return tuple(dict.fromkeys(each.asked for each in self.in_force if each.asked))

    @property
    def problem(self) -> str:
        """One sentence on what could not be read; "" where all could."""
        parts = []
        if self.damaged:
            entries, are = count_words(self.damaged, "entry", "entries"), "is" if self.damaged == 1 else "are"
            parts.append(f"{entries} of the stored corrections {are} damaged")
        if self.newer:
            made = count_words(self.newer, "correction was", "corrections were")
            parts.append(f"{made} made by a newer version of Headline Lab")
        return f"{' and '.join(parts)}; the rest is in force." if parts else ""

    def with_more(self, more: Iterable[Correction]) -> History:
        """The same with more corrections; each counts once."""
        return replace(self, corrections=in_order([*self.corrections, *more]))

    def at(self, index: HeadlineIndex, files: Sequence[Collection[HeadlineId]] = ()) -> History:
        """The same about the headlines of one file, where they are found again."""
        named = {key for correction in self.corrections for key in correction.about()}
        rows = index.rows_of(named, files or [{key.id for key in named}])
        now = {key: index.keys[row] for key, row in rows.items() if key != index.keys[row]}
        if not now:
            return self
        renamed = tuple(correction.renamed(now) for correction in self.corrections)
        return replace(self, corrections=renamed, changed=frozenset(now.values()))

    def statements(self, number: Mapping[HeadlineKey, int]) -> list[Statement]:
        """What is in force about which headlines are one event, with a number for each headline."""

        def of(keys: Iterable[HeadlineKey]) -> tuple[int, ...]:
            return tuple(number[key] for key in keys)

        said = []
        for correction in self.in_force:
            if correction.kind is Kind.LEVEL:
                answers = zip(of(correction.rest), of(correction.clear), strict=True)
                different = tuple(((left,), (right,)) for left, right in answers)
                said.append(Statement(together=tuple(map(of, correction.held)), apart=different))
            if correction.kind not in REGROUPS:
                continue
            ours, held = of((*correction.headlines, *correction.to)), tuple(map(of, correction.held))
            pairs = [(left, right) for at, left in enumerate(held) for right in held[at + 1 :]]
            if correction.kind is Kind.NOT_AN_EVENT:
                said.append(Statement(together=held, apart=tuple(pairs), alone=ours))
            else:
                parted = of((*correction.rest, *correction.clear))
                apart = ((ours, parted), *pairs) if parted else tuple(pairs)
                said.append(Statement(together=(ours, *held), apart=apart))
        return said


def in_order(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """Corrections by time, each id once; of the same time in the order given."""
    once: dict[str, Correction] = {}
    for correction in corrections:
        once.setdefault(correction.id, correction)
    return tuple(sorted(once.values(), key=lambda correction: correction.when))


def read_objects(objects: Iterable[Any]) -> History:
    """The corrections that plain data says, as `as_object` writes them."""
    read = [_read(body) for body in objects]
    corrections = in_order(correction for correction in read if isinstance(correction, Correction))
    return History(corrections, damaged=read.count(_DAMAGED), newer=read.count(_NEWER))


def _read(plain: Any) -> Correction | str:
    try:
        if not isinstance(plain, dict):
            return _DAMAGED
        version = plain.get("format")
        return _NEWER if type(version) is int and version > FORMAT else from_object(plain)
    except (ValueError, TypeError):
        return _DAMAGED


@lru_cache(maxsize=_REMEMBERED)
def _digest(correction: Correction) -> bytes:
    return sha256(f"{json.dumps(as_object(correction))}\n".encode("ascii")).digest()


def log_object(history: History) -> dict[str, Any]:
    return {NAME: FORMAT, "corrections": [as_object(correction) for correction in history.corrections]}


def log_bytes(history: History) -> bytes:
    """The whole log as JSON, one correction a line."""
    lines = ",\n".join(
        json.dumps(as_object(correction), ensure_ascii=False) for correction in history.corrections
    )
    return f'{{"{NAME}": {FORMAT}, "corrections": [\n{lines}\n]}}\n'.encode()


def read_log(content: bytes) -> History:
    """The log in a file: one that was exported, or an export of groups as JSON."""
    try:
        log = json.loads(content)
    except (ValueError, RecursionError):
        log = None
    if isinstance(log, dict) and NAME not in log and isinstance(log.get("log"), dict):
        log = log["log"]
    if not isinstance(log, dict) or NAME not in log:
        raise InputError("This file holds no corrections.", hint=_HINT)
    if log[NAME] != FORMAT:
        message = "A newer version of Headline Lab wrote these corrections."
        raise InputError(message, hint="Update Headline Lab.")
    entries = log.get("corrections")
    if not isinstance(entries, list):
        raise InputError("This file of corrections is damaged.", hint=_HINT)
    history = read_objects(entries)
    most = limits.CORRECTIONS.value
    if len(history.corrections) > most:
        message = f"This file holds {len(history.corrections):,} corrections; at most {most:,} are taken."
        raise InputError(message, hint=f"Raise {limits.CORRECTIONS.variable}.")
    return history
