"""A small Parquet file cannot fill memory: what it unpacks to is known before a value is made."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import limits
from core.data.timelines.load import load
from core.errors import InputError

LONG = "x" * 100_000


def repeated(count: int) -> pa.Array:
    """One long text in many places, stored once."""
    return pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array([LONG])).cast(pa.string())


def file(column: pa.Array) -> bytes:
    held = io.BytesIO()
    pq.write_table(pa.table({"headline": ["Storm"] * len(column), "extra": column}), held, compression="zstd")
    return held.getvalue()


@pytest.mark.parametrize(
    "column",
    [
        repeated(300),
        pa.ListArray.from_arrays(pa.array([0, 300], pa.int32()), repeated(300)),
        pa.StructArray.from_arrays([repeated(300)], names=["inner"]),
        pa.ListArray.from_arrays(
            pa.array([0, 3_000_000], pa.int32()), pa.array(np.zeros(3_000_000, np.int8))
        ),
        pa.array([b"y" * 100_000] * 300, pa.binary(100_000)),
    ],
    ids=["texts", "list of texts", "texts in objects", "list of numbers", "fixed width"],
)
def test_a_file_that_unpacks_past_the_limit_is_refused(
    column: pa.Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = file(column)
    assert len(data) < 100_000
    monkeypatch.setenv(limits.UNPACKED_MEGABYTES.variable, "20")
    with pytest.raises(InputError, match="unpacks to more than 20 MB"):
        load(data, "a.parquet")


def test_repeated_texts_within_the_limit_are_read() -> None:
    assert load(file(repeated(30)), "a.parquet").original["extra"].tolist() == [LONG] * 30


def test_every_kind_of_column_becomes_text() -> None:
    held = io.BytesIO()
    columns = {
        "headline": pa.array(["Storm", "Bank"]).dictionary_encode(),
        "list": pa.array([["a", "b"], None]),
        "object": pa.array([{"x": "q", "y": 1}, None]),
        "bytes": pa.array([b"raw", None], pa.binary(3)),
        "number": pa.array([1, None]),
    }
    pq.write_table(pa.table(columns), held)
    read = load(held.getvalue(), "a.parquet").original
    assert read.iloc[0].tolist() == ["Storm", '["a", "b"]', '{"x": "q", "y": 1}', "raw", "1"]
    assert read.iloc[1].tolist() == ["Bank", None, None, None, None]
