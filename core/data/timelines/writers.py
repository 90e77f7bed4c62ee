"""Tables with computed columns as CSV, TSV, JSON, JSONL, Parquet or XLSX, the same bytes each time."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from core.data.timelines.timeline import LoadReport, Timeline
from core.errors import InputError, UnknownNameError
from core.results.render import delimited, text_of

if TYPE_CHECKING:
    import pandas as pd


Columns = dict[str, list[Any]]


def write(timeline: Timeline, extra: Mapping[str, Sequence[Any]], format: str, *, signature: str) -> bytes:
    """Every accepted row of a timeline in input order, with extra columns such as `{"group": [1, 1, 2]}`."""
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


def _columns(table: pd.DataFrame, extra: Mapping[str, Sequence[Any]]) -> Columns:
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


LONGEST_CELL = 32_767  # characters; the format's own limit
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def xlsx_bytes(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """A workbook of some sheets, the same bytes each time."""
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    named = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(sheets, 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f"<sheets>{named}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)]
        ),
    }
    for i, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{i}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in parts.items():
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (_HEAD + text).encode(), compresslevel=6)
    return buffer.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{items}</Relationships>'


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value!r}</v></c>"
    text = _NOT_XML.sub(lambda found: " " if found[0].isspace() else "", str(value))
    if len(text) > LONGEST_CELL:
        message = f"A cell has {len(text):,} characters; XLSX holds at most {LONGEST_CELL:,}."
        raise InputError(message, hint="Export as CSV, JSON or Parquet.")
    # A bare carriage return would be read back as a line feed.
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text, {chr(13): "&#13;"})}</t></is></c>'


COLUMNS = ("rejected_line", "rejected_column", "rejected_value", "rejected_reason")


def rejected_csv(report: LoadReport) -> bytes:
    """The rejected rows as CSV in UTF-8: four columns on what was wrong, then the row as it was."""
    names = list(dict.fromkeys(name for row in report.rejected for name in row.cells))
    rows: list[list[str]] = [[*COLUMNS, *names]]
    for row in report.rejected:
        what = [str(row.line), row.column, row.value, row.reason]
        cells = [row.cells.get(name, "") for name in names]
        rows.append([text.replace("\x00", "\ufffd") for text in (*what, *cells)])
    return delimited(rows, line_end="\r\n").encode("utf-8", errors="replace")
