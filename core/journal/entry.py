"""Entries, who did what and when, which never change, and the states that follow from them."""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

from core import limits
from core.errors import InputError

LONGEST_NAME: Final = 200
"""Characters of a stream, kind, person or id."""


def new_id() -> str:
    """An id that no other entry has: 32 hex digits."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What is to be stored.

    Attributes:
        kind: What was done, as the subject that appends it calls it.
        who: Who did it; "" for nobody in particular.
        body: What was answered, what was shown, and its version, as plain JSON values.
        when: UTC.
        id: Chosen by the writer: appending the same id to the same stream again stores nothing more, so
            that a form which was sent twice counts once.
    """

    kind: str
    who: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: str = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(NewEntry):
    """An entry that is stored.

    Attributes:
        sequence: Place among all entries of the database, from 1; later ones have higher ones.
        stream: What it is about, as in "corrections/" and the fingerprint of a timeline.
    """

    sequence: int
    stream: str


def checked_name(name: str, what: str) -> str:
    """A stream, kind, person or id that every database can hold."""
    if len(name) > LONGEST_NAME:
        raise InputError(
            f"The {what} has {len(name):,} characters; at most {LONGEST_NAME} are stored.", hint="Shorten it."
        )
    if "\0" in name or name != name.encode("utf-8", errors="replace").decode("utf-8"):
        raise InputError(f"The {what} {name!r} holds characters that are no text.", hint="Type it again.")
    return name


def body_text(body: Mapping[str, Any]) -> str:
    """A body as it is stored: JSON in ASCII, in one line."""
    text = json.dumps(body, allow_nan=False, sort_keys=True, separators=(",", ":"))
    most = limits.ENTRY_CHARACTERS.value
    if len(text) > most:
        raise InputError(
            f"An entry of {len(text):,} characters cannot be stored; at most {most:,} are.",
            hint=f"Answer in fewer words, or raise {limits.ENTRY_CHARACTERS.variable}.",
        )
    return text


State = TypeVar("State")

_MOST: Final = 500


@dataclass(slots=True, eq=False)
class Folds(Generic[State]):
    """States by the key of their log, brought up to date at each look; those of the oldest looks go first.

    Entries are appended and never change, so a state stays true until some are removed: then it begins anew.
    An entry that is in a log twice, as when two versions of a file have it, counts where it came first.
    """

    _known: OrderedDict[Hashable, tuple[Sequence[Entry], set[str], State]] = field(
        default_factory=OrderedDict
    )
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def fold(
        self,
        key: Hashable,
        entries: Sequence[Entry],
        begin: Callable[[], State],
        more: Callable[[State, Sequence[Entry]], State],
    ) -> State:
        """The state after all entries of a log; `more` folds further ones into a state."""
        with self._turn:
            known = self._known.pop(key) if key in self._known else ((), set(), begin())
            seen, ids, state = known
            if seen and (len(entries) < len(seen) or entries[len(seen) - 1] is not seen[-1]):
                seen, ids, state = (), set(), begin()
            new = []
            for entry in entries[len(seen) :]:
                if entry.id not in ids:
                    ids.add(entry.id)
                    new.append(entry)
            if new:
                state = more(state, new)
            self._known[key] = entries, ids, state
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
            return state

    def clear(self) -> None:
        """Forgets all states, as another process begins."""
        with self._turn:
            self._known.clear()
