"""Reading a file of any length, batch by batch, into headlines in the order of their dates."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core import files, limits
from core.archive.folder import HEADLINES
from core.data.timelines import columns
from core.data.timelines.load import Preview, sniff
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.validate import validate
from core.errors import DataSourceError, InputError
from core.runtime import Runtime

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

STEP: Final = "Reading headlines"
KEPT: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_ROWS: Final = 65_536
_BLOCK: Final = 16 << 20
_HEAD: Final = 200_000  # bytes
_DELIMITERS: Final = {"comma": ",", "tab": "\t", "semicolon": ";", "bar": "|", "none": "\x1f"}


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


def read(path: Path, given: Mapping[Field, Sequence[str]], folder: Path, runtime: Runtime) -> dict[str, int]:
    """Writes the headlines of a file, sorted by date, the undated last, as Parquet into a folder.

    Every row is checked and cleaned as `core.data.timelines.load` does it.

    Args:
        path: `.csv`, `.tsv`, either with `.gz`, or `.parquet`.
        given: Columns of fields that are not recognised by themselves.
        folder: Where the table is written.
        runtime: Progress and stop.

    Returns:
        How many rows were kept, were left out, and have no date.

    Raises:
        InputError: No row can be used, no column holds headlines, or there are too many.
        DataSourceError: The file cannot be read.
    """
    import pandas as pd

    now = datetime.now(UTC)
    parts: list[pd.DataFrame] = []
    kept, rejected = 0, 0
    mapping: Mapping[Field, tuple[str, ...]] | None = None
    damaged: list[int] = []
    for number, batch in enumerate(_batches(path, damaged)):
        if runtime.stop.is_set():
            next(runtime.track([0], STEP))  # raises
        table = _table(batch, kept + rejected)
        mapping = mapping or columns.check({**columns.propose(table), **given}, table.columns)
        timeline = _checked(table, mapping, now)
        rejected += len(table)
        if timeline is not None:
            parts.append(timeline.table[[field.value for field in KEPT]])
            kept, rejected = kept + len(timeline), rejected - len(timeline)
        if kept > limits.ARCHIVE_HEADLINES.value:
            raise InputError(
                f"The file has more than {limits.ARCHIVE_HEADLINES.value:,} headlines.",
                hint=f"Split it, or raise {limits.ARCHIVE_HEADLINES.variable}.",
            )
        runtime.report(STEP, number + 1, number + 2)
    if not parts:
        raise InputError(
            "No row of the file can be used.", hint="Name its column with --column headline=NAME."
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
        "left_out": rejected + len(damaged),
        "undated": undated,
    }


def _batches(path: Path, damaged: list[int]) -> Iterator[pa.RecordBatch]:
    """Record batches with every column as text; rows of another width are counted into `damaged`."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    name = path.name.lower().removesuffix(".gz")

    try:
        if name.endswith(".parquet"):
            file = pyarrow.parquet.ParquetFile(path)
            _check_names(file.schema_arrow.names)
            yield from file.iter_batches(_ROWS)
            return
        seen = _seen(path)
        reading = pyarrow.csv.ReadOptions(
            block_size=_BLOCK, encoding=seen.encoding, skip_rows=(seen.header or 1) - 1
        )

        def parsing(counted: list[int]) -> pa.csv.ParseOptions:
            def left_out(_: Any) -> str:
                counted.append(1)
                return "skip"

            return pyarrow.csv.ParseOptions(
                delimiter=_DELIMITERS[seen.delimiter], newlines_in_values=True, invalid_row_handler=left_out
            )

        with pyarrow.csv.open_csv(path, read_options=reading, parse_options=parsing([])) as first:
            names = first.schema.names
        _check_names(names)
        texts = pyarrow.csv.ConvertOptions(
            column_types={column: pa.string() for column in names}, strings_can_be_null=True, null_values=[""]
        )
        with pyarrow.csv.open_csv(
            path, read_options=reading, parse_options=parsing(damaged), convert_options=texts
        ) as stream:
            yield from stream
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise DataSourceError(
            f"{path.name} cannot be read as a table: {str(error).splitlines()[0]}",
            hint="Give a CSV, TSV or Parquet file with a row of column names.",
        ) from error


def _seen(path: Path) -> Preview:
    """What the beginning of a file of delimited text seems to be: encoding, separator, line of the names.

    Raises:
        InputError: It is not delimited text with a row of column names.
    """
    opened = gzip.open if path.name.lower().endswith(".gz") else open
    with opened(path, "rb") as file:
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


def _table(batch: Any, before: int) -> RawTable:
    import numpy as np
    import pandas as pd

    texts = {name: batch.column(name).cast("string").to_pylist() for name in batch.schema.names}
    cells = pd.DataFrame(texts, dtype=object)
    return RawTable(cells=cells, lines=np.arange(before, before + len(cells), dtype=np.int64) + 2)


def _checked(table: RawTable, mapping: Mapping[Field, tuple[str, ...]], now: datetime) -> Timeline | None:
    """The rows of a batch that can be used; None for none."""
    try:
        return validate(table, mapping, name="archive", format_name="table", now=now)
    except InputError:
        return None  # no row of this batch is left; that no row of the file is left is told at the end
