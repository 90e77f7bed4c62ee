"""Corrections as a file that others open: a log alone, or the one inside an export of groups."""

from __future__ import annotations

import json
from typing import Any, Final

from core import limits
from core.data.timelines.load import read_bytes
from core.errors import InputError
from core.events.corrections.correction import FORMAT, as_object
from core.events.corrections.history import History, read_objects

NAME: Final = "headline_lab_corrections"
_HINT: Final = "Give a file that “Export corrections” or an export of groups as JSON wrote."


def log_object(history: History) -> dict[str, Any]:
    """The whole log as plain data, undone corrections too."""
    return {NAME: FORMAT, "corrections": [as_object(one) for one in history.corrections]}


def log_bytes(history: History) -> bytes:
    """The whole log as JSON, one correction a line."""
    lines = ",\n".join(json.dumps(as_object(one), ensure_ascii=False) for one in history.corrections)
    return f'{{"{NAME}": {FORMAT}, "corrections": [\n{lines}\n]}}\n'.encode()


def read_log(content: bytes) -> History:
    """The log in a file: one that was exported, or an export of groups as JSON."""
    told = _parsed(content)
    if isinstance(told, dict) and NAME not in told and isinstance(told.get("log"), dict):
        told = told["log"]
    if not isinstance(told, dict) or NAME not in told:
        raise InputError("This file holds no corrections.", hint=_HINT)
    if told[NAME] != FORMAT:
        raise InputError(
            "A newer version of Headline Lab wrote these corrections.", hint="Update Headline Lab."
        )
    entries = told.get("corrections")
    if not isinstance(entries, list):
        raise InputError("This file of corrections is damaged.", hint=_HINT)
    history = read_objects(entries)
    most = limits.CORRECTIONS.value
    if len(history.corrections) > most:
        raise InputError(
            f"This file holds {len(history.corrections):,} corrections; at most {most:,} are taken.",
            hint=f"Raise {limits.CORRECTIONS.variable}.",
        )
    return history


def read_log_file(path: str) -> History:
    """The log in a file; see `read_log`."""
    return read_log(read_bytes(path))


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
