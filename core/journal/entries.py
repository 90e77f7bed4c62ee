"""Entries, who did what and when, states that follow from them, and their receipts; no database."""

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

from core.errors import InputError

LONGEST_NAME: Final = 200  # characters of a stream, kind, person or id


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    kind: str  # what was done, as the subject that appends it calls it
    who: str = ""  # who did it; "" for nobody in particular
    body: Mapping[str, Any] = field(default_factory=dict)  # what was answered and shown, as JSON
    when: datetime = field(default_factory=lambda: datetime.now(UTC))  # UTC
    id: str = field(default_factory=lambda: secrets.token_hex(16))  # a form that was sent twice counts once


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(NewEntry):
    sequence: int  # place among all entries of the database, from 1; later ones have higher ones
    stream: str  # what it is about, as in "corrections/" and the fingerprint of a timeline


State = TypeVar("State")

_MOST: Final = 500


@dataclass(slots=True, eq=False)
class Folds(Generic[State]):
    """States by the key of their log, brought up to date at each look; those of the oldest looks go first."""

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


DIGITS: Final = 32  # of a receipt, hex: the id in it is random, so that nobody guesses one from an answer
_LIST: Final = "headline-lab receipts 1"


def receipt(entry: Entry) -> str:
    """What stands for an entry: of its place, its writer, its moment and all that it says."""
    when = entry.when.astimezone(UTC).isoformat(timespec="microseconds")
    said = json.dumps([entry.stream, entry.id, entry.kind, entry.who, when, entry.body], sort_keys=True)
    return sha256(said.encode("ascii")).hexdigest()[:DIGITS]


def published(receipts: Iterable[str], study: str) -> str:
    """The list as it is published: a line each, with a hash over all before it; the last stands for all.

    Each hash is the SHA-256 of the one before, a space and the receipt; the first of the study's hash.
    """
    link, lines = study, []
    for given in receipts:
        link = sha256(f"{link} {given}".encode("ascii")).hexdigest()
        lines.append(f"{given} {link}")
    return "\n".join([f"{_LIST} {study}", *lines, ""])


def missing_receipts(own: Iterable[str], published_list: str, name: str) -> list[str]:
    """Those of one's receipts that are not in a published list; refuses a list that was changed."""
    head, *lines = published_list.strip().split("\n")
    words = head.split(" ")
    given = [line.split(" ")[0] for line in lines]
    if " ".join(words[:-1]) != _LIST or published(given, words[-1]) != published_list.strip() + "\n":
        raise InputError(f"{name[:80]} is no list of receipts, or it was changed.", hint="Download it again.")
    return [receipt for receipt in own if receipt not in set(given)]
