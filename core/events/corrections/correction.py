"""One correction: what was said about which headlines, by whom and when; and its form as a line of JSON."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from core import limits
from core.data.timelines.timeline import Field, Timeline
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


class HeadlineKey(NamedTuple):
    """What a headline is known by in every file that holds it, in any order of rows.

    Attributes:
        text: As the program shows it.
        day: ISO date in UTC; "" where it is not known.
        outlet: "" where it is not known.
    """

    text: str
    day: str
    outlet: str


Keys = tuple[HeadlineKey, ...]


def keys_of(timeline: Timeline) -> list[HeadlineKey]:
    """The key of each headline, in order. Headlines that agree in text, day and outlet share one."""
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    columns = (timeline.texts, days, timeline.publishers)
    return [HeadlineKey(text, day, outlet or "") for text, day, outlet in zip(*columns, strict=True)]


def places(timeline: Timeline) -> dict[HeadlineKey, tuple[int, ...]]:
    """The rows of each key of a timeline."""
    rows: dict[HeadlineKey, list[int]] = defaultdict(list)
    for row, key in enumerate(keys_of(timeline)):
        rows[key].append(row)
    return {key: tuple(found) for key, found in rows.items()}


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


def checked_text(text: str, kind: Kind) -> str:
    """A title or note as one line.

    Raises:
        InputError: It is too long.
    """
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
        "headlines": one.headlines,
        "to": one.to,
        "rest": one.rest,
        "clear": one.clear,
        "held": one.held,
        "text": one.text,
        "method": one.method,
    }
    return {name: value for name, value in told.items() if value not in ((), "")}


def from_object(told: Mapping[str, Any]) -> Correction:
    """The correction that plain data says.

    Raises:
        ValueError: It is none.
    """
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
    return tuple(map(_key, told))


def _key(told: Any) -> HeadlineKey:
    most = limits.HEADLINE_CHARACTERS.value, 10, limits.FIELD_CHARACTERS.value
    if not isinstance(told, list) or len(told) != 3:
        raise ValueError("headlines")
    parts = tuple(told)
    if not all(isinstance(part, str) and len(part) <= limit for part, limit in zip(parts, most, strict=True)):
        raise ValueError("headlines")
    return HeadlineKey(*parts)
