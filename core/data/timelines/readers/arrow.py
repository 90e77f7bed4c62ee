"""Arrow streams, which `datasets` keeps its tables in: one file, or the folder of a data set."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.data.timelines import gz, raw
from core.data.timelines.readers.parquet import check_size, table_of, undamaged

if TYPE_CHECKING:
    import pyarrow as pa

_BEGINS: Final = b"\xff\xff\xff\xff"


def arrow_columns(content: bytes, name: str) -> "pa.Table":
    """All columns of a stream; of several batches the size is looked at after each."""
    import pyarrow as pa

    with undamaged(f"arrow stream {name[:80]}"), pa.ipc.open_stream(content) as stream:
        batches, size = [], 0
        for batch in stream:
            batches.append(batch)
            gz.check_unpacked(size := size + batch.nbytes)
        table = pa.Table.from_batches(batches, stream.schema)
        table.validate(full=True)
        raw.check_rows(table.num_rows)
        raw.check_columns(table.num_columns)
        check_size(table)
    return table


def files_of_folder(folder: Path) -> list[Path]:
    """The streams of a data set that `datasets` saved, or of `arrow` in its folder; of every part."""
    patterns = ("data-*.arrow", "*/data-*.arrow", "arrow/*/data-*.arrow")
    return next(filter(None, (sorted(folder.glob(pattern)) for pattern in patterns)), [])


def joined(files: list[Path]) -> bytes:
    """One stream with the rows of several."""
    import pyarrow as pa

    tables, buffer = [arrow_columns(file.read_bytes(), file.name) for file in files], pa.BufferOutputStream()
    with undamaged("data set"):
        table = pa.concat_tables(tables, promote_options="permissive")
        with pa.ipc.new_stream(buffer, table.schema) as stream:
            stream.write_table(table)
    return bytes(buffer.getvalue())


def _recognises(source: raw.RawFile) -> bool:
    return source.data.startswith(_BEGINS) or source.suffix == "arrow"


def _read(source: raw.RawFile) -> raw.RawTable:
    return table_of(arrow_columns(source.data, source.filename), "arrow stream")


ARROW: Final = raw.TableContainer("arrow", "Arrow stream", ("arrow",), 20, _recognises, _read)
