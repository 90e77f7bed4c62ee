"""A look at a file before it is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.data.timelines import columns, load, tables, timeline, validate

_PREVIEW_ROWS = 10


@dataclass(frozen=True, slots=True)
class Preview:
    format: str
    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    mapping: Mapping[timeline.Field, tuple[str, ...]]
    timelines: Mapping[str, int]  # headlines of each, biggest first; empty where the file holds one
    rejected: int
    notes: tuple[str, ...]
    header: int | None = None  # line; 0 where none names the columns, None where the format has no such line
    sheet: str = ""
    sheets: Mapping[str, int] = field(default_factory=dict)


def sniff(
    data: bytes,
    filename: str,
    *,
    format: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
    more: Sequence[tables.GivenFile] = (),
) -> Preview:
    """Looks at a file: its format, its columns and what they seem to mean; arguments as of `load`."""
    files = [(data, filename), *more]
    name, table, _ = tables.files_in_format(files, format, sheet=sheet, header=header)
    mapping = columns.propose(table)
    cells, _, dates, notes, _ = validate.checked(table, mapping, datetime.now(UTC))
    head = [cells.get(name, table.column(name))[:_PREVIEW_ROWS] for name in table.columns]
    return Preview(
        format=name,
        encoding=table.encoding,
        delimiter=table.delimiter,
        columns=tuple(table.columns),
        rows=tuple(tuple(value or "" for value in row) for row in zip(*head, strict=True)),
        row_count=len(table),
        mapping=mapping,
        timelines=load.timeline_sizes(table),
        rejected=len(table.rejected),
        notes=(*notes, *dates.notes),
        header=table.header,
        sheet=table.sheet,
        sheets=table.sheets,
    )
