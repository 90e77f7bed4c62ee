"""Folders of arrow streams, as `datasets` saves a data set."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.data.timelines import raw
from core.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def streams_of(folder: Path) -> list[Path]:
    """The files of a data set, or of `arrow` in its folder; of every part."""
    patterns = ("data-*.arrow", "*/data-*.arrow", "arrow/*/data-*.arrow")
    return next(filter(None, (sorted(folder.glob(pattern)) for pattern in patterns)), [])


def as_parquet(streams: list[Path]) -> bytes:
    """The rows of several as one Parquet file, whose reader looks at the size of all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables, out = [arrow_columns(file) for file in streams], pa.BufferOutputStream()
    try:
        joined = pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        said = f"The parts of {streams[0].parents[1].name} cannot be joined: their columns differ."
        raise InputError(said, hint="Give the folder of one part.") from error
    try:
        pq.write_table(joined, out)
    except pa.ArrowException as error:
        said = f"{streams[0].parent.name} has a column of a kind, or a day, that cannot be read."
        raise InputError(said, hint="Save the data set with texts and numbers alone.") from error
    return bytes(out.getvalue())


def arrow_columns(file: Path) -> "pa.Table":
    import pyarrow as pa

    try:
        with pa.memory_map(str(file)) as source:
            table = pa.ipc.open_stream(source).read_all()
            table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        said = f"{file.name} is no arrow stream as `datasets` writes it, or it is damaged."
        raise InputError(said, hint="Save the data set again.") from error
    raw.check_rows(table.num_rows)
    return table
