"""Timelines with computed columns as CSV, TSV, JSON, JSONL, Parquet or XLSX, the same bytes each time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import InputError, UnknownNameError
from core.timelines.formulas import neutralise
from core.timelines.timeline import Timeline
from core.timelines.xlsx_bytes import xlsx_bytes

Columns = dict[str, list[Any]]


def write(
    timeline: Timeline,
    extra: Mapping[str, Sequence[Any]],
    format: str,
    *,
    signature: str,
) -> bytes:
    """A file of every accepted row in input order: all input columns as they were, then the extra ones.

    An input column with the name of an extra one is kept as `<name>_input`. In CSV, TSV and XLSX cells
    that a spreadsheet would run are neutralised (see `formulas.neutralise`). The signature and the
    timeline's fingerprint stand in JSON's top object, in Parquet's schema and on XLSX's second sheet;
    CSV, TSV and JSONL have no place for them.

    Args:
        timeline: What to write.
        extra: Computed columns, such as `{"group": [1, 1, 2]}`; texts, numbers, booleans or None.
        format: One of `FORMATS`.
        signature: What made the extra columns.

    Raises:
        UnknownNameError: No such format.
        InputError: An extra column of another length, or a text that XLSX cannot hold.
    """
    if format not in FORMATS:
        raise UnknownNameError(
            f"There is no export format {format[:40]!r}.", hint=f"Choose one of: {', '.join(FORMATS)}."
        )
    for name, values in extra.items():
        if len(values) != len(timeline):
            raise InputError(
                f"The column {name!r} has {len(values):,} values for {len(timeline):,} headlines.",
                hint="Give one value a headline.",
            )
    about = {"signature": signature, "fingerprint": timeline.fingerprint}
    return FORMATS[format](_columns(timeline, extra), about)


def _columns(timeline: Timeline, extra: Mapping[str, Sequence[Any]]) -> Columns:
    taken = {*map(str, timeline.original.columns), *extra}
    columns: Columns = {}
    for raw in timeline.original.columns:
        name = str(raw)
        if name in extra:
            name, copy = f"{raw}_input", 2
            while name in taken:
                name, copy = f"{raw}_input_{copy}", copy + 1
            taken.add(name)
        columns[name] = list(timeline.original[raw])
    return columns | {name: [_plain(value) for value in values] for name, values in extra.items()}


def _plain(value: Any) -> Any:
    """A numpy scalar as Python's own; NaN as None, because no format agrees on it."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def _text(value: Any) -> str:
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _delimited(columns: Columns, delimiter: str) -> bytes:
    buffer = io.StringIO(newline="")
    plain = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    # The minimal quoting leaves a lone carriage return bare, which readers take for a line end.
    quoted = csv.writer(buffer, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (list(columns), *zip(*columns.values(), strict=True)):
        cells = [neutralise(_text(cell)) for cell in row]
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return buffer.getvalue().encode()


def _csv(columns: Columns, about: Mapping[str, str]) -> bytes:
    return _delimited(columns, ",")


def _tsv(columns: Columns, about: Mapping[str, str]) -> bytes:
    return _delimited(columns, "\t")


def _json(columns: Columns, about: Mapping[str, str]) -> bytes:
    return (json.dumps({**about, "headlines": _rows(columns)}, ensure_ascii=False, indent=1) + "\n").encode()


def _jsonl(columns: Columns, about: Mapping[str, str]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(columns)).encode()


def _parquet(columns: Columns, about: Mapping[str, str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = []
    for values in columns.values():
        kinds = {type(value) for value in values if value is not None}
        if not kinds:
            arrays.append(pa.array(values, type=pa.string()))
        elif len(kinds) == 1 or kinds == {int, float}:
            arrays.append(pa.array(values))
        else:
            arrays.append(pa.array([None if v is None else _text(v) for v in values], type=pa.string()))
    table = pa.Table.from_arrays(arrays, names=list(columns))
    table = table.replace_schema_metadata({f"headline_lab.{key}": value for key, value in about.items()})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _xlsx(columns: Columns, about: Mapping[str, str]) -> bytes:
    header = [neutralise(name) for name in columns]
    rows = [
        [neutralise(cell) if isinstance(cell, str) else cell for cell in row]
        for row in zip(*columns.values(), strict=True)
    ]
    return xlsx_bytes({"headlines": [header, *rows], "about": [[key, value] for key, value in about.items()]})


FORMATS: dict[str, Callable[[Columns, Mapping[str, str]], bytes]] = {
    "csv": _csv,
    "tsv": _tsv,
    "json": _json,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "xlsx": _xlsx,
}
"""Writers by the name of their format, which is also the file name's ending."""
