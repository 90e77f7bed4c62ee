"""Whatever is given, the answer is a timeline or one sentence with a hint."""

import gzip
import io
import os
import zipfile

import openpyxl
import pandas as pd
import pytest

from core import limits
from core.data.timelines.load import load, load_path, load_text, read_bytes, sniff
from core.errors import CoreError, DataSourceError, InputError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def zipped(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/"), data)
    return buffer.getvalue()


def parquet() -> bytes:
    buffer = io.BytesIO()
    pd.DataFrame({"headline": [f"Headline number {i}" for i in range(100)]}).to_parquet(buffer)
    return buffer.getvalue()


def xlsx() -> bytes:
    buffer = io.BytesIO()
    book = openpyxl.Workbook()
    for i in range(50):
        book.active.append(["headline" if not i else f"Headline number {i}"])
    book.save(buffer)
    return buffer.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
BAD = {
    "empty": (b"", "a.csv", "is empty"),
    "blank": (b" \n\r\n\t\n", "a.csv", "is empty"),
    "bom alone": (b"\xef\xbb\xbf", "a.csv", "is empty"),
    "empty gz": (gzip.compress(b""), "a.csv.gz", "is empty"),
    "header alone": (b"headline,date\n", "a.csv", "header but no rows"),
    "no headline column": (b"id,price\n1,2\n3,4\n", "a.csv", "No headline column was found among: id, price"),
    "all rows bad": (b"headline,date\nA b,soon\nC d,later\n", "a.csv", "None of the 2 .* line 2, column"),
    "all blank headlines": (b"headline,date\n,2015-01-14\n", "a.csv", "The headline is empty"),
    "png as csv": (PNG, "a.csv", "PNG picture"),
    "jpeg as json": (b"\xff\xd8\xff\xe0" + bytes(50), "a.json", "JPEG"),
    "pdf": (b"%PDF-1.7 ...", "a.pdf", "PDF"),
    "zip as csv": (zipped(a=b"headline\nA b\n"), "a.csv", "zip archive"),
    "zip as xlsx": (zipped(a=b"headline\nA b\n"), "a.xlsx", "zip archive, not a workbook"),
    "docx": (zipped(word__document=b"<x/>"), "a.docx", "zip archive"),
    "fake xlsx": (zipped(xl__workbook=b"<broken"), "a.xlsx", "damaged"),
    "text as xlsx": (b"headline\nA b\n", "a.xlsx", "called a workbook but is not one"),
    "text as parquet": (b"headline\nA b\n", "a.parquet", "not one"),
    "truncated parquet": (parquet()[:-20], "a.parquet", "cut off after"),
    "damaged parquet": (parquet()[:40] + bytes(60) + parquet()[100:], "a.parquet", "damaged"),
    "truncated xlsx": (xlsx()[:-100], "a.xlsx", "cut off"),
    "old xls": (OLE, "a.xls", "old .xls format"),
    "locked xlsx": (OLE + "EncryptedPackage".encode("utf-16-le"), "a.xlsx", "protected with a password"),
    "truncated json": (b'[{"headline": "A b"},\n {"headl', "a.json", "line 2, column"),
    "json ends": (b'[{"headline": "A b"}', "a.json", "ends too early at line 1, column 21"),
    "json number": (b"5", "a.json", "holds no list"),
    "json empty list": (b"[]", "a.json", "holds no headlines"),
    "json of numbers": (b"[1, 2]", "a.json", "holds no headlines"),
    "deep json": (b"[" * 100_000, "a.json", "nested too deeply"),
    "long number": (b'[{"headline": "A b", "n": ' + b"9" * 5000 + b"}]", "a.json", "number that is too long"),
    "no json line": (b"{bad\n{worse\n", "a.jsonl", "line 1 is not JSON"),
    "truncated gz": (gzip.compress(b"headline\nA b\n" * 99)[:-20], "a.csv.gz", "cut off"),
    "damaged gz": (b"\x1f\x8b\x08\x00" + bytes(30), "a.csv.gz", "damaged|cut off"),
    "gz in gz": (gzip.compress(gzip.compress(b"headline\nA b\n")), "a.csv.gz", "gz file inside another"),
    "unknown ending": (b"headline\nA b\n", "a.docm", "end in .docm are not read"),
    "no text": (bytes(range(1, 32)) * 50, "a.csv", "not text"),
    "zeros": (bytes(4000) + b"x", "a.csv", "not text"),
    "one endless line": (b"x" * 3_000_000, "a.csv", "3,000,000 characters; at most 1,000|No headline column"),
    "too many columns": (b",".join(b"c%d" % i for i in range(300)) + b"\n1", "a.csv", "300 columns"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "name", "message"), BAD.values(), ids=list(BAD))
def test_a_bad_file_is_one_sentence_and_a_hint(data, name, message):
    with pytest.raises(CoreError, match=message) as caught:
        load(data, name)
    error = caught.value
    assert "\n" not in str(error)
    assert len(str(error)) < 600
    assert error.message.endswith(".")
    assert error.hint.endswith(".") or "]" in error.hint


ODD = {
    "one row": (b"headline\nJust one\n", ["Just one"]),
    "nuls": (b"headline\nA\x00 b\x01 c\n", ["A b c"]),
    "right to left": (
        "headline\nנחיתה על הירח\nهبوط على القمر\n".encode(),
        ["נחיתה על הירח", "هبوط على القمر"],
    ),
    "direction override": ("headline\nabc \u202egnp.exe\u202c d\n".encode(), ["abc gnp.exe d"]),
    "emoji": ("headline\n👩‍🚀 lands 🚀\n".encode(), ["👩‍🚀 lands 🚀"]),
    "script": (b"headline\n<script>alert(1)</script> <b>hi</b>\n", ["<script>alert(1)</script> <b>hi</b>"]),
    "entities": (b"headline\nA &amp; B\n", ["A &amp; B"]),
    "decomposed": ("headline\ncitta\u0300 d'Italia\n".encode(), ["città d'Italia"]),
    "spaces": ("headline\n  A \u00a0 b\t c \n".encode(), ["A b c"]),
    "old mac line ends": (b"headline\rA b\rC d\r", ["A b", "C d"]),
    "formula": (b"headline\n=1+1 is two\n", ["=1+1 is two"]),
}


@pytest.mark.parametrize(("data", "texts"), ODD.values(), ids=list(ODD))
def test_odd_text_is_kept_as_text(data, texts):
    timeline = load(data, "a.csv")
    assert timeline.texts == texts
    assert not timeline.report.rejected


def test_the_original_keeps_the_input_as_it_was():
    timeline = load("headline,note\n A  b\u0000,<b>\u00a0x\n".encode(), "a.csv")
    assert list(timeline.original.iloc[0]) == [" A  b\u0000", "<b>\u00a0x"]
    assert any("Hidden control characters" in note for note in timeline.report.notes)


def test_no_dates_at_all():
    assert load(b"headline\nA b\nC d\n", "a.csv").undated == 2


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
    assert timeline.report.notes[-1] == "1 dates lie in the future; check them."


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


def test_a_300_mb_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "big.csv"
    with path.open("wb") as file:
        file.truncate(300_000_000)  # sparse: takes no room
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda self: pytest.fail("it was read"))
    with pytest.raises(InputError, match="300 MB; at most 200 MB"):
        read_bytes(path)


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
    limited(monkeypatch, limits.TIMELINE_ROWS, 10)
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
