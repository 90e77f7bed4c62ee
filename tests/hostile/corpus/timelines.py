"""Timelines that mean harm or were made by accident."""

import gzip
import io
import json
import zipfile
from datetime import datetime

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import FORMULAS, HEADLINES, MARKUP, table


def hostile_rows():
    """Each nasty string in the headline, and another one in every other field; each headline twice."""
    rows = [["headline", "date", "publisher", "url", "authors", "body", "language", "group", "<b>note</b>"]]
    for number, text in enumerate(HEADLINES):
        other = MARKUP[number % len(MARKUP)]
        for day, outlet in ((1, other), (2, FORMULAS[number % len(FORMULAS)])):
            link = ("javascript:alert(1)", "https://evil.example/<b>", "")[number % 3]
            date = f"2024-05-{day + number % 9:02}"
            rows.append([text, date, outlet, link, other, f"{other}\n{text}", "en", other, other])
    return rows


def odd_parquet():
    """Bytes, lists, objects, and dates at both ends of the calendar."""
    columns = {
        "headline": ["Storm closes airport", "Bank raises rates"],
        "published": [datetime(1, 1, 1), datetime(9999, 12, 31)],
        "<b>raw</b>": [b"\xff\x00", b"<script>"],
        "list": [["<b>"], []],
        "object": [{"a": "=1+1"}, None],
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def workbook_of_formulas():
    book = openpyxl.Workbook()
    for row in (
        ["headline", "date", "headline", '=HYPERLINK("https://evil.example")'],
        ["Storm closes airport", datetime(2024, 1, 1), '=HYPERLINK("https://evil.example")', "<b>"],
        ["Bank raises rates", 45_000, None, True],
        ["=1+1", "2024-01-01", "x", "y"],
    ):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        opened.writestr("a.csv", "headline\nA b\n")
    return buffer.getvalue()


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PLAIN = b"headline\nStorm closes airport\nBank raises rates\n"


REFUSED = {
    "empty": File("a.csv", b"", "empty"),
    "header alone": File("a.csv", b"headline,date\n", "no rows"),
    "no headline column": File("a.csv", b"id,price\n1,2\n3,4\n", "headline column"),
    "zip as csv": File("a.csv", archive(), "zip"),
    "picture as csv": File("a.csv", PNG, "picture"),
    "gz bomb": File("a.csv.gz", gzip.compress(b"headline\n" + b"A b\n" * 600_000), "unpacks", megabytes=1),
    "past the size limit": File("a.csv", PLAIN + b"A b\n" * 260_000, "at most 1 MB", megabytes=1),
    "only control characters": File("a.csv", bytes(range(1, 32)) * 50, "not text"),
    "script as file name": File("<script>alert(1)</script>.csv", b"", "empty"),
    "unknown ending": File("a.<b>docm", PLAIN, "not read"),
}

DATES = (
    "2015-01-14", "2015-01-14T10:00:00+03:00", "Sep 25, 2016 1:28 PM CDT", "14.01.2015", "1394470370698",
    "2999-01-01", "Wed, 14 Jan 2015 10:20:30 GMT", "2015-01-14 10:00:00-08:00",
)  # fmt: skip

LOADED = {
    "every field hostile": File("<b>x</b> $1$ :red[y].csv", table(hostile_rows()), headlines=50),
    "one row": File("a.csv", b"headline\nJust one\n", headlines=1),
    "two rows": File("a.csv", b"headline,date\nJust one,2024-01-01\nAnother one,2024-01-02\n", headlines=2),
    "an endless headline among good ones": File(
        "a.csv", PLAIN + b"x" * 100_000 + b"\nStorm shuts airport\n", headlines=3
    ),
    "duplicated columns": File(
        "a.csv",
        b"headline,headline,date,date,:material/home:\nA storm,B,2024-01-01,x,1\nA bank,D,,y,2\n",
        headlines=2,
    ),
    "dates in many forms": File(
        "a.csv", table([["headline", "date"], *([f"Headline {d}", d] for d in DATES)]), headlines=len(DATES)
    ),
    "lone surrogates": File(
        "a.json",
        json.dumps(
            [{"headline": f"Odd \ud800 {i}", "n\ud83d": "\udfff", "url": "\ud800"} for i in (1, 2)]
        ).encode(),
        headlines=2,
    ),
    "the same headline ten times": File("a.csv", b"headline\n" + b"Storm hits\n" * 10, headlines=10),
    "years at both ends": File(
        "a.csv", b"headline,date\nStorm shuts airport,0001-01-01\nBank raises rates,9999-12-31\n", headlines=2
    ),
    "odd parquet": File("a.parquet", odd_parquet(), headlines=2),
    "workbook of formulas": File("a.xlsx", workbook_of_formulas(), headlines=2),
    "lines of anything": File(
        "a.jsonl", b'{"headline": "Storm"}\n\n5\n[1]\n{"headline": ["<b>"], "x": {"y": NaN}}\n{', headlines=2
    ),
    "punctuation alone": File("a.csv", "headline\n?!\n…\n—\n💥\n".encode(), headlines=3),
}
