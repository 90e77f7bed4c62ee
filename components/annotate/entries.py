"""The entries of annotators: stored one at a time, in the name of this session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components.annotate import state
from core.data.answers import Answers
from core.journal.entry import NewEntry


def record(answers: Answers, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did; it is on the disk when this returns.

    Raises:
        DataSourceError: It cannot be stored.
    """
    answers.append([NewEntry(kind=kind, who=state.annotator(), body=body)])
