"""Files of vectors: npy and Parquet, read without running what they hold, and written."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.data.timelines import raw
from core.data.timelines.readers.parquet import parquet_columns
from core.data.timelines.tables import read_bytes
from core.errors import InputError
from core.models.own_vectors import MOST_DIMENSIONS

if TYPE_CHECKING:
    import pyarrow as pa

KINDS: Final = ("npy", "parquet")
VECTOR: Final = "vector"
_NAMES: Final = (VECTOR, "embedding")
_HINT: Final = "Save it with numpy.save as float32, a row a headline, or as Parquet with a column of lists."


@dataclass(frozen=True, slots=True, eq=False)
class VectorFile:
    vectors: Float32Array  # [n, d], as they stand there
    keys: dict[str, list[str]]  # other columns that hold texts or whole numbers, as texts
    digest: str

    def unit(self, rows: IntArray) -> Float32Array:
        """Those of some rows, of length 1; InputError where one has no direction."""
        chosen = self.vectors[rows]
        lengths = np.sqrt(np.einsum("ij,ij->i", chosen, chosen, dtype=np.float64))
        if not (usable := np.isfinite(lengths) & (lengths > 0)).all():
            row = int(np.argmin(usable))
            what = "holds only zeros" if lengths[row] == 0 else "holds a number that is not finite"
            message = f"The vector in row {rows[row] + 1:,} {what}."
            raise InputError(message, hint="Compute it again, or take its headline out.")
        made: Float32Array = (chosen / lengths[:, None]).astype(np.float32)
        return made


def kind_of(path: str | Path) -> str:
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        message = f"{Path(path).name!r} is no file of vectors."
        raise InputError(message, hint=f"Use one of: {', '.join(f'.{name}' for name in KINDS)}.")
    return kind


def read_vectors(path: str | Path, data: bytes | None = None) -> VectorFile:
    """The vectors in a file, or in the bytes of one of that name."""
    kind, data = kind_of(path), read_bytes(path) if data is None else data
    vectors, keys = (_npy(data), {}) if kind == "npy" else _parquet(data)
    if vectors.ndim != 2 or not len(vectors) or not 1 <= vectors.shape[1] <= MOST_DIMENSIONS:
        message = f"The vectors have the shape {vectors.shape}."
        hint = f"Give a table: a row a headline, each of 1 to {MOST_DIMENSIONS:,} numbers."
        raise InputError(message, hint=hint)
    with np.errstate(over="ignore"):
        return VectorFile(vectors.astype(np.float32), keys, sha256(data).hexdigest()[:16])


def _npy(data: bytes) -> np.ndarray[Any, Any]:
    file = io.BytesIO(data)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    wrong = "The .npy file is damaged, or holds more than a table of decimal numbers."
    with suppress(
        ValueError, TypeError, KeyError, SyntaxError, tokenize.TokenError, MemoryError, RecursionError
    ):
        shape, by_columns, dtype = read[np.lib.format.read_magic(file)](file)
        if dtype.kind in "biu":
            wrong = f"The .npy file holds {dtype.name}, not decimal numbers."
        if dtype.kind == "f":
            # A view, as long as the file is: of what a header promises beyond it nothing is made.
            table = np.frombuffer(data, dtype, offset=file.tell())
            return table.reshape(shape, order="F" if by_columns else "C")
    raise InputError(wrong, hint=_HINT)


def _parquet(data: bytes) -> tuple[np.ndarray[Any, Any], dict[str, list[str]]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    table = parquet_columns(data)
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    found, keys = list[str](), dict[str, list[str]]()
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if any(is_kind(kind) for is_kind in lists) and pa.types.is_floating(kind.value_type):
            found.append(name)
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_integer(kind):
            keys[name] = [raw.cell_text(value) or "" for value in column.to_pylist()]
    chosen = found if len(found) == 1 else [name for name in found if name in _NAMES]
    if len(chosen) != 1:
        message = (
            f"The Parquet file has {len(found)} columns of vectors{': ' * bool(found)}{', '.join(found)}."
        )
        raise InputError(message, hint=f"Give one column of lists of decimal numbers, or call it {VECTOR!r}.")
    column = table.column(chosen[0]).combine_chunks()
    lengths = pc.list_value_length(column)
    values = pc.list_flatten(column)
    if column.null_count or values.null_count or len(pc.unique(lengths)) != 1:
        message = f"The column {chosen[0]!r} has rows without a vector, or vectors of several lengths."
        raise InputError(message, hint="Give each row a vector of one length.")
    return values.to_numpy(zero_copy_only=False).reshape(len(column), lengths[0].as_py()), keys


def vector_bytes(
    vectors: Float32Array, kind: str, columns: Mapping[str, Sequence[Any]], *, about: Mapping[str, str]
) -> bytes:
    """A file of vectors in the order given; in Parquet beside other columns, and with what it is about."""
    out = io.BytesIO()
    if kind == "npy":
        np.save(out, vectors, allow_pickle=False)
        return out.getvalue()
    import pyarrow as pa
    import pyarrow.parquet as pq

    flat = pa.array(vectors.ravel(), pa.float32())
    rows: pa.Array = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    table = pa.table({**{name: list(values) for name, values in columns.items()}, VECTOR: rows})
    pq.write_table(table.replace_schema_metadata(dict(about)), out)
    return out.getvalue()
