"""What is recorded of one thing that somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that somebody did; nothing is ever changed or taken out.

    Attributes:
        sequence: Place in its stream, from 1.
        stream: What it is about.
        kind: What was done.
        who: Name of the person.
        when: Time in UTC.
        id: Chosen by the writer; a second entry with the same id is not kept.
        body: What was done and what was shown, as JSON holds it.
    """

    sequence: int
    stream: str
    kind: str
    who: str
    when: datetime
    id: str
    body: Mapping[str, Any] = field(default_factory=dict)
