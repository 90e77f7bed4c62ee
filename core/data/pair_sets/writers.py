"""Pair sets as files: HLGD's JSON as the hub has it, or the same columns as CSV."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import PurePath

from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.errors import InputError
from core.results.delimited import delimited

FORMATS = ("json", "csv")
COLUMNS = ("timeline_id", "headline_a", "headline_b", "date_a", "date_b", "url_a", "url_b", "label")
_EPOCH = date(1970, 1, 1)


def format_of(path: PurePath) -> str:
    """The format that a file name's ending asks for."""
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise InputError(
            f"Pairs are not written as {path.name[:80]!r}.", hint="End the name in .json or .csv."
        )
    return ending


def write_pairs(pairs: PairSet, format: str, *, urls: Sequence[str] = ()) -> bytes:
    """Every pair in order: timeline_id, headline_a/b, date_a/b, url_a/b, label.

    Dates are days (as HLGD has them), "" where unknown; a label that is not known is None in JSON and
    empty in CSV. In CSV cells that a spreadsheet would run are neutralised (see `formulas.neutralise`).
    """
    addresses = list(urls) or [""] * len(pairs.texts)
    days = [
        "" if math.isnan(day) else (_EPOCH + timedelta(days=math.floor(day))).isoformat()
        for day in pairs.days.tolist()
    ]
    rows = [
        {
            "timeline_id": timeline,
            "headline_a": pairs.texts[left],
            "headline_b": pairs.texts[right],
            "date_a": days[left],
            "date_b": days[right],
            "url_a": addresses[left],
            "url_b": addresses[right],
            "label": None if label == UNKNOWN else label,
        }
        for timeline, left, right, label in zip(
            pairs.timelines[pairs.left].tolist(),
            pairs.left.tolist(),
            pairs.right.tolist(),
            pairs.labels.tolist(),
            strict=True,
        )
    ]
    if format == "json":
        return ("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n").encode()
    return delimited([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)]).encode()
