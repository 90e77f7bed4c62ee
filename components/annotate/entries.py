"""The entries of annotators: read at each look, stored one at a time, in the name of this session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from components.annotate import state
from core.journal.entry import Entry, NewEntry
from core.journal.journal import the_journal


def read(stream: str) -> Sequence[Entry]:
    """The entries of a stream so far, in their order.

    Raises:
        DataSourceError: They cannot be read.
    """
    return the_journal().read(stream)


def record(stream: str, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did; it is on the disk when this returns.

    Raises:
        DataSourceError: It cannot be stored.
    """
    the_journal().append(stream, [NewEntry(kind=kind, who=state.annotator(), body=body)])
