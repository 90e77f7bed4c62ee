"""Files of the other kinds that are read, each with one thing wrong."""

import json

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import table

ARTICLE = "Police said 12 people were hurt when a storm closed the airport on Monday."


def sheet(*lines):
    return File("a.csv", table([list(line) for line in lines]))


ARTICLES = {
    "no column of articles": sheet(["title"], ["Storm"]),
    "an article without a word": sheet(["text"], [ARTICLE], ["?!"]),
    "an article of invisible letters": sheet(["text"], ["\u3164\u200b"]),
    "an article of tags alone": sheet(["text"], ["<script>alert(1)</script>"]),
    "an id that stands twice": sheet(["id", "text"], ["1", ARTICLE], ["1", ARTICLE]),
    "an empty id": sheet(["id", "text"], ["", ARTICLE]),
    "ids of markup": sheet(["id", "text"], ["<b>", ARTICLE], ["../..", ARTICLE]),
    "a broken line among articles": File(
        "a.jsonl", json.dumps({"text": ARTICLE}).encode() + b"\n{\n", "cannot be read"
    ),
    "headlines that are a broken list": sheet(["text", "headline"], [ARTICLE, '["a", 5']),
    "headlines that are a list of lists": sheet(["text", "headline"], [ARTICLE, '[["a"], {}]']),
    "headlines of 5,000 digits in a list": sheet(["text", "headline"], [ARTICLE, f"[{'7' * 5_000}]"]),
    "headlines nested without end": sheet(["text", "headline"], [ARTICLE, "[" * 50_000]),
    "numbers that are none": sheet(["text", "num_gt"], [ARTICLE, "=1+1"]),
    "articles that are objects": File("a.json", json.dumps([{"text": {"a": ["<b>"]}}]).encode()),
    "articles that are null": File("a.json", json.dumps([{"text": None}, {"text": 5}]).encode()),
    "an article of 90,000 characters": sheet(["text"], [f"{ARTICLE} " * 1_200]),
}
OUTPUTS = {
    "one line too few": File("a.txt", b"Storm\n"),
    "one line too many": File("a.txt", b"Storm\nBank\nSnow\n"),
    "lines that are empty": File("a.txt", b"\n\n"),
    "ids of other articles": sheet(["id", "headline"], ["x", "Storm"], ["y", "Bank"]),
    "the same id twice": sheet(["id", "headline"], ["0", "Storm"], ["0", "Bank"]),
    "no column with headlines": sheet(["a", "b"], ["1", "2"], ["3", "4"]),
    "texts of other articles": sheet(["text", "headline"], ["Other", "Storm"], ["x", "Bank"]),
    "systems of unequal length": sheet(["system", "headline"], ["A", "Storm"], ["A", "Bank"], ["B", "Snow"]),
    "a system of markup": sheet(["pred_<b>x</b>"], ["Storm"], ["Bank"]),
    "a system without a name": sheet(["system", "headline"], ["", "Storm"], ["", "Bank"]),
    "scores that are none": sheet(["pred_a", "rouge_a"], ["Storm", "x"], ["Bank", "NaN"]),
}
ASKED = ["judge", "article", "system", "headline", "numerals", "reasonableness", "readability"]
RATINGS = {
    "no column of articles or items": sheet(["judge", "numerals"], ["A", "1"]),
    "no question": sheet(["judge", "article", "system"], ["A", "1", "X"]),
    "an answer past the scale": sheet(ASKED, ["A", "1", "X", "Storm", "9", "9", "9"]),
    "an answer below the scale": sheet(ASKED, ["A", "1", "X", "Storm", "-1", "0", "0"]),
    "an answer that is none": sheet(ASKED, ["A", "1", "X", "Storm", "NaN", "inf", "1e9"]),
    "an answer of 5,000 digits": sheet(ASKED, ["A", "1", "X", "Storm", "7" * 5_000, "1", "1"]),
    "the same answer twice": sheet(ASKED, *[["A", "1", "X", "Storm", "1", "1", "1"]] * 2),
    "a judge of markup": sheet(ASKED, ["<script>", "1", "X", "Storm", "1", "1", "1"]),
    "a judge of 10,000 letters": sheet(ASKED, ["A" * 10_000, "1", "X", "Storm", "1", "1", "1"]),
    "two headlines of one system": sheet(
        ASKED, ["A", "1", "X", "Storm", "1", "1", "1"], ["B", "1", "X", "Bank", "1", "1", "1"]
    ),
    "an item that is none": sheet(["judge", "item", "numerals"], ["A", "'; DROP TABLE", "1"]),
    "a template that is empty": sheet(["judge", "item", "article", "text", "headline", "numerals"]),
}
HEADER = ["headline_a", "headline_b", "label", "date_a", "date_b"]
PAIRS = {
    "a label past one": sheet(HEADER, ["A", "B", "2", "", ""]),
    "a pair that contradicts itself": sheet(HEADER, ["A", "B", "1", "", ""], ["B", "A", "0", "", ""]),
    "a side without words": sheet(HEADER, ["\u3164", "B", "1", "", ""]),
    "a headline twice in a pair": sheet(HEADER, ["A", "A", "0", "", ""]),
    "a day that is none in a pair": sheet(HEADER, ["A", "B", "1", "x", "y"]),
    "a part that is none": sheet([*HEADER, "part"], ["A", "B", "1", "", "", "<b>"]),
    "a timeline of markup": sheet([*HEADER, "timeline_id"], ["A", "B", "1", "", "", "<b>"]),
    "tags of formulas": sheet([*HEADER, "tags"], ["A", "B", "1", "", "", "=1;<b>;;"]),
    "one side alone": sheet(["headline_a", "label"], ["A", "1"]),
    "pairs as lists": File("a.json", b'[{"headline_a": ["A"], "headline_b": {"x": 1}, "label": [1]}]'),
    "pairs without labels": sheet(HEADER[:2], ["A storm", "A bank"]),
}
CASES = ["check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b"]
SUITES = {
    "an expectation that is none": sheet(CASES, ["own", "A", "B", "", "", "perhaps", "", ""]),
    "a day that is none in a case": sheet(CASES, ["own", "A", "B", "yesterday", "", "same", "", ""]),
    "no headline in a case": sheet(CASES, ["own", "", "B", "", "", "same", "", ""]),
    "an original that is missing": sheet(CASES, ["own", "A", "B", "", "", "unchanged", "", ""]),
    "a column that is missing": sheet(["check", "a"], ["own", "A"]),
    "cases that are numbers": File("a.json", b"[1, 2]"),
    "a case of odd values": File("a.json", b'[{"check": 5, "a": [], "b": {}, "expected": null}]'),
    "cases in Latin-1": File("a.csv", "check,a,b,expected\nown,Été,A,same\n".encode("latin-1")),
    "too many cells in a case": File("a.csv", b"check,a,b,expected\nown,A,B,same,x,y\n"),
    "a check of markup": sheet(CASES, ["<b>", "A", "B", "", "", "same", "", ""]),
    "cases nested without end": File("a.json", b"[" * 60_000),
}
FILES = {
    **{f"articles, {name}": file for name, file in ARTICLES.items()},
    **{f"headlines, {name}": file for name, file in OUTPUTS.items()},
    **{f"answers, {name}": file for name, file in RATINGS.items()},
    **{f"pairs, {name}": file for name, file in PAIRS.items()},
    **{f"cases, {name}": file for name, file in SUITES.items()},
}
