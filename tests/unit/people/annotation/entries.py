"""Entries of people, as a journal gives them back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from core.journal.journal import Entry

BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def entries(*done: tuple[str, str, dict[str, Any]]) -> list[Entry]:
    """Who did what: name, kind and body; ids are "1", "2" and so on, a minute lies between."""
    return [
        Entry(sequence=at, stream="s", kind=kind, who=who, when=BEGIN + at * MINUTE, id=str(at), body=body)
        for at, (who, kind, body) in enumerate(done, 1)
    ]
