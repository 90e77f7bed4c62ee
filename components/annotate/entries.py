"""The entries of people, read on at each look and stored one at a time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from components.annotate import state
from core.people.annotation.entry import Entry


@cache
def _kept() -> dict[str, list[Entry]]:
    return {}


def read(stream: str) -> list[Entry]:
    """The entries of a stream so far, in their order."""
    return list(_kept().get(stream, []))


def record(stream: str, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did."""
    found = _kept().setdefault(stream, [])
    found.append(
        Entry(
            sequence=len(found) + 1,
            stream=stream,
            kind=kind,
            who=state.annotator(),
            when=datetime.now(UTC),
            id=secrets.token_hex(16),
            body=body,
        )
    )
