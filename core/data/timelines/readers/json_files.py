"""JSON and JSON Lines.

JSON is a list of objects or of headlines, an object around such a list, or an object of columns.
JSON Lines is one object a line; a line that is not JSON is rejected alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.data.timelines.raw import (
    RawFile,
    RawTable,
    TableContainer,
    as_text,
    check_columns,
    check_rows,
    listing,
    texts_frame,
    unique_names,
)
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError

_LISTS = ("headlines", "rows", "data", "articles", "items", "news", "results", "pairs", "records")


def parse(text: str) -> Any:
    """JSON with repeated keys kept apart instead of the last one winning."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        ended = error.pos >= len(text.rstrip())
        what = "ends too early" if ended else "is not valid JSON"
        raise InputError(
            f"The file {what} at line {error.lineno:,}, column {error.colno:,}.",
            hint="Download or export it again; each list and object must be closed.",
        ) from None
    except RecursionError:
        raise InputError("The JSON is nested too deeply.", hint="Give a flat list of objects.") from None
    except ValueError:  # a number with more digits than Python converts
        raise InputError("The JSON holds a number that is too long.", hint="Write it as text.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    names, _ = unique_names(name for name, _ in pairs)
    return dict(zip(names, (value for _, value in pairs), strict=True))


def entries(value: Any) -> Sequence[Any]:
    """The list of rows in a JSON value, wherever it is."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for name in (*_LISTS, *value):
            inner = value.get(name)
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                return inner
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if lists and len(lists) == len(value) and len({len(inner) for inner in lists}) == 1:
            return [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)]
        for name in _LISTS:
            if isinstance(value.get(name), list):
                return list(value[name])
        if value and not lists:
            return [value]
    raise InputError(
        "The JSON holds no list of rows.", hint="Give a list of objects with named values, one a row."
    )


def table(
    values: Sequence[Any], numbers: Sequence[int], *, encoding: str, notes: Sequence[str], unit: str = "entry"
) -> RawTable:
    """A table from JSON values: objects become rows, plain texts become headlines."""
    check_rows(len(values))
    rows: list[Mapping[str, Any]] = []
    lines: list[int] = []
    rejected: list[RejectedRow] = []
    seen: dict[str, None] = {}
    for value, number in zip(values, numbers, strict=True):
        entry = {"headline": value} if isinstance(value, str) else value
        if isinstance(entry, dict):
            seen.update(dict.fromkeys(entry))
            rows.append(entry)
            lines.append(number)
        else:
            shown = (as_text(value) or "null")[:200]
            reason = f"The {unit} is not an object with named values."
            rejected.append(RejectedRow(number, "", shown, reason, {unit: shown}))
        check_columns(len(seen))
    if not seen:
        raise InputError(
            "The JSON list holds no rows.", hint="Give a list of objects with named values, one a row."
        )
    keys = list(seen)
    names, renamed = unique_names(keys)
    return RawTable(
        cells=texts_frame([[as_text(row.get(k)) for k in keys] for row in rows], names),
        lines=np.array(lines, dtype=np.int64),
        rejected=tuple(rejected),
        notes=(*notes, *renamed),
        encoding=encoding,
        ledger={"lines": len(values)},
    )


def read(source: RawFile) -> RawTable:
    """Reads a JSON file."""
    decoded = source.decoded
    value = parse(decoded.text)
    rows = entries(value)
    notes = list(decoded.notes)
    if isinstance(value, dict) and not (len(rows) == 1 and rows[0] is value):
        around = [name for name, inner in value.items() if not isinstance(inner, list)]
        if around:
            notes.append(f"Values around the list were left out: {listing(around)}.")
    return table(rows, range(1, len(rows) + 1), encoding=decoded.encoding, notes=notes)


def _recognises_json(source: RawFile) -> bool:
    if source.suffix == "json":
        return True
    start = "".join(source.decoded.text[:200].split())
    return start.startswith(("[{", '{"', '["'))


JSON = TableContainer("json", "JSON", ("json",), 40, _recognises_json, read)


def read_lines(source: RawFile) -> RawTable:
    decoded = source.decoded
    values: list[Any] = []
    numbers: list[int] = []
    rejected: list[RejectedRow] = []
    empty = 0
    for number, line in enumerate(decoded.text.removesuffix("\n").split("\n"), 1):
        if not line.strip():
            empty += 1
            continue
        try:
            values.append(parse(line))
            numbers.append(number)
        except InputError:
            cut = line.rstrip("\r")
            rejected.append(RejectedRow(number, "", cut[:200], "The line is not valid JSON.", {"line": cut}))
        check_rows(len(values) + len(rejected))
    if not values:
        first = f"line {rejected[0].line:,} is not JSON" if rejected else "the file is empty"
        raise InputError(f"No line could be read: {first}.", hint="Give one JSON object a line.")
    whole = table(values, numbers, encoding=decoded.encoding, notes=decoded.notes, unit="line")
    both = sorted((*rejected, *whole.rejected), key=lambda row: row.line)
    ledger = {"lines": len(values) + len(rejected) + empty, "empty": empty}
    return replace(whole, rejected=tuple(both), ledger=ledger)


def _recognises_lines(source: RawFile) -> bool:
    if source.suffix in JSONL.suffixes:
        return True
    text = source.decoded.text.lstrip()
    if not text.startswith("{"):
        return False
    first, _, rest = text.partition("\n")
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return rest.lstrip().startswith("{")


JSONL = TableContainer("jsonl", "JSON Lines", ("jsonl", "ndjson"), 30, _recognises_lines, read_lines)
