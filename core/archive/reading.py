"""Reading a file of any length, batch by batch, into headlines in the order of their dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import files, limits
from core.archive.folder import HEADLINES
from core.archive.lines import is_packed, row_lines, unpacked, without
from core.data.timelines import columns
from core.data.timelines.load import Preview, sniff
from core.data.timelines.quotation import UNCLOSED
from core.data.timelines.raw import Lines, RawTable
from core.data.timelines.readers.parquet import check_marks, damaged_parquet
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.validate import NoRowLeftError, validate
from core.errors import DataSourceError, InputError
from core.results.text import count_words
from core.runtime import Runtime

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

STEP: Final = "Reading headlines"
KEPT: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_ROWS: Final = 65_536
_BLOCK: Final = 16 << 20
_HEAD: Final = 200_000  # bytes
_REASONS: Final = 5
"""Why rows were left out: so many reasons are told."""
_DELIMITERS: Final = {"comma": ",", "tab": "\t", "semicolon": ";", "bar": "|", "none": "\x1f"}


@dataclass(slots=True)
class LeftOut:
    """Rows that cannot be used, by the reason: how many, and the first line."""

    reasons: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(rows for rows, _ in self.reasons.values())

    def add(self, reason: str, line: int) -> None:
        """Counts a row."""
        rows, first = self.reasons.get(reason, (0, line))
        self.reasons[reason] = rows + 1, min(first, line)

    def told(self) -> list[dict[str, Any]]:
        """The commonest reasons."""
        most = sorted(self.reasons.items(), key=lambda one: (-one[1][0], one[1][1]))[:_REASONS]
        return [{"reason": reason, "rows": rows, "line": line} for reason, (rows, line) in most]


def fingerprint(path: Path) -> str:
    """SHA-256 of a file's bytes, 16 hex digits.

    Raises:
        DataSourceError: It is missing, a folder, or cannot be read.
    """
    found = sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                found.update(block)
    except OSError as error:
        raise DataSourceError(f"The file {path} cannot be read.", hint="Check the path.") from error
    return found.hexdigest()[:16]


def read(path: Path, given: Mapping[Field, Sequence[str]], folder: Path, runtime: Runtime) -> dict[str, Any]:
    """Writes the headlines of a file, sorted by date, the undated last, as Parquet into a folder.

    Every row is checked and cleaned as `core.data.timelines.load` does it.

    Args:
        path: `.csv`, `.tsv`, either with `.gz`, or `.parquet`.
        given: Columns of fields that are not recognised by themselves.
        folder: Where the table is written.
        runtime: Progress and stop.

    Returns:
        How many rows were kept, were left out, and have no date; and why most were left out.

    Raises:
        InputError: No row can be used, no column holds headlines, or there are too many.
        DataSourceError: The file cannot be read.
    """
    import pandas as pd

    now = datetime.now(UTC)
    parts: list[pd.DataFrame] = []
    kept, left_out = 0, LeftOut()
    mapping: Mapping[Field, tuple[str, ...]] | None = None
    for number, (batch, lines) in enumerate(_batches(path, left_out)):
        if runtime.stop.is_set():
            next(runtime.track([0], STEP))  # raises
        table = _table(batch, lines)
        mapping = mapping or columns.check({**columns.propose(table), **given}, table.columns)
        timeline = _checked(table, mapping, now, left_out)
        if timeline is not None:
            parts.append(timeline.table[[kept_field.value for kept_field in KEPT]])
            kept += len(timeline)
        if kept > limits.ARCHIVE_HEADLINES.value:
            raise InputError(
                f"The file has more than {limits.ARCHIVE_HEADLINES.value:,} headlines.",
                hint=f"Split it, or raise {limits.ARCHIVE_HEADLINES.variable}.",
            )
        runtime.report(STEP, number + 1, number + 2)
    if not parts:
        why = "".join(f" Line {one['line']:,}: {one['reason']}" for one in left_out.told()[:1])
        raise InputError(
            f"No row of the file can be used.{why}", hint="Name its column with --column headline=NAME."
        )
    frame = pd.concat(parts, ignore_index=True)
    frame = frame.sort_values(Field.PUBLISHED.value, kind="stable", na_position="last", ignore_index=True)
    undated = int(frame[Field.PUBLISHED.value].isna().sum())
    if undated == kept:
        raise InputError(
            "No headline of the file has a date, and an archive compares headlines by their days.",
            hint="Name the column with --column published=NAME, or use `headline-lab group`.",
        )
    with files.beside(folder / HEADLINES, durable=False) as partial:
        frame.to_parquet(partial, index=False, row_group_size=_ROWS)
    runtime.report(STEP, kept, kept)
    return {
        "headlines": kept,
        "left_out": left_out.rows,
        "left_out_why": left_out.told(),
        "undated": undated,
    }


def _batches(path: Path, left_out: LeftOut) -> Iterator[tuple[pa.RecordBatch, Lines]]:
    """Record batches with every column as text, each with the lines of its rows; what makes no row of the
    table's width is added to `left_out`."""
    import pyarrow as pa
    import pyarrow.parquet

    if path.name.lower().removesuffix(".gz").endswith(".parquet"):
        try:
            _check_marks(path)
            file = pyarrow.parquet.ParquetFile(path)
            _check_names(file.schema_arrow.names)
            row = 1
            for batch in file.iter_batches(_ROWS):
                yield batch, np.arange(row, row + len(batch))
                row += len(batch)
        except (pa.ArrowException, OSError) as error:
            raise damaged_parquet() from error
        return
    try:
        yield from _delimited(path, left_out)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        if "invalid UTF8" in str(error):
            raise DataSourceError(
                f"{path.name} holds bytes that are no text in UTF-8, though it begins as such.",
                hint="Save it as UTF-8 in the program that it comes from.",
            ) from error
        raise DataSourceError(
            f"{path.name} cannot be read as a table: {str(error).splitlines()[0]}",
            hint="Give a CSV, TSV or Parquet file with a row of column names.",
        ) from error


def _check_marks(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(4)
        file.seek(max(0, size - 4))
        check_marks(start, file.read(), size)


def _delimited(path: Path, left_out: LeftOut) -> Iterator[tuple[pa.RecordBatch, Lines]]:
    import pyarrow as pa
    import pyarrow.csv

    seen = _seen(path)
    first = seen.header or 1
    found = row_lines(path, seen.encoding, _DELIMITERS[seen.delimiter], first)
    for line in found.unclosed:
        left_out.add(UNCLOSED, line)
    packed = is_packed(path)
    # Memory for a block is taken, and given back, as large as it is said to be.
    block = _BLOCK if packed or found.unclosed else min(_BLOCK, path.stat().st_size + 1)
    reading = pyarrow.csv.ReadOptions(
        use_threads=False,  # on several, rows of another width have no number
        block_size=block,
        encoding="utf8" if found.unclosed else seen.encoding,
        skip_rows=first - 1,
    )

    def opened() -> Any:
        if found.unclosed:
            return without(path, seen.encoding, found.unclosed)
        return pa.input_stream(str(path), compression="gzip" if packed else None)

    def parsing(wrong: Callable[[Any], str]) -> pa.csv.ParseOptions:
        return pyarrow.csv.ParseOptions(
            delimiter=_DELIMITERS[seen.delimiter], newlines_in_values=True, invalid_row_handler=wrong
        )

    with (
        opened() as file,
        pyarrow.csv.open_csv(file, read_options=reading, parse_options=parsing(lambda _: "skip")) as stream,
    ):
        names = stream.schema.names
    _check_names(names)
    texts = pyarrow.csv.ConvertOptions(
        column_types={column: pa.string() for column in names}, strings_can_be_null=True, null_values=[""]
    )
    damaged: list[int] = []

    def wrong_width(row: Any) -> str:
        at = row.number - first  # rows before the row of names count, empty ones do not
        damaged.append(at)
        cells = count_words(row.actual_columns, "cell", "cells")
        reason = f"The row has {cells} where the header has {row.expected_columns}."
        left_out.add(reason, int(found.of(np.array([at]))[0]))
        return "skip"

    at = 1
    with (
        opened() as file,
        pyarrow.csv.open_csv(
            file, read_options=reading, parse_options=parsing(wrong_width), convert_options=texts
        ) as stream,
    ):
        for batch in stream:
            # Rows of another width are known here up to this batch, and maybe beyond it.
            rows = np.arange(at, at + len(batch) + len(damaged))
            rows = rows[~np.isin(rows, damaged)][: len(batch)]
            yield batch, found.of(rows)
            at = int(rows[-1]) + 1 if len(rows) else at


def _seen(path: Path) -> Preview:
    """What the beginning of a file of delimited text seems to be: encoding, separator, line of the names.

    Raises:
        InputError: It is not delimited text with a row of column names, or the gz file is cut off.
    """
    with unpacked(path) as file:
        head = file.read(_HEAD)
    if len(head) == _HEAD:
        head = head[: head.rfind(b"\n") + 1]
    seen = sniff(head, path.name.removesuffix(".gz"), format="csv")
    if not seen.header or seen.delimiter not in _DELIMITERS:
        raise InputError(
            f"{path.name} has no row of column names.",
            hint="Put names such as headline,published,publisher into its first line.",
        )
    return seen


def _check_names(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"Two columns of the file are called {twice[0]!r}.", hint="Rename one of them in the file."
        )


def _table(batch: Any, lines: Lines) -> RawTable:
    import pandas as pd
    import pyarrow as pa

    texts = {}
    for name in batch.schema.names:
        if pa.types.is_nested(batch.column(name).type):
            continue  # lists and records are no field of a headline
        try:
            texts[name] = batch.column(name).cast("string").to_pylist()
        except pa.ArrowException as error:
            raise DataSourceError(
                f"The column {name!r} cannot be read as text.",
                hint="Save it as text, or without this column.",
            ) from error
    return RawTable(cells=pd.DataFrame(texts, dtype=object), lines=lines)


def _checked(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]], now: datetime, left_out: LeftOut
) -> Timeline | None:
    """The rows of a batch that can be used; None for none."""
    timeline: Timeline | None = None
    try:
        timeline = validate(table, mapping, name="archive", format_name="table", now=now)
    except NoRowLeftError as error:  # that no row of the file is left is told at the end
        rejected = error.rejected
    else:
        rejected = timeline.report.rejected
    for row in rejected:
        left_out.add(row.reason, row.line)
    return timeline
