"""Tables with computed columns as CSV, TSV, JSON, JSONL, Parquet or XLSX, the same bytes each time."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.data.timelines.timeline import Timeline
from core.data.timelines.xlsx_bytes import xlsx_bytes
from core.errors import InputError, UnknownNameError
from core.results.delimited import delimited, text_of
from core.results.formulas import neutralise

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, list[Any]]


def write(
    timeline: Timeline,
    extra: Mapping[str, Sequence[Any]],
    format: str,
    *,
    signature: str,
) -> bytes:
    """A file of every accepted row of a timeline in input order; see `write_table`.

    Args:
        timeline: What to write.
        extra: Computed columns, such as `{"group": [1, 1, 2]}`; texts, numbers, booleans or None.
        format: One of `FORMATS`.
        signature: What made the extra columns.

    Raises:
        UnknownNameError: No such format.
        InputError: An extra column of another length, or a text that XLSX cannot hold.
    """
    about = {"signature": signature, "fingerprint": timeline.fingerprint}
    return write_table(timeline.original, extra, format, about=about, rows="headlines")


def write_table(
    table: pd.DataFrame,
    extra: Mapping[str, Sequence[Any]],
    format: str,
    *,
    about: Mapping[str, str],
    rows: str,
) -> bytes:
    """A file of all rows of a table in its order: all its columns as they were, then the extra ones.

    A column with the name of an extra one is kept as `<name>_input`. In CSV, TSV and XLSX cells
    that a spreadsheet would run are neutralised (see `formulas.neutralise`). What the table is about
    stands in JSON's top object, in Parquet's schema and on XLSX's second sheet; CSV, TSV and JSONL
    have no place for it.

    Args:
        table: What to write.
        extra: Computed columns; texts, numbers, booleans or None.
        format: One of `FORMATS`.
        about: What made the extra columns ("signature") and from what data ("fingerprint").
        rows: What a row is, in the plural; names JSON's list and XLSX's first sheet.

    Raises:
        UnknownNameError: No such format.
        InputError: An extra column of another length, or a text that XLSX cannot hold.
    """
    if format not in FORMATS:
        raise UnknownNameError(
            f"There is no export format {format[:40]!r}.", hint=f"Choose one of: {', '.join(FORMATS)}."
        )
    for name, values in extra.items():
        if len(values) != len(table):
            raise InputError(
                f"The column {name!r} has {len(values):,} values for {len(table):,} {rows}.",
                hint="Give one value a row.",
            )
    return FORMATS[format](_columns(table, extra), about, rows)


def _columns(table: pd.DataFrame, extra: Mapping[str, Sequence[Any]]) -> Columns:
    taken = {*map(str, table.columns), *extra}
    columns: Columns = {}
    for raw in table.columns:
        name = str(raw)
        if name in extra:
            name, copy = f"{raw}_input", 2
            while name in taken:
                name, copy = f"{raw}_input_{copy}", copy + 1
            taken.add(name)
        columns[name] = list(table[raw])
    return columns | {name: [_plain(value) for value in values] for name, values in extra.items()}


def _plain(value: Any) -> Any:
    """A numpy scalar as Python's own; NaN as None, because no format agrees on it."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _delimited(columns: Columns, delimiter: str) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return delimited([list(columns), *rows], delimiter=delimiter).encode()


def _csv(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
    return _delimited(columns, ",")


def _tsv(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
    return _delimited(columns, "\t")


def _json(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
    return (json.dumps({**about, rows: _rows(columns)}, ensure_ascii=False, indent=1) + "\n").encode()


def _jsonl(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(columns)).encode()


def _parquet(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
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
            arrays.append(pa.array([None if v is None else text_of(v) for v in values], type=pa.string()))
    table = pa.Table.from_arrays(arrays, names=list(columns))
    table = table.replace_schema_metadata({f"headline_lab.{key}": value for key, value in about.items()})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _xlsx(columns: Columns, about: Mapping[str, str], rows: str) -> bytes:
    header = [neutralise(name) for name in columns]
    cells = [
        [neutralise(cell) if isinstance(cell, str) else cell for cell in row]
        for row in zip(*columns.values(), strict=True)
    ]
    return xlsx_bytes({rows: [header, *cells], "about": [[key, value] for key, value in about.items()]})


FORMATS: dict[str, Callable[[Columns, Mapping[str, str], str], bytes]] = {
    "csv": _csv,
    "tsv": _tsv,
    "json": _json,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "xlsx": _xlsx,
}
"""Writers by the name of their format, which is also the file name's ending."""
