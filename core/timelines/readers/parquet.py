"""Parquet, with its size looked at before anything is read."""

from __future__ import annotations

import io

import numpy as np

from core import limits
from core.errors import InputError
from core.timelines.decode import too_big_unpacked
from core.timelines.raw import (
    Container,
    RawTable,
    Source,
    as_text,
    check_columns,
    check_rows,
    texts_frame,
    unique_names,
)

_MAGIC = b"PAR1"


def read(source: Source) -> RawTable:
    """Reads a Parquet file; every value becomes text, times in ISO 8601 with their zone.

    Raises:
        InputError: Cut off, damaged, or past a limit.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not source.data.startswith(_MAGIC):
        raise InputError(
            "The file is called Parquet but is not one.", hint="Check the name, or export it again."
        )
    if not source.data.endswith(_MAGIC):
        raise InputError(
            f"The Parquet file is cut off after {len(source.data):,} bytes: its end mark is missing.",
            hint="Download or copy it again.",
        )
    try:
        file = pq.ParquetFile(io.BytesIO(source.data))
        facts = file.metadata
        check_rows(facts.num_rows)
        check_columns(facts.num_columns)
        groups = range(facts.num_row_groups)
        if (
            sum(facts.row_group(i).total_byte_size for i in groups)
            > limits.UNPACKED_MEGABYTES.value * 1_000_000
        ):
            raise too_big_unpacked()
        data = file.read()
        names, notes = unique_names(data.column_names)
        columns = [[as_text(value) for value in column.to_pylist()] for column in data.columns]
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, UnicodeDecodeError) as error:
        raise InputError(
            f"The Parquet file is damaged ({type(error).__name__}).", hint="Download or export it again."
        ) from None
    if not names or not columns[0]:
        raise InputError("The Parquet file holds no rows.", hint="Give at least one headline.")
    rows = list(zip(*columns, strict=True))
    return RawTable(
        cells=texts_frame(rows, names),
        lines=np.arange(1, len(rows) + 1, dtype=np.int64),
        notes=tuple(notes),
    )


def _recognises(source: Source) -> bool:
    return source.data.startswith(_MAGIC) or source.suffix in FORMAT.suffixes


FORMAT = Container("parquet", "Parquet", ("parquet", "pq"), 20, _recognises, read)
