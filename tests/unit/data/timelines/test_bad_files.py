import io
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import limits
from core.data.timelines.load import load, load_path
from core.errors import DataSourceError, InputError


def test_the_original_keeps_the_input_as_it_was():
    timeline = load("headline,note\n A  b\u0000,<b>\u00a0x\n".encode(), "a.csv")
    assert list(timeline.original.iloc[0]) == [" A  b\u0000", "<b>\u00a0x"]
    assert any("Hidden control characters" in note for note in timeline.report.notes)


def test_good_rows_load_and_bad_ones_are_reported_with_line_column_value_and_reason():
    data = b"headline,date\nA b,2015-01-14\n,2015-01-15\nC d,31/31/2015\nE f,\n"
    timeline = load(data, "a.csv")
    assert timeline.texts == ["A b", "E f"]
    assert [(r.line, r.column, r.value) for r in timeline.report.rejected] == [
        (3, "headline", ""),
        (4, "date", "31/31/2015"),
    ]


def test_paths(tmp_path):
    with pytest.raises(DataSourceError, match="is a folder"):
        load_path(tmp_path)
    with pytest.raises(DataSourceError, match="no file"):
        load_path(tmp_path / "gone.csv")
    with pytest.raises(DataSourceError, match="cannot be read"):
        load_path("a\0b.csv")
    with pytest.raises(DataSourceError, match=r"cannot be read|no file"):
        load_path("x" * 5000)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataSourceError, match="not a plain file"):
        load_path(tmp_path / "pipe")


def test_a_path_without_the_right_to_read(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("headline\nA b\n")

    def refuse(self):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    with pytest.raises(DataSourceError, match="may not be read"):
        load_path(path)


def limited(monkeypatch, limit, value):
    monkeypatch.setenv(limit.variable, str(value))


@pytest.mark.parametrize(
    ("limit", "data", "column"),
    [
        (limits.HEADLINE_CHARACTERS, b"headline\nabcde\nabcdef\n", "headline"),
        (limits.FIELD_CHARACTERS, b"headline,note\nabcde,abcde\nSecond one,abcdef\n", "note"),
    ],
)
def test_a_text_past_a_limit_costs_its_row(monkeypatch, limit, data, column):
    limited(monkeypatch, limit, 5)
    timeline = load(data, "a.csv")
    assert timeline.texts == ["abcde"]
    assert timeline.report.rejected[0].column == column


LONG = "x" * 100_000


def repeated(count):
    """One long text in many places, stored once."""
    return pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array([LONG])).cast(pa.string())


def parquet_of(column):
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
def test_a_file_that_unpacks_past_the_limit_is_refused(column, monkeypatch):
    data = parquet_of(column)
    assert len(data) < 100_000
    monkeypatch.setenv(limits.UNPACKED_MEGABYTES.variable, "20")
    with pytest.raises(InputError, match="unpacks to more than 20 MB"):
        load(data, "a.parquet")


def test_every_kind_of_column_becomes_text():
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
