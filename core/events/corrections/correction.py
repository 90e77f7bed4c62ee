"""One correction: what was said about which headlines, by whom and when; and its form as a line of JSON."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from core.data.identity import HeadlineKey
from core.errors import InputError
from core.text.normalise import clean_line

FORMAT: Final = 1
LONGEST_TITLE: Final = 300
LONGEST_NOTE: Final = 1_000
LONGEST_WHO: Final = 60


class Kind(StrEnum):
    """What a correction does."""

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
STEPS: Final = frozenset({Kind.UNDO, Kind.REDO})
"""Kinds that are about another correction."""


Keys = tuple[HeadlineKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One entry of the log.

    Attributes:
        kind: What it does.
        headlines: What it is about: those that are moved, split off, merged, renamed, ….
        to: Headlines of the event that they are moved into or merged with.
        rest: Headlines of the events that they leave: they are parted from these.
        clear: Headlines of further events that the method would join them with, and from which they are
            parted, too.
        held: Sets that stay apart from each other as they are, so that nothing else changes.
        text: A title or note; "on" or "off" of a star; the level; the id of the correction that is undone or
            done again.
        method: What the level is for: encoder, scorer and grouping method.
        who: Name or initials; "" where none was given.
        when: UTC.
        id: 16 hex digits.
    """

    kind: Kind
    headlines: Keys = ()
    to: Keys = ()
    rest: Keys = ()
    clear: Keys = ()
    held: tuple[Keys, ...] = ()
    text: str = ""
    method: str = ""
    who: str = ""
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: str = field(default_factory=lambda: secrets.token_hex(8))

    def about(self) -> set[HeadlineKey]:
        """Every headline that it names."""
        return {
            *self.headlines,
            *self.to,
            *self.rest,
            *self.clear,
            *(key for keys in self.held for key in keys),
        }

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
    """A title or note as one line."""
    line, most = clean_line(text), LONGEST_NOTE if kind is Kind.NOTE else LONGEST_TITLE
    if len(line) > most:
        raise InputError(
            f"The {'note' if kind is Kind.NOTE else 'title'} has {len(line):,} characters; at most {most:,} "
            "are kept.",
            hint="Shorten it.",
        )
    return line


def checked_who(name: str) -> str:
    """A name as one line, cut where it is too long."""
    return clean_line(name)[:LONGEST_WHO]


def as_line(correction: Correction) -> bytes:
    """One line of the log, with its end."""
    return f"{json.dumps(as_object(correction))}\n".encode("ascii")


def as_object(correction: Correction) -> dict[str, Any]:
    """Plain data; what is empty is left out."""
    one = correction
    told: dict[str, Any] = {
        "format": FORMAT,
        "id": one.id,
        "when": one.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "who": one.who,
        "kind": one.kind.value,
        "headlines": _bodies(one.headlines),
        "to": _bodies(one.to),
        "rest": _bodies(one.rest),
        "clear": _bodies(one.clear),
        "held": list(map(_bodies, one.held)),
        "text": one.text,
        "method": one.method,
    }
    return {name: value for name, value in told.items() if value not in ([], "")}


def from_object(told: Mapping[str, Any]) -> Correction:
    """The correction that plain data says."""
    if told.get("format") != FORMAT:
        raise ValueError("format")
    when = datetime.fromisoformat(_text(told, "when", 40))
    if when.tzinfo is None:
        raise ValueError("when")
    name = _text(told, "id", 16)
    if len(name) != 16 or not set(name) <= set("0123456789abcdef"):
        raise ValueError("id")
    kind = Kind(_text(told, "kind", 20))
    held = told.get("held", [])
    if not isinstance(held, list):
        raise ValueError("held")
    found = Correction(
        kind=kind,
        headlines=_keys(told.get("headlines", [])),
        to=_keys(told.get("to", [])),
        rest=_keys(told.get("rest", [])),
        clear=_keys(told.get("clear", [])),
        held=tuple(map(_keys, held)),
        text=clean_line(_text(told, "text", LONGEST_NOTE)),
        method=clean_line(_text(told, "method", 2_000)),
        who=checked_who(_text(told, "who", 1_000)),
        when=when.astimezone(UTC),
        id=name,
    )
    if kind is Kind.LEVEL and not 0.0 <= float(found.text) <= 1.0:
        raise ValueError("text")
    if kind in REGROUPS and not found.headlines:
        raise ValueError("headlines")
    return found


def _text(told: Mapping[str, Any], name: str, most: int) -> str:
    value = told.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(name)
    return value


def _keys(told: Any) -> Keys:
    if not isinstance(told, list):
        raise ValueError("headlines")
    return tuple(map(HeadlineKey.of, told))


def _bodies(keys: Keys) -> list[list[str | int]]:
    return [key.body() for key in keys]
