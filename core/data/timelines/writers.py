"""Tables with computed columns as CSV, TSV, JSON, JSONL, Parquet or XLSX."""

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.data.timelines.timeline import LoadReport, Timeline
from core.data.timelines.xlsx_writer import xlsx_bytes
from core.errors import InputError, UnknownNameError
from core.results.delimited import delimited, text_of

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, list[Any]]
COLUMNS = ("rejected_line", "rejected_column", "rejected_value", "rejected_reason")


def write(timeline: Timeline, extra: Mapping[str, Sequence[Any]], format: str, *, signature: str) -> bytes:
    """Every accepted row of a timeline in input order, with extra columns such as `{"group": [1, 1, 2]}`."""
    about = {"signature": signature, "fingerprint": timeline.fingerprint}
    return write_table(timeline.original, extra, format, about=about, rows="headlines")


def write_table(
    table: "pd.DataFrame",
    extra: Mapping[str, Sequence[Any]],
    format: str,
    *,
    about: Mapping[str, str],
    rows: str,
) -> bytes:
    """A file of all rows of a table in its order: all its columns as they were, then the extra ones.

    A column with the name of an extra one is kept as `<name>_input`; CSV and TSV run no formula. What the
    table is about stands in JSON's top object, Parquet's schema and XLSX's second sheet.
    """
    if format not in FORMATS:
        message = f"There is no export format {format[:40]!r}."
        raise UnknownNameError(message, hint=f"Choose one of: {', '.join(FORMATS)}.")
    for name, values in extra.items():
        if len(values) != len(table):
            message = f"The column {name!r} has {len(values):,} values for {len(table):,} {rows}."
            raise InputError(message, hint="Give one value a row.")
    return FORMATS[format](_columns(table, extra), about, rows)


def names_beside(names: Iterable[Any], extra: Iterable[str]) -> list[Any]:
    """Names of columns beside extra ones: one of the same name becomes `<name>_input`."""
    given, extra = list(names), frozenset(extra)
    taken = {*map(str, given), *extra}
    for at, raw in enumerate(given):
        if str(raw) in extra:
            name, copy = f"{raw}_input", 2
            while name in taken:
                name, copy = f"{raw}_input_{copy}", copy + 1
            taken.add(name)
            given[at] = name
    return given


def _columns(table: "pd.DataFrame", extra: Mapping[str, Sequence[Any]]) -> Columns:
    names = map(str, names_beside(table.columns, extra))
    columns = {name: list(table[raw]) for name, raw in zip(names, table.columns, strict=True)}
    return columns | {name: [_plain(value) for value in values] for name, values in extra.items()}


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _delimited(columns: Columns, delimiter: str) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return delimited([list(columns), *rows], delimiter=delimiter).encode()


def _json(value: object, indent: int | None = None) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=indent) + "\n").encode()


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
    # A text of a workbook is text, whatever it begins with.
    cells = [list(columns), *zip(*columns.values(), strict=True)]
    return xlsx_bytes({rows: cells, "about": [[key, value] for key, value in about.items()]})


FORMATS: dict[str, Callable[[Columns, Mapping[str, str], str], bytes]] = {
    "csv": lambda columns, about, rows: _delimited(columns, ","),
    "tsv": lambda columns, about, rows: _delimited(columns, "\t"),
    "json": lambda columns, about, rows: _json({**about, rows: _rows(columns)}, indent=1),
    "jsonl": lambda columns, about, rows: b"".join(map(_json, _rows(columns))),
    "parquet": _parquet,
    "xlsx": _xlsx,
}
"""Writers by the name of their format, which is also the file name's ending."""


def rejected_csv(report: LoadReport) -> bytes:
    """The rejected rows as CSV in UTF-8: four columns on what was wrong, then the row as it was."""
    names = list(dict.fromkeys(name for row in report.rejected for name in row.cells))
    rows: list[list[str]] = [[*COLUMNS, *names]]
    for row in report.rejected:
        what = [str(row.line), row.column, row.value, row.reason]
        cells = [row.cells.get(name, "") for name in names]
        rows.append([text.replace("\x00", "\ufffd") for text in (*what, *cells)])
    return delimited(rows, line_end="\r\n").encode("utf-8", errors="replace")
