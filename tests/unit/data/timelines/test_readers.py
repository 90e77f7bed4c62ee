import io
import json
import os
from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import limits
from core.data.timelines.load import load, load_path, load_text
from core.data.timelines.preview import sniff
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from tests.unit.data.timelines.test_newsroom_sheets import workbook

ROWS = [("2015-01-14", "cnn", "Astronauts relocate after alarm"), ("", "bbc", "Peggy Whitson, back on Earth")]


def delimited(delimiter):
    lines = [["date", "publisher", "headline"], *map(list, ROWS)]
    return "\n".join(delimiter.join(f'"{c}"' if delimiter in c else c for c in line) for line in lines) + "\n"


def assert_rows(timeline):
    assert timeline.texts == [headline for _, _, headline in ROWS]
    assert list(timeline.table["publisher"]) == ["cnn", "bbc"]
    assert timeline.undated == 1
    assert bool(timeline.table["day_only"].iloc[0])


@pytest.mark.parametrize(
    ("delimiter", "encoding"), [(",", "utf-8-sig"), (";", "utf-16"), ("\t", "utf-16-le"), ("|", "utf-16-be")]
)
def test_delimited(delimiter, encoding):
    timeline = load(delimited(delimiter).encode(encoding), "a.csv")
    assert_rows(timeline)
    assert timeline.report.format == "csv"


def test_quotes_line_ends_and_delimiters_inside_cells():
    timeline = load(b'headline,publisher\n"He said ""no"",\nand left",cnn\r\nNext one,bbc', "a.csv")
    assert timeline.texts == ['He said "no", and left', "Next one"]
    assert timeline.original["headline"].iloc[0] == 'He said "no",\nand left'


def test_rows_of_the_wrong_width():
    data = b"headline,publisher\nToo many,cnn,x\nEmpty extra,bbc,,\nToo few\n"
    timeline = load(data, "a.csv")
    assert timeline.texts == ["Empty extra", "Too few"]
    (rejected,) = timeline.report.rejected
    assert (rejected.line, rejected.value) == (2, "x")
    assert rejected.cells == {"headline": "Too many", "publisher": "cnn", "extra_1": "x"}
    assert any("fewer cells" in note for note in timeline.report.notes)


def test_duplicated_and_empty_column_names_are_made_unique():
    timeline = load(b"headline,headline,,x,x\nOne,Two,3,4,5\n", "a.csv")
    assert list(timeline.original.columns) == ["headline", "headline_2", "column_3", "x", "x_2"]
    assert any("same name" in note for note in timeline.report.notes)
    assert timeline.texts == ["One"]


def test_xlsx_with_real_dates_serials_and_numbers():
    rows = [
        ["Date", "Publisher", "Headline", "Views"],
        [datetime(2015, 1, 14, 9, 30), "cnn", "First headline here", 5],
        [42018, "bbc", "Second headline here", 2.5],
        [datetime(2015, 1, 16), None, "=1+1", None],
    ]
    data = workbook(("Sheet", rows), ("more", [["x"]]))
    timeline = load(data, "a.xlsx")
    dates = [str(value)[:16] for value in timeline.table["published"]]
    assert dates == ["2015-01-14 09:30", "2015-01-14 00:00"]
    assert list(timeline.table["day_only"]) == [False, True]
    assert list(timeline.original["Views"])[:2] == ["5", "2.5"]
    assert any("Only the sheet" in note for note in timeline.report.notes)


def test_json_in_its_shapes():
    rows = [{"date": d or None, "publisher": p, "headline": h} for d, p, h in ROWS]
    assert_rows(load(json.dumps(rows).encode(), "a.json"))
    around = load(json.dumps({"source": "x", "articles": rows}).encode(), "a.json")
    assert_rows(around)
    assert "left out: source" in around.report.notes[0]
    by_column = {name: [row[name] for row in rows] for name in rows[0]}
    assert_rows(load(json.dumps(by_column).encode(), "a.json"))
    assert load(b'["One headline", "Two"]', "a.json").texts == ["One headline", "Two"]
    assert load(b'{"headline": "Just one"}', "a.json").texts == ["Just one"]


@pytest.mark.parametrize(
    ("wrapped", "around"),
    [
        ({"data": {"items": "ROWS"}}, None),
        ({"status": "ok", "data": {"total": 2, "authors": [{"name": "A"}] * 9, "items": "ROWS"}}, "total"),
        ({"title": "My feed", "a": {"b": {"c": {"d": "ROWS"}}}}, "title"),
        ({"sources": [{"name": "CNN"}] * 9, "response": {"docs": "ROWS"}}, "sources"),
        ({"a": {"less": [{"headline": "Other"}], "b": {"more": "ROWS"}}}, "less"),
    ],
)
def test_json_rows_are_found_inside_other_objects(wrapped, around):
    rows = [{"headline": "One headline"}, {"headline": "Two"}]
    data = json.dumps(wrapped).replace('"ROWS"', json.dumps(rows)).encode()
    timeline = load(data, "a.json")
    assert timeline.texts == ["One headline", "Two"]
    assert around is None or around in timeline.report.notes[0]


def test_an_object_with_a_headline_is_a_row_whatever_it_holds():
    row = {"headline": "Storm hits coast", "meta": {"authors": [{"name": "A"}, {"name": "B"}]}}
    assert load(json.dumps(row).encode(), "a.json").texts == ["Storm hits coast"]


def test_a_number_is_no_headline_however_it_is_written():
    for number in ("Infinity", "-Infinity", "NaN", "1e999", "1.5e10", "7", '"inf"', '"1e999"', '"-2.5E+3"'):
        timeline = load(f'[{{"headline": {number}}}, {{"headline": "Storm"}}]'.encode(), "a.json")
        assert timeline.texts == ["Storm"], number
    values = load(b'[{"headline": "Storm", "a": NaN, "b": -1e999, "c": 1.5}]', "a.json").original
    assert values.iloc[0].tolist() == ["Storm", None, None, "1.5"], "no value, whatever the column"
    assert load(b'[{"headline": "1e Kammer"}, {"headline": "Inferno"}]', "a.json").texts[1] == "Inferno"


def test_json_keeps_what_is_odd_and_rejects_what_is_no_object():
    timeline = load(b'[{"headline": "A b", "headline": "C d"}, 5, null, {"headline": "E f"}]', "a.json")
    assert list(timeline.original.columns) == ["headline", "headline_2"]
    assert [row.line for row in timeline.report.rejected] == [2, 3]
    data = b'[{"headline": "a \\ud800 b", "n": 1.0, "big": 12345678901234567890, "l": [1, {"a": null}]}]'
    odd = load(data, "a.json")
    assert odd.fingerprint
    assert odd.original.iloc[0].tolist() == ["a \ufffd b", "1", "12345678901234567890", '[1, {"a": null}]']
    lines = load(b'{"headline": "One two"}\n{"headline": \n\n"Three four"\n', "a.jsonl")
    assert (lines.texts, [row.line for row in lines.report.rejected]) == (["One two", "Three four"], [2])
    assert load(b'{"title": "A b"}\n{"title": "C d"}\n', "a.json").report.format == "jsonl"


def test_pasted_lines_tables_and_bullets():
    assert load_text("One headline here\n\n  Another one  \n").texts == ["One headline here", "Another one"]
    assert load_text("- 6 evacuate US part\n- Another one").texts == ["6 evacuate US part", "Another one"]
    for delimiter in ("\t", " | "):
        text = "\n".join(delimiter.join(row) for row in [("2015-01-14", "cnn", "A long headline"), *ROWS[:1]])
        timeline = load_text(text)
        assert timeline.texts == ["A long headline", "Astronauts relocate after alarm"]
        assert list(timeline.table["publisher"]) == ["cnn", "cnn"]
        assert timeline.undated == 0
    markdown = "| Date | Source | Headline |\n|---|---|---|\n| 2015-01-14 | cnn | A long headline |"
    assert load_text(markdown).publishers[0] == "cnn"
    assert load_text('[{"headline": "A b"}]').report.format == "json"


def test_a_pasted_line_of_another_width_is_rejected_and_one_without_cells_is_a_headline():
    text = "\n".join(["2015-01-14\tcnn\tA long headline here"] * 5 + ["broken\tline", "A lone headline"])
    timeline = load_text(text)
    assert timeline.texts[4:] == ["A long headline here", "A lone headline"]
    assert [row.line for row in timeline.report.rejected] == [6]


def test_sniff_proposes_and_the_user_changes():
    data = (
        b"when;who;what;other\n2015-01-14;cnn;Crew returns to the station;A longer text that is prose too\n"
    )
    preview = sniff(data, "a.csv")
    assert (preview.format, preview.delimiter, preview.row_count) == ("csv", "semicolon", 1)
    assert preview.mapping == {Field.PUBLISHED: ("when",), Field.HEADLINE: ("other",)}
    timeline = load(data, "a.csv", mapping={Field.HEADLINE: "what", Field.PUBLISHER: ("who",)})
    assert timeline.texts == ["Crew returns to the station"]
    assert timeline.undated == 1


def test_columns_are_matched_by_content():
    rows = "".join(f"{i},The {i} crew returns safely,2015-01-{i},https://a.b/{i}\n" for i in range(10, 20))
    mapping = sniff(f"q,w,e,r\n{rows}".encode(), "a.csv").mapping
    assert mapping == {Field.HEADLINE: ("w",), Field.PUBLISHED: ("e",), Field.URL: ("r",)}


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({Field.HEADLINE: "nope"}, "no column 'nope'"),
        ({Field.PUBLISHER: "publisher"}, "No headline column"),
        ({Field.HEADLINE: ("headline", "date")}, "takes one column"),
        ({"mood": "date"}, "no field 'mood'"),
    ],
)
def test_a_wrong_mapping_is_one_sentence(mapping, message):
    with pytest.raises(InputError, match=message):
        load(delimited(",").encode(), "a.csv", mapping=mapping)


def test_excels_own_statement_of_the_delimiter():
    timeline = load(b"sep=;\r\nheadline;note\r\nA, b, c;x\r\n;y\r\n", "a.csv")
    assert (timeline.texts, timeline.report.rejected[0].line) == (["A, b, c"], 4)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Crew returns safely,cnn\nOldest woman in space,bbc\n", 2),
        ("Title of the article,Where\nOldest woman in space,bbc\n", 1),
        ("RIFF Raff is arrested again\nGIF of the day goes around\n", 2),
    ],
)
def test_whether_the_first_row_is_a_header(text, count):
    assert len(load(text.encode(), "a.csv")) == count


def test_midnights_without_a_zone_are_days():
    timeline = load(b"headline,date\nA b,2015-01-14 00:00:00\nC d,2015-01-15 00:00:00\nE f,\n", "a.csv")
    assert list(timeline.table["day_only"]) == [True, True, False]
    assert "taken as days" in timeline.report.notes[0]
    mixed = load(b"headline,date\nA b,2015-01-14 00:00:00\nC d,2015-01-15 10:00:00\n", "a.csv")
    assert not mixed.table["day_only"].any()


def test_the_original_keeps_the_input_as_it_was():
    timeline = load("headline,note\n A  b\u0000,<b>\u00a0x\n".encode(), "a.csv")
    assert list(timeline.original.iloc[0]) == [" A  b\u0000", "<b>\u00a0x"]
    assert any("Hidden control characters" in note for note in timeline.report.notes)
    assert any(note.endswith("1 headline.") for note in timeline.report.notes)


def test_paths(tmp_path):
    with pytest.raises(DataSourceError, match="is a folder"):
        load_path(tmp_path)
    with pytest.raises(DataSourceError, match="no file"):
        load_path(tmp_path / "gone.csv")
    for odd in ("a\0b.csv", "x" * 5000):
        with pytest.raises(DataSourceError, match=r"cannot be read|no file"):
            load_path(odd)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataSourceError, match="not a plain file"):
        load_path(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("limit", "data", "column"),
    [
        (limits.HEADLINE_CHARACTERS, b"headline\nabcde\nabcdef\n", "headline"),
        (limits.FIELD_CHARACTERS, b"headline,note\nabcde,abcde\nSecond one,abcdef\n", "note"),
    ],
)
def test_a_text_past_a_limit_costs_its_row(monkeypatch, limit, data, column):
    monkeypatch.setenv(limit.variable, "5")
    timeline = load(data, "a.csv")
    assert timeline.texts == ["abcde"]
    assert timeline.report.rejected[0].column == column


LONG = "x" * 100_000


def repeated(count):
    """One long text in many places, stored once."""
    return pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array([LONG])).cast(pa.string())


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
    held = io.BytesIO()
    pq.write_table(pa.table({"headline": ["Storm"] * len(column), "extra": column}), held, compression="zstd")
    data = held.getvalue()
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
