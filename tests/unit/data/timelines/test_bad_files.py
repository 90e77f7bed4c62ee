"""Whatever is given, the answer is a timeline or one sentence with a hint."""

import gzip
import io
import os
import zipfile

import pandas as pd
import pytest

from core import limits
from core.data.timelines.load import load, load_path, load_text, sniff
from core.errors import DataSourceError, InputError


def zipped(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/"), data)
    return buffer.getvalue()


def test_the_original_keeps_the_input_as_it_was():
    timeline = load("headline,note\n A  b\u0000,<b>\u00a0x\n".encode(), "a.csv")
    assert list(timeline.original.iloc[0]) == [" A  b\u0000", "<b>\u00a0x"]
    assert any("Hidden control characters" in note for note in timeline.report.notes)


def test_a_headline_of_100_000_characters_is_rejected_alone():
    timeline = load(b"headline\nA b\n" + b"x" * 100_000 + b"\nC d\n", "a.csv")
    assert timeline.texts == ["A b", "C d"]
    (row,) = timeline.report.rejected
    assert (row.line, row.column, len(row.value)) == (3, "headline", 200)
    assert "100,000 characters; at most 1,000" in row.reason
    assert len(row.cells["headline"]) == 100_000


def test_five_date_formats_mixed_zones_and_future():
    dates = [
        "2015-01-14", "2015-01-14T10:00:00+03:00", "Sep 25, 2016 1:28 PM CDT", "14.01.2015", "1394470370698",
        "2999-01-01", "Wed, 14 Jan 2015 10:20:30 GMT",
    ]  # fmt: skip
    data = "headline;date\n" + "".join(f"Headline {i};{d}\n" for i, d in enumerate(dates))
    timeline = load(data.encode(), "a.csv")
    assert len(timeline) == len(dates)
    assert timeline.undated == 0
    assert timeline.report.notes[-1] == "1 date lies in the future (line 7); check the column."


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


def limited(monkeypatch, limit: limits.Limit, value: int) -> None:
    monkeypatch.setenv(limit.variable, str(value))


def test_limit_file_megabytes(monkeypatch):
    limited(monkeypatch, limits.FILE_MEGABYTES, 1)
    with pytest.raises(InputError, match="at most 1 MB"):
        sniff(b"x" * 1_000_001, "a.csv")


@pytest.mark.parametrize("kind", ["gz", "xlsx", "parquet"])
def test_limit_unpacked_megabytes(monkeypatch, kind):
    limited(monkeypatch, limits.UNPACKED_MEGABYTES, 1)
    text = "x" * 3_000_000
    frame = pd.DataFrame({"headline": ["A b", "C d"], "body": [text, text[:-1] + "y"]})
    buffer = io.BytesIO()
    if kind == "parquet":
        frame.to_parquet(buffer, use_dictionary=False, compression="zstd")
    data = {
        "gz": lambda: gzip.compress(frame.to_csv().encode()),
        "xlsx": lambda: zipped(xl__workbook=text.encode()),
        "parquet": buffer.getvalue,
    }[kind]()
    assert len(data) < 900_000
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        load(data, {"gz": "a.csv.gz"}.get(kind, f"a.{kind}"))


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a.txt", "a.parquet", "a.xlsx"])
def test_limit_timeline_rows(monkeypatch, name):
    limited(monkeypatch, limits.FILE_ROWS, 10)
    frame = pd.DataFrame({"headline": [f"Headline number {i}" for i in range(11)]})
    for rows, fits in ((10, True), (11, False)):
        part = frame.head(rows)
        buffer = io.BytesIO()
        if name.endswith("parquet"):
            part.to_parquet(buffer)
        elif name.endswith("xlsx"):
            part.to_excel(buffer, index=False)
        data = {
            "csv": lambda p=part: p.to_csv(index=False).encode(),
            "json": lambda p=part: p.to_json(orient="records").encode(),
            "jsonl": lambda p=part: p.to_json(orient="records", lines=True).encode(),
            "txt": lambda p=part: "\n".join(p["headline"]).encode(),
        }.get(name.partition(".")[2], buffer.getvalue)()
        if fits:
            assert len(load(data, name)) == 10
        else:
            with pytest.raises(InputError, match="more than 10 rows"):
                load(data, name)


def test_limit_headline_characters(monkeypatch):
    limited(monkeypatch, limits.HEADLINE_CHARACTERS, 5)
    timeline = load(b"headline\nabcde\nabcdef\n", "a.csv")
    assert timeline.texts == ["abcde"]
    assert "at most 5" in timeline.report.rejected[0].reason


def test_limit_field_characters(monkeypatch):
    limited(monkeypatch, limits.FIELD_CHARACTERS, 5)
    timeline = load(b"headline,note\nA long headline,abcde\nSecond one,abcdef\n", "a.csv")
    assert timeline.texts == ["A long headline"]
    assert timeline.report.rejected[0].column == "note"


def test_limit_columns(monkeypatch):
    limited(monkeypatch, limits.COLUMNS, 2)
    assert len(load(b"headline,a\nA b,1\n", "a.csv")) == 1
    for data, name in ((b"headline,a,b\nA b,1,2\n", "a.csv"), (b'[{"headline":"x","a":1,"b":2}]', "a.json")):
        with pytest.raises(InputError, match="3 columns; at most 2"):
            load(data, name)


def test_limit_pasted_characters(monkeypatch):
    limited(monkeypatch, limits.PASTED_CHARACTERS, 10)
    assert len(load_text("wxyz wxyz ")) == 1
    with pytest.raises(InputError, match="11 characters; at most 10"):
        load_text("wxyz wxyz w")
