import gzip
import threading

import pandas as pd
import pytest

from core import limits
from core.archive import reading
from core.archive.folder import HEADLINES, read_array, read_json
from core.data.timelines import decode
from core.data.timelines.load import load
from core.data.timelines.quoted_lines import UNCLOSED
from core.data.timelines.xlsx_writer import xlsx_bytes
from core.errors import Cancelled, CoreError
from core.files import ROOT
from core.runtime import Runtime

CASES = ROOT / "tests/data/cases"


def read(path, rows, encoding="utf-8", end="\n"):
    content = end.join(["headline,published", *rows]).encode(encoding)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return reading.read(path, {}, path.parent, Runtime())


def news(count):
    return [f"Storm {row} shuts the port of Dover,2024-05-01" for row in range(count)]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 40)
    monkeypatch.setattr(decode, "PIECE", 2_000)


@pytest.mark.parametrize(("name", "column"), [("news.csv", 0), ("news.csv.gz", 1)])
def test_a_quotation_mark_that_is_never_closed_costs_its_line_alone(tmp_path, name, column):
    rows = news(300)
    rows[100] = ['"Rain never ends,2024-05-02', 'Rain never ends,"2024-05-02'][column]
    told = read(tmp_path / name, rows)
    assert told["headlines"] == 299
    assert told["left_out_why"] == [{"reason": UNCLOSED, "rows": 1, "line": 102}]
    found = load((tmp_path / name).read_bytes(), name)
    assert len(found) == 299, "as a timeline is read"
    assert [(one.line, one.reason) for one in found.report.rejected] == [(102, UNCLOSED)]
    kept = pd.read_parquet(tmp_path / HEADLINES)["headline"]
    assert sorted(kept) == sorted(found.table["headline"])


HEAD = "headline,date,note\n"


def long(words, rows=9_000):
    """A file whose beginning tells nothing of what stands at its end."""
    body = "".join(f"{words} number {row},2024-01-{row % 28 + 1:02d},x\n" for row in range(rows))
    return f"{HEAD}{body}"


ENGLISH = long("Central bank raises rates by a quarter point")
FILES = {
    "late byte": (ENGLISH.encode() + b"One bad byte \xff here,2024-01-01,x\n", 9_001, ["line 9,002"]),
    "GB18030": (
        long("央行加息").encode("gb18030") + b"\xff\xff,2024-01-01,x\n",
        9_000,
        ["line 2;", "line 9,002."],
    ),
    "cut UTF-16": (ENGLISH.encode("utf-16")[:-1], 9_000, ["line 9,001."]),
    "other width": (
        b"headline,date\nStorm hits,2020-01-01\nCaf\xe9 burns,2020-01-01,extra\n"
        + "L’été à Paris,2020-01-02\n".encode(),
        2,
        ["line 3)"],
    ),
    "short rows": ((CASES / "short_rows.csv").read_bytes(), 5, ["line 9)"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_an_archive_is_read_as_a_timeline_is(tmp_path, name):
    data, headlines, places = FILES[name]
    (tmp_path / "news.csv").write_bytes(data)
    told = reading.read(tmp_path / "news.csv", {}, tmp_path, Runtime())
    timeline = load(data, "news.csv")
    assert told["headlines"] == len(timeline) == headlines
    assert sorted(pd.read_parquet(tmp_path / HEADLINES)["headline"]) == sorted(timeline.texts)
    assert told["left_out"] == len(timeline.report.rejected)
    assert (told["encoding"], told["ledger"]) == (timeline.report.encoding, timeline.report.ledger)
    assert tuple(told["notes"]) == timeline.report.notes[: len(told["notes"])]
    assert len(told["notes"]) == len(places)
    assert all(place in note for place, note in zip(places, told["notes"], strict=True))


@pytest.mark.parametrize(("encoding", "end"), [("utf-8-sig", "\r\n"), ("utf-16", "\n"), ("utf-8", "\r")])
def test_lines_are_those_of_the_file(tmp_path, encoding, end):
    rows = news(200)
    rows[3] = f'"Two{end}lines and a ""mark"", too",2024-05-01'
    rows[5] = ""
    rows[7] = "zu,viele,Felder"
    rows[150] = ",2024-05-01"
    rows[155] = ",2024-05-01"
    rows[160] = "#REF!,2024-05-01"
    rows[170] = '"Straße,2024-05-01'
    told = read(tmp_path / "news.csv", rows, encoding, end)
    assert (told["headlines"], told["left_out"]) == (194, 5)
    assert {one["line"]: (one["rows"], one["reason"]) for one in told["left_out_why"]} == {
        10: (1, "The row has 3 cells where the header has 2."),
        153: (2, "The headline is empty."),
        163: (1, "A formula failed here: #REF! stands in place of the headline."),
        173: (1, UNCLOSED),
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("merges.npy", "Delete it and run the same command again: what is missing is made again."),
        ("pairs/0.npy", "Delete it and run the same command again: what is missing is made again."),
        ("archive.json", "Delete the folder and run the same command again: all of it is made anew."),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(tmp_path, name, hint):
    path = tmp_path / "storms" / name
    path.parent.mkdir(parents=True)
    for content in (None, b"", b"\x93NUMPY", b"{"):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(CoreError) as told:
            (read_json if name.endswith("json") else read_array)(path)
        assert told.value.message == f"The file {name} of the archive storms is missing or damaged."
        assert told.value.hint == hint


OTHER = {
    "book.xlsx": xlsx_bytes({"news": [["headline", "date"], ["Storm", "2024-05-01"]]}),
    "book.csv": xlsx_bytes({"news": [["headline", "date"], ["Storm", "2024-05-01"]]}),
    "news.json": b'{"data": {"items": [{"headline": "Storm", "date": "2024-05-01"}]}}',
    "news.csv": b'[{"headline": "Storm", "date": "2024-05-01"}]',
    "news.jsonl": b'{"headline": "Storm"}\n{"headline": "Rain"}\n',
    "news.xml": b"<rss><channel><item><title>Storm</title></item></channel></rss>",
}


@pytest.mark.parametrize("name", [*OTHER, "news.json.gz"])
def test_what_only_a_timeline_is_made_of_is_said_with_where_it_can_be_opened(tmp_path, name):
    data = OTHER.get(name) or gzip.compress(OTHER["news.json"])
    assert len(load(data, name.replace("book.csv", "book.xlsx"))) in (1, 2)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CoreError, match="CSV, TSV or Parquet") as refused:
        reading.read(tmp_path / name, {}, tmp_path, Runtime())
    assert "Sources" in refused.value.hint


def test_plain_text_and_parquet_of_any_name_are_read(tmp_path):
    (tmp_path / "news.txt").write_text("headline\tdate\nStorm hits\t2024-05-01\n")
    pd.DataFrame({"headline": ["Storm hits"], "date": ["2024-05-01"]}).to_parquet(tmp_path / "news.pq")
    for name in ("news.txt", "news.pq"):
        assert reading.read(tmp_path / name, {}, tmp_path, Runtime())["headlines"] == 1


def test_a_file_past_the_limit_is_refused_and_a_stop_ends_the_reading(tmp_path, monkeypatch):
    monkeypatch.setenv(limits.ARCHIVE_HEADLINES.variable, "200")
    assert read(tmp_path / "news.csv", news(200))["headlines"] == 200
    with pytest.raises(CoreError, match="more than 200 headlines"):
        read(tmp_path / "news.csv", news(201))
    runtime = Runtime(stop=threading.Event())
    runtime.stop.set()
    with pytest.raises(Cancelled):
        reading.read(tmp_path / "news.csv", {}, tmp_path, runtime)
