"""Timelines that mean harm or were made by accident, and files that are no timelines."""

import gzip
import io
import json
from datetime import datetime

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.file import FORMULAS, HEADLINES, MARKUP, File, csv, table


def hostile_rows():
    """Each nasty string in the headline, and another one in every other field; each headline twice."""
    rows = [["headline", "date", "publisher", "url", "authors", "body", "language", "group", "<b>note</b>"]]
    for number, text in enumerate(HEADLINES):
        other = MARKUP[number % len(MARKUP)]
        for day, outlet in ((1, other), (2, FORMULAS[number % len(FORMULAS)])):
            link = ("javascript:alert(1)", "https://evil.example/<b>", "https://evil.example/", "")[
                number % 4
            ]
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


PLAIN = b"headline\nStorm closes airport\nBank raises rates\n"


REFUSED = {
    "empty": csv(b"", "empty"),
    "header alone": csv(b"headline,date\n", "no rows"),
    "punctuation alone": csv("headline\n?!\n…\n—\n💥\n".encode(), "no word"),
    "no headline column": csv(b"id,price\n1,2\n3,4\n", "headline column"),
    "gz bomb": File("a.csv.gz", gzip.compress(b"headline\n" + b"A b\n" * 600_000), "unpacks", megabytes=1),
    "past the size limit": csv(PLAIN + b"A b\n" * 260_000, "at most 1 MB", megabytes=1),
    "only control characters": csv(bytes(range(1, 32)) * 50, "not text"),
    "unknown ending": File("a.<b>docm", PLAIN, "not read"),
}

DATES = (
    "2015-01-14", "2015-01-14T10:00:00+03:00", "Sep 25, 2016 1:28 PM CDT", "14.01.2015", "1394470370698",
    "2999-01-01", "Wed, 14 Jan 2015 10:20:30 GMT", "2015-01-14 10:00:00-08:00",
)  # fmt: skip

LOADED = {
    "every field hostile": File("<b>x</b> $1$ :red[y].csv", table(hostile_rows()), 50),
    "one row": csv(b"headline\nJust one\n", 1),
    "an endless headline among good ones": csv(PLAIN + b"x" * 100_000 + b"\nStorm shuts airport\n", 3),
    "duplicated columns": csv(
        b"headline,headline,date,date,:material/home:\nA storm,B,2024-01-01,x,1\nA bank,D,,y,2\n", 2
    ),
    "dates in many forms": csv(
        table([["headline", "date"], *([f"Headline {d}", d] for d in DATES)]), len(DATES)
    ),
    "lone surrogates": File(
        "a.json",
        json.dumps(
            [{"headline": f"Odd \ud800 {i}", "n\ud83d": "\udfff", "url": "\ud800"} for i in (1, 2)]
        ).encode(),
        2,
    ),
    "the same headline ten times": csv(b"headline\n" + b"Storm hits\n" * 10, 10),
    "years at both ends": csv(
        b"headline,date\nStorm shuts airport,0001-01-01\nBank raises rates,9999-12-31\n", 2
    ),
    "odd parquet": File("a.parquet", odd_parquet(), 2),
    "workbook of formulas": File("a.xlsx", workbook_of_formulas(), 2),
    "lines of anything": File(
        "a.jsonl", b'{"headline": "Storm"}\n\n5\n[1]\n{"headline": ["<b>"], "x": {"y": NaN}}\n{', 1
    ),
    "little more than punctuation": csv("headline\n?!a\n…é\n—9/11\n💥地\n".encode(), 4),
}


ARTICLE = "Police said 12 people were hurt when a storm closed the airport on Monday."


def sheet(*lines):
    return csv(table([list(line) for line in lines]))


ARTICLES = {
    "no column of articles": sheet(["title"], ["Storm"]),
    "an article without a word": sheet(["text"], [ARTICLE], ["?!"]),
    "an article of invisible letters": sheet(["text"], ["\u3164\u200b"]),
    "an id that stands twice": sheet(["id", "text"], ["1", ARTICLE], ["1", ARTICLE]),
    "ids of markup": sheet(["id", "text"], ["<b>", ARTICLE], ["../..", ARTICLE]),
    "a broken line among articles": File(
        "a.jsonl", json.dumps({"text": ARTICLE}).encode() + b"\n{\n", "cannot be read"
    ),
    "headlines that are a broken list": sheet(["text", "headline"], [ARTICLE, '["a", 5']),
    "headlines nested without end": sheet(["text", "headline"], [ARTICLE, "[" * 50_000]),
    "numbers that are none": sheet(["text", "num_gt"], [ARTICLE, "=1+1"]),
    "articles that are objects": File("a.json", json.dumps([{"text": {"a": ["<b>"]}}]).encode()),
    "an article of 90,000 characters": sheet(["text"], [f"{ARTICLE} " * 1_200]),
}
OUTPUTS = {
    "one line too few": File("a.txt", b"Storm\n"),
    "lines that are empty": File("a.txt", b"\n\n"),
    "ids of other articles": sheet(["id", "headline"], ["x", "Storm"], ["y", "Bank"]),
    "no column with headlines": sheet(["a", "b"], ["1", "2"], ["3", "4"]),
    "systems of unequal length": sheet(["system", "headline"], ["A", "Storm"], ["A", "Bank"], ["B", "Snow"]),
    "a system of markup": sheet(["pred_<b>x</b>"], ["Storm"], ["Bank"]),
    "scores that are none": sheet(["pred_a", "rouge_a"], ["Storm", "x"], ["Bank", "NaN"]),
}
ASKED = ["judge", "article", "system", "headline", "numerals", "reasonableness", "readability"]
RATINGS = {
    "no question": sheet(["judge", "article", "system"], ["A", "1", "X"]),
    "an answer past the scale": sheet(ASKED, ["A", "1", "X", "Storm", "9", "9", "9"]),
    "an answer that is none": sheet(ASKED, ["A", "1", "X", "Storm", "NaN", "inf", "1e9"]),
    "the same answer twice": sheet(ASKED, *[["A", "1", "X", "Storm", "1", "1", "1"]] * 2),
    "a judge of markup": sheet(ASKED, ["<script>", "1", "X", "Storm", "1", "1", "1"]),
    "two headlines of one system": sheet(
        ASKED, ["A", "1", "X", "Storm", "1", "1", "1"], ["B", "1", "X", "Bank", "1", "1", "1"]
    ),
    "a template that is empty": sheet(["judge", "item", "article", "text", "headline", "numerals"]),
}
HEADER = ["headline_a", "headline_b", "label", "date_a", "date_b"]
PAIRS = {
    "a label past one": sheet(HEADER, ["A", "B", "2", "", ""]),
    "a pair that contradicts itself": sheet(HEADER, ["A", "B", "1", "", ""], ["B", "A", "0", "", ""]),
    "a day that is none in a pair": sheet(HEADER, ["A", "B", "1", "x", "y"]),
    "a timeline of markup": sheet([*HEADER, "timeline_id"], ["A", "B", "1", "", "", "<b>"]),
    "tags of formulas": sheet([*HEADER, "tags"], ["A", "B", "1", "", "", "=1;<b>;;"]),
    "one side alone": sheet(["headline_a", "label"], ["A", "1"]),
    "pairs as lists": File("a.json", b'[{"headline_a": ["A"], "headline_b": {"x": 1}, "label": [1]}]'),
}
CASES = ["check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b"]
SUITES = {
    "a day that is none in a case": sheet(CASES, ["own", "A", "B", "yesterday", "", "same", "", ""]),
    "an original that is missing": sheet(CASES, ["own", "A", "B", "", "", "unchanged", "", ""]),
    "a column that is missing": sheet(["check", "a"], ["own", "A"]),
    "a case of odd values": File("a.json", b'[{"check": 5, "a": [], "b": {}, "expected": null}]'),
    "a check of markup": sheet(CASES, ["<b>", "A", "B", "", "", "same", "", ""]),
    "cases nested without end": File("a.json", b"[" * 60_000),
}
SHAPES = {
    **{f"articles, {name}": file for name, file in ARTICLES.items()},
    **{f"headlines, {name}": file for name, file in OUTPUTS.items()},
    **{f"answers, {name}": file for name, file in RATINGS.items()},
    **{f"pairs, {name}": file for name, file in PAIRS.items()},
    **{f"cases, {name}": file for name, file in SUITES.items()},
}
