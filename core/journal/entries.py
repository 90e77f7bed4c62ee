"""Entries: who did what, and when."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

LONGEST_NAME: Final = 200  # characters of a stream, kind, person or id


def new_id() -> str:
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    kind: str  # what was done, as the subject that appends it calls it
    who: str = ""  # who did it; "" for nobody in particular
    body: Mapping[str, Any] = field(default_factory=dict)  # what was answered and shown, as JSON
    when: datetime = field(default_factory=lambda: datetime.now(UTC))  # UTC
    id: str = field(default_factory=new_id)  # a form that was sent twice counts once


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(NewEntry):
    sequence: int  # place among all entries of the database, from 1; later ones have higher ones
    stream: str  # what it is about, as in "corrections/" and the fingerprint of a timeline
