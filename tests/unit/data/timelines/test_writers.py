import csv
import io
import json
from datetime import UTC, datetime

import numpy as np
import openpyxl
import pyarrow.parquet as pq
import pytest

from core.data.timelines.load import info, load, load_sample
from core.data.timelines.writers import FORMATS, rejected_csv, write
from core.errors import InputError, UnknownNameError
from core.results.render import neutralise, restored

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVIL = '=HYPERLINK("http://x","y")'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        *(
            (cell, f"'{cell}")
            for cell in ("=1+1", "+SUM(A1)", "-cmd|' /C calc'!A0", "@x", "\rx", "\nx", "  =1")
        ),
        ("\t=1", "'\t'=1"),
        ("＝1", "'＝1"),
        ("- Reuters says", "'- Reuters says"),
        *((cell, cell) for cell in ("-5", "+3.5%", "-1,234.5", "-1e-9", "a=1", "'=1", "", "  plain")),
        ("-5+cmd()", "'-5+cmd()"),
        ("Peace talks;=cmd|'/C calc'!A0", "Peace talks;'=cmd|'/C calc'!A0"),
        ('a;"=1"', 'a;\'"=1"'),
        ("a\n-b", "a\n'-b"),
        ("a, -5", "a,' -5"),
    ],
)
def test_formulas_are_neutralised_and_numbers_left_alone(cell, expected):
    assert neutralise(cell) == expected
    assert restored(expected) == restored(cell)


def test_csv_keeps_all_input_columns_and_adds_the_group():
    timeline = load_sample("iss")
    labels = np.arange(len(timeline)) % 5
    header, *rows = csv.reader(io.StringIO(write(timeline, {"group": labels}, "csv", signature="s").decode()))
    assert header == ["date", "publisher", "headline", "group_input", "group"]
    source = csv.reader(io.StringIO(info("iss").path.read_text(encoding="utf-8")))
    assert [row[:4] for row in rows] == list(source)[1:]
    assert [int(row[4]) for row in rows] == labels.tolist()


def test_a_taken_input_name_is_numbered():
    timeline = load(b"headline,group,group_input\nA b,1,2\n", "a.csv")
    text = write(timeline, {"group": [7]}, "csv", signature="s").decode()
    assert text == "headline,group_input_2,group_input,group\nA b,1,2,7\n"


@pytest.mark.parametrize("form", list(FORMATS))
def test_bytes_are_the_same_each_time_and_read_back(form):
    timeline = load_sample("iss")
    extra = {"group": [i // 4 for i in range(len(timeline))], "score": [0.5] * len(timeline)}
    data = write(timeline, extra, form, signature="cosine.v1|x:1")
    assert data == write(timeline, extra, form, signature="cosine.v1|x:1")
    again = load(data, f"a.{form}")
    assert again.texts == timeline.texts
    assert list(again.table["published"]) == list(timeline.table["published"])
    assert list(again.original["group"]) == [str(value) for value in extra["group"]]
    assert list(again.table["gold_group"]) == list(timeline.table["gold_group"])


def test_where_the_signature_stands():
    timeline = load(b"headline\nA b\n", "a.csv")
    extra = {"group": [1]}
    assert json.loads(write(timeline, extra, "json", signature="s|1")) == {
        "signature": "s|1",
        "fingerprint": timeline.fingerprint,
        "headlines": [{"headline": "A b", "group": 1}],
    }
    table = pq.read_table(io.BytesIO(write(timeline, extra, "parquet", signature="s|1")))
    assert table.schema.metadata[b"headline_lab.signature"] == b"s|1"
    book = openpyxl.load_workbook(io.BytesIO(write(timeline, extra, "xlsx", signature="s|1")))
    assert book["about"]["B1"].value == "s|1"


def test_xlsx_has_no_formula_and_keeps_types():
    timeline = load(f'headline,n\n"{EVIL.replace(chr(34), chr(34) * 2)}",-5\n'.encode(), "a.csv")
    data = write(timeline, {"group": [3], "sure": [True], "score": [0.25]}, "xlsx", signature="s")
    cells = next(openpyxl.load_workbook(io.BytesIO(data))["headlines"].iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [f"'{EVIL}", "-5", 3, True, 0.25]
    assert cells[0].data_type != "f"


def test_xlsx_refuses_a_text_that_it_would_have_to_cut():
    timeline = load(b"headline,body\nA b," + b"x" * 40_000 + b"\n", "a.csv")
    with pytest.raises(InputError, match="holds at most 32,767"):
        write(timeline, {}, "xlsx", signature="s")
    assert load(write(timeline, {}, "csv", signature="s"), "a.csv").original.equals(timeline.original)


def test_none_and_nan_are_empty():
    timeline = load(b"headline\nA b\nC d\n", "a.csv")
    extra = {"group": [None, float("nan")]}
    assert write(timeline, extra, "csv", signature="s") == b"headline,group\nA b,\nC d,\n"
    assert json.loads(write(timeline, extra, "json", signature="s"))["headlines"][1]["group"] is None


def test_wrong_calls_are_one_sentence():
    timeline = load(b"headline\nA b\n", "a.csv")
    with pytest.raises(UnknownNameError, match="no export format 'pdf'"):
        write(timeline, {}, "pdf", signature="s")
    with pytest.raises(InputError, match="2 values for 1 headlines"):
        write(timeline, {"group": [1, 2]}, "csv", signature="s")


def test_rejected_rows_come_back_whole():
    data = b"headline,date,line\nA b,2015-01-14,x\n=cmd(),2015-13-77,y\n"
    data += b",2015-01-14,z\nC d,2015-01-14,u,extra\n"
    report = load(data, "a.csv", now=NOW).report
    rows = list(csv.DictReader(io.StringIO(rejected_csv(report).decode())))
    assert [(r["rejected_line"], r["rejected_column"], r["rejected_value"]) for r in rows] == [
        ("3", "date", "2015-13-77"),
        ("4", "headline", ""),
        ("5", "line", "extra"),
    ]
    assert rows[0]["headline"] == "'=cmd()"
    assert [row["line"] for row in rows] == ["y", "z", "u"]
    assert rows[2]["extra_1"] == "extra"


def test_no_rejected_rows_is_a_header_alone():
    assert rejected_csv(load(b"headline\nA b\n", "a.csv").report).count(b"\n") == 1
