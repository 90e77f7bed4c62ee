"""JSON Lines: one object a line; a line that is not JSON is rejected alone."""

from __future__ import annotations

import json
from typing import Any

from core.data.timelines.raw import Container, RawTable, Source, check_rows
from core.data.timelines.readers import json_table
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError


def read(source: Source) -> RawTable:
    """Reads JSON Lines.

    Raises:
        InputError: No line of it is JSON, or too many rows or columns.
    """
    decoded = source.decoded
    values: list[Any] = []
    numbers: list[int] = []
    rejected: list[RejectedRow] = []
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(json_table.parse(line))
            numbers.append(number)
        except InputError:
            cut = line.rstrip("\r")
            rejected.append(RejectedRow(number, "", cut[:200], "The line is not valid JSON.", {"line": cut}))
        check_rows(len(values) + len(rejected))
    if not values:
        first = f"line {rejected[0].line:,} is not JSON" if rejected else "it is empty"
        raise InputError(f"No line could be read: {first}.", hint="Give one JSON object a line.")
    table = json_table.table(values, numbers, encoding=decoded.encoding, notes=decoded.notes, unit="line")
    both = sorted((*rejected, *table.rejected), key=lambda row: row.line)
    return RawTable(
        table.cells, table.lines, rejected=tuple(both), notes=table.notes, encoding=table.encoding
    )


def _recognises(source: Source) -> bool:
    if source.suffix in FORMAT.suffixes:
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


FORMAT = Container("jsonl", "JSON Lines", ("jsonl", "ndjson"), 30, _recognises, read)
