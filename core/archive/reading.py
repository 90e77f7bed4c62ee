"""A file of any length read portion by portion into headlines in the order of their dates."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import files, limits
from core.archive.folder import HEADLINES, ROWS
from core.data.timelines import columns, date_columns, decode, gz, readers, tables
from core.data.timelines.date_parts import with_joined_days
from core.data.timelines.raw import RawFile, RawTable
from core.data.timelines.readers import delimited, parquet
from core.data.timelines.timeline import Field, FieldColumns, Timeline
from core.data.timelines.validate import NoRowLeftError, validate
from core.errors import DataSourceError, InputError
from core.runtime import Runtime

if TYPE_CHECKING:
    import pyarrow as pa

STEP: Final = "Reading headlines"
KEPT: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_REASONS: Final = 5  # why rows were left out: so many reasons are told
_FORMATS: Final = frozenset({"csv", "parquet", "pasted"})  # plain text is read as CSV

LeftOut = dict[str, tuple[int, int]]  # rows that cannot be used, by the reason: how many, and the first line


def read(path: Path, given: Mapping[Field, Sequence[str]], folder: Path, runtime: Runtime) -> dict[str, Any]:
    """Writes the checked headlines of a file, sorted by date, the undated last, as Parquet into a folder."""
    import pyarrow as pa

    now = datetime.now(UTC)
    parts: list[pa.Table] = []
    left_out, notes = LeftOut(), list[str]()
    headlines, encoding, unread, ledger = 0, "", "", dict[str, int]()
    mapping: FieldColumns = {}
    for number, table in enumerate(portions(path)):
        if runtime.stop.is_set():
            next(runtime.track([0], STEP))  # raises
        mapping = mapping or mapping_of(table, given)
        unread = unread or date_columns.unread_column(table, mapping)
        encoding, ledger = table.encoding, dict(table.ledger)
        notes += table.notes
        timeline = _checked(table, mapping, now, left_out)
        if timeline is not None:
            if column := mapping.get(Field.PUBLISHED):
                notes += date_columns.unread_dates(table.column(column[0]), table.lines.tolist())
            kept = timeline.table[[kept_field.value for kept_field in KEPT]]
            parts.append(pa.Table.from_pandas(kept, preserve_index=False))
            headlines += len(timeline)
        if headlines > limits.ARCHIVE_HEADLINES.value:
            message = f"The file has more than {limits.ARCHIVE_HEADLINES.value:,} headlines."
            raise InputError(message, hint=f"Split it, or raise {limits.ARCHIVE_HEADLINES.variable}.")
        runtime.report(STEP, number + 1, number + 2)
    reasons = sorted(left_out.items(), key=lambda entry: (-entry[1][0], entry[1][1]))[:_REASONS]
    rejected = sum(rows for rows, _ in left_out.values())
    if not parts:
        why = "".join(f" Line {line:,}: {reason}" for reason, (_, line) in reasons[:1])
        message = f"No row of the file can be used.{why}"
        raise InputError(message, hint="Call its column headline (or name it with --column headline=NAME).")
    undated = _write_by_date(pa.concat_tables(parts, promote_options="default"), folder / HEADLINES, unread)
    runtime.report(STEP, headlines, headlines)
    return {
        "headlines": headlines,
        "left_out": rejected,
        "left_out_why": [{"reason": reason, "rows": rows, "line": line} for reason, (rows, line) in reasons],
        "undated": undated,
        "encoding": encoding,
        "notes": notes,
        "ledger": {**ledger, "kept": headlines, "rejected": rejected},
    }


def _write_by_date(table: "pa.Table", path: Path, unread: str) -> int:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    published = table[Field.PUBLISHED.value]
    if published.null_count == len(table):
        message = "No headline of the file has a date, and an archive compares headlines by their days."
        hint = "Call their column published (or name it with --column published=NAME), or open a timeline."
        raise InputError(unread or message, hint=date_columns.WRITE_DATES if unread else hint)
    order = np.argsort(published.to_numpy(), kind="stable")
    # What pandas says of the columns depends on whether they are empty, of all parts together.
    shown = {name: None if table[name].null_count == len(table) else "" for name in table.column_names}
    line = pd.DataFrame([shown | {Field.PUBLISHED.value: pd.Timestamp(0, tz="UTC")}]).astype(object)
    line = line.astype({Field.PUBLISHED.value: "datetime64[us, UTC]"})
    schema = pa.Schema.from_pandas(line, preserve_index=False)
    with files.beside(path) as partial, pq.ParquetWriter(partial, schema) as writer:
        for start in range(0, len(table), ROWS):
            part = table.take(order[start : start + ROWS]).combine_chunks()
            writer.write_table(part.replace_schema_metadata(schema.metadata), ROWS)
    return int(published.null_count)


def mapping_of(table: RawTable, given: Mapping[Field, Sequence[str]]) -> FieldColumns:
    """The columns of the fields, by their names and what stands in them, but for those that are given."""
    return columns.check({**columns.propose(table), **given}, table.columns)


def portions(path: Path) -> Iterator[RawTable]:
    try:
        portions_of = parquet.parquet_portions if _format(path) == "parquet" else delimited.delimited_portions
        yield from map(with_joined_days, portions_of(path, ROWS))
    except OSError as error:
        raise DataSourceError(f"The file {path} cannot be read.", hint="Check the path.") from error


def _format(path: Path) -> str:
    with gz.unpacked(path) as file:
        beginning = next(decode.pieces(file), b"")
    tables.check_filled(beginning)
    source = RawFile(beginning, path.name.lower().removesuffix(".gz"))
    try:
        known = (form for form in readers.containers() if readers.tried(form, form.recognises, source, []))
        form = next(known, delimited.DELIMITED)
    except InputError as error:  # a picture, a zip archive
        raise InputError(error.message, hint="Give CSV, TSV or Parquet.") from None
    if form.name not in _FORMATS:
        message = f"An archive reads CSV, TSV or Parquet; this file has another format: {form.title}."
        raise InputError(message, hint="Save it as CSV, or open it as a timeline under Sources › Open.")
    return form.name


def _checked(table: RawTable, mapping: FieldColumns, now: datetime, left_out: LeftOut) -> Timeline | None:
    timeline: Timeline | None = None
    try:
        timeline = validate(table, mapping, name="archive", format_name="table", now=now)
    except NoRowLeftError as error:  # that no row of the file is left is told at the end
        if not (rejected := error.rejected):
            raise
    else:
        rejected = timeline.report.rejected
    for row in rejected:
        rows, first = left_out.get(row.reason, (0, row.line))
        left_out[row.reason] = rows + 1, min(first, row.line)
    return timeline
