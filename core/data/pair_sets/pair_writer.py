"""Pairs written as JSON or CSV."""

import json
import math
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import PurePath

import numpy as np

from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.errors import InputError
from core.results.delimited import delimited

FORMATS = ("json", "csv")
COLUMNS = ("timeline_id", "headline_a", "headline_b", "date_a", "date_b", "url_a", "url_b", "label")
_EPOCH = date(1970, 1, 1)


def format_of(path: PurePath) -> str:
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        message = f"Pairs are not written as {path.name[:80]!r}."
        raise InputError(message, hint="End the name in .json or .csv.")
    return ending


def write_pairs(pairs: PairSet, format: str, *, urls: Sequence[str] = ()) -> bytes:
    """Every pair in order: timeline_id, headline_a/b, date_a/b, url_a/b, label."""
    addresses = list(urls) or [""] * len(pairs.texts)
    whole = (None if math.isnan(day) else math.floor(day) for day in pairs.days.tolist())
    days = ["" if day is None else (_EPOCH + timedelta(days=day)).isoformat() for day in whole]
    rows = []
    for left, right, label in np.stack([pairs.left, pairs.right, pairs.labels], axis=1).tolist():
        sides = [column[row] for column in (pairs.texts, days, addresses) for row in (left, right)]
        rows.append([int(pairs.timelines[left]), *sides, None if label == UNKNOWN else label])
    if format == "json":
        objects = (json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) for row in rows)
        return ("[\n" + ",\n".join(objects) + "\n]\n").encode()
    return delimited([COLUMNS, *rows]).encode()
