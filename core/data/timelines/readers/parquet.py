"""Parquet, whole or in portions, with its size looked at first."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.data.timelines import gz, raw
from core.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

_MAGIC = b"PAR1"
_LEAST_WIDTH = 8  # bytes that a value takes at least once it is unpacked and referred to


def read_parquet(source: raw.RawFile) -> raw.RawTable:
    """Reads a Parquet file; every value becomes text, times in ISO 8601 with their zone."""
    data = parquet_columns(source.data)
    with _undamaged():
        names, notes = raw.unique_names(data.column_names)
        columns = [_texts(column) for column in data.columns]
    if not names or not columns[0]:
        raise InputError("The Parquet file holds no rows.", hint="Give at least one row.")
    rows = list(zip(*columns, strict=True))
    return raw.RawTable(
        cells=raw.texts_frame(rows, names),
        lines=np.arange(1, len(rows) + 1, dtype=np.int64),
        notes=tuple(notes),
        ledger={"lines": len(rows)},
    )


def parquet_columns(content: bytes) -> "pa.Table":
    """All columns of a Parquet file as they are stored; its size is looked at first."""
    import pyarrow.parquet as pq

    _check_marks(content[: len(_MAGIC)], content[-len(_MAGIC) :], len(content))
    with _undamaged():
        facts = pq.read_metadata(io.BytesIO(content))
        raw.check_rows(facts.num_rows)
        raw.check_columns(facts.num_columns)
        groups = [facts.row_group(at) for at in range(facts.num_row_groups)]
        # A column is asked only where a row may have many values: damaged statistics of it end the process.
        values = sum(
            (group.column(at).num_values if leaf.max_repetition_level else group.num_rows)
            * max(_LEAST_WIDTH, leaf.length or 0)
            for group in groups
            for at, leaf in enumerate(facts.schema)
        )
        gz.check_unpacked(int(max(values, sum(group.total_byte_size for group in groups))))
        # Kept as dictionaries: a text that is stored once may stand in every row.
        texts = [leaf.path for leaf in facts.schema if leaf.physical_type == "BYTE_ARRAY"]
        data = pq.ParquetFile(io.BytesIO(content), read_dictionary=texts).read()
        gz.check_unpacked(sum(_unpacked(chunk) for column in data.columns for chunk in column.chunks))
    return data


def parquet_portions(path: Path, most: int) -> Iterator[raw.RawTable]:
    """Reads a Parquet file of any length, `most` rows a table; see `read_parquet`."""
    import pyarrow.parquet as pq

    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
        file.seek(max(0, size - len(_MAGIC)))
        _check_marks(start, file.read(), size)
    with _undamaged():
        data = pq.ParquetFile(path)
        names, notes = raw.unique_names(data.schema_arrow.names)
        count, row = data.metadata.num_rows, 1
        for batch in data.iter_batches(most):
            columns = [_texts(column) for column in batch.columns]
            lines = np.arange(row, row + len(batch), dtype=np.int64)
            row += len(batch)
            yield raw.RawTable(
                raw.texts_frame(list(zip(*columns, strict=True)), names),
                lines,
                notes=tuple(notes),
                ledger={"lines": count} if row > count else {},
            )
            notes = []


def _check_marks(start: bytes, end: bytes, size: int) -> None:
    if start != _MAGIC:
        message = "The file is called Parquet but is not one."
        raise InputError(message, hint="Check the name, or export it again.")
    if end != _MAGIC:
        message = f"The Parquet file is cut off after {size:,} bytes: its end mark is missing."
        raise InputError(message, hint="Download or copy it again.")


@contextmanager
def _undamaged() -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (InputError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        message = "The Parquet file is damaged: a part of it cannot be read."
        raise InputError(message, hint="Download or export it again.") from error


def _texts(column: Any) -> list[str | None]:
    """Values as texts; a moment that no calendar or zone has is the number it is stored as."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        values: list[Any] = column.to_pylist()
        return values if pa.types.is_string(kind) else [raw.cell_text(value) for value in values]
    except (pa.ArrowException, ValueError, OverflowError, LookupError):
        if not pa.types.is_temporal(column.type):
            raise
    return [_moment(value) for value in column]


def _moment(value: Any) -> str | None:
    import pyarrow as pa

    try:
        return raw.cell_text(value.as_py())
    except (pa.ArrowException, ValueError, OverflowError, LookupError):
        return raw.cell_text(str(value.value))


def _unpacked(values: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, pa.DictionaryArray):
        lengths = pc.binary_length(values.dictionary)
        return int(pc.sum(pc.take(lengths, values.indices)).as_py() or 0)
    if isinstance(values, pa.MapArray):
        return _unpacked(values.keys) + _unpacked(values.items)
    if isinstance(values, (pa.ListArray, pa.LargeListArray, pa.FixedSizeListArray)):
        return _unpacked(values.flatten())
    if isinstance(values, pa.StructArray):
        return sum(map(_unpacked, values.flatten()))
    return int(values.nbytes)


PARQUET = raw.TableContainer(
    "parquet",
    "Parquet",
    ("parquet", "pq"),
    20,
    lambda source: source.data.startswith(_MAGIC) or source.suffix in ("parquet", "pq"),
    read_parquet,
)
