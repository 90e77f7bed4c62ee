"""Bad pairs, bad calls and bad models through the command: every row kept, or one clear sentence."""

import io
import json

import numpy as np
import openpyxl
import pandas as pd
import pytest

from tests.hostile.corpus import FORMULAS, MARKUP, SCRIPTS, table
from tests.hostile.test_files_numerals_and_fields import one_sentence

HEADER = ["headline_a", "headline_b", "date_a", "date_b"]
PAIR = dict(zip(HEADER, ("Storm hits", "Storm hit", "2024-01-01", "2024-01-03"), strict=True))
WITH_TIME = "with_time|base:(levenshtein)"


def sheet():
    """A workbook with a blank row, a date, and a day number."""
    book = openpyxl.Workbook()
    for row in (HEADER, ["Rain", "Rain", 45_000, 45_001], [], ["Storm", "Storms", 45_000, "2023-03-15"]):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def scored(command, folder, name, content, scorer):
    """The rows that `score` writes; it must succeed."""
    file, out = folder / name, folder / "out.json"
    file.write_bytes(content)
    code, _, err = command("score", file, "--out", out, "--scorer", scorer, "--quiet")
    assert code == 0, err
    rows: list[dict[str, object]] = json.loads(out.read_bytes())["pairs"]
    return rows


KEPT = {
    "an empty headline": (
        "a.csv",
        b"headline_a,headline_b\n,Storm\nStorm,\nStorm,Storms\n",
        ["empty", "empty", None],
    ),
    "a sheet with a blank row": ("a.xlsx", sheet(), [None, "empty", None]),
    "a headline of 1,500 characters": (
        "a.csv",
        b"headline_a,headline_b\n" + b"x" * 1_500 + b",Storm\nStorm,Storms\n",
        ["1,500 characters", None],
    ),
    "dates that are none": (
        "a.csv",
        table(
            [
                HEADER,
                ["A", "B", "yesterday", ""],
                ["A", "B", "", "2024-02-30"],
                ["A", "B", "99999-01-01", ""],
                ["A", "B", "", ""],
            ]
        ),
        ["'yesterday'", "'2024-02-30'", "'99999-01-01'", None],
    ),
    "a row with too many cells": (
        "a.csv",
        b"headline_a,headline_b\nStorm,Storms,extra\nStorm,Storms\n",
        ["3 cells", None],
    ),
    "a quotation mark that never closes": (
        "a.csv",
        b'headline_a,headline_b\n"Storm,Storms\nStorm,Storms\n',
        ["never closed", None],
    ),
    "lines of anything": (
        "a.jsonl",
        f"{json.dumps(PAIR)}\nbroken\n[1]\n{json.dumps(PAIR)}\n".encode(),
        [None, "not valid JSON", "", None],
    ),
    "labels of all kinds": (
        "a.csv",
        b"headline_a,headline_b,label\nA,B,yes\nA,B,2\nA,B,-1\nA,B,NaN\nA,B,\nB,A,0\nA,B,1\n",
        [None] * 7,
    ),
    "nested values": ("a.json", json.dumps([{"headline_a": {"x": 1}, "headline_b": ["y"]}]).encode(), [None]),
}


@pytest.mark.parametrize(("name", "content", "reasons"), KEPT.values(), ids=list(KEPT))
def test_every_row_keeps_its_place(name, content, reasons, command, tmp_path):
    rows = scored(command, tmp_path, name, content, "levenshtein")
    assert len(rows) == len(reasons)
    for row, reason in zip(rows, reasons, strict=True):
        if reason is None:
            assert 0 <= float(str(row["score"])) <= 1
            assert row["same_event"] in (0, 1)
        else:
            assert (row["score"], row["same_event"]) == (None, None)
            assert reason in str(row["reason"])
            assert not str(row["reason"]).startswith(":")


def test_day_numbers_of_a_sheet_are_dates(command, tmp_path):
    same, _, day = scored(command, tmp_path, "a.xlsx", sheet(), "time_only")
    assert float(str(same["score"])) < float(str(day["score"]))  # 45,000 is 15 March 2023


def test_hostile_texts_are_scored_as_they_are(command, tmp_path):
    texts = [*MARKUP, *FORMULAS, *SCRIPTS]
    rows = scored(
        command, tmp_path, "a.csv", table([HEADER, *([t, t, "", ""] for t in texts)]), "levenshtein"
    )
    assert [row["score"] for row in rows] == [1.0] * len(texts)
    out = tmp_path / "out.csv"
    assert command("score", tmp_path / "a.csv", "--out", out, "--scorer", "levenshtein")[0] == 0
    assert not any(line.startswith(("=", "+1", "@")) for line in out.read_text().splitlines())


@pytest.mark.parametrize(
    ("date_a", "date_b", "days"),
    [
        ("01/02/2024", "13/02/2024", 12),
        ("2024-01-01T23:30:00-05:00", "2024-01-02T05:00:00Z", 0),
        ("0001-01-01", "9999-12-31", 3_652_058),
    ],
)
def test_days_apart_are_those_of_the_dates(date_a, date_b, days, command, tmp_path):
    rows = scored(command, tmp_path, "a.csv", table([HEADER, ["Storm", "Storm", date_a, date_b]]), WITH_TIME)
    assert float(str(rows[0]["score"])) == pytest.approx(np.exp(-days / 2.8), abs=1e-6)


@pytest.mark.parametrize(
    ("scorer", "says"),
    [
        ("time_only", "date is missing"),
        ("finetuned_time", "date is missing"),
        ("finetuned_content", "article's text is missing"),
        ("annotators", "Nobody annotated"),
    ],
)
def test_what_a_scorer_needs_is_told_before_a_model_is_read(scorer, says, command, tmp_path):
    file, out = tmp_path / "a.csv", tmp_path / "out.csv"
    file.write_text("headline_a,headline_b,label\nStorm hits,Storm hit,1\n")
    code, _, err = command("score", file, "--out", out, "--scorer", scorer, "--quiet")
    assert code == 2
    assert says in err
    assert "No pair could be scored." in err
    written = pd.read_csv(out, dtype=str, keep_default_na=False)
    assert written["score"].tolist() == [""]
    assert says in written["reason"][0]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("A,B,NaN\n", "'NaN', not 0 or 1"),
        ("A,B,1\nB,A,0\n", "labelled 0 here and 1 in row 1"),
        (",B,1\n", "headline is empty"),
        (",,\n", "holds no pair"),
    ],
)
def test_labels_must_be_sound_where_they_count(rows, says, command, tmp_path):
    (tmp_path / "a.csv").write_text(f"headline_a,headline_b,label\n{rows}")
    code, out, err = command("pairs", "stats", tmp_path / "a.csv")
    assert (code, out) == (2, "")
    one_sentence(err, says)


def test_blank_rows_and_repeated_pairs_are_no_fault(command, tmp_path):
    (tmp_path / "a.csv").write_text("headline_a,headline_b,label\nA,B,1\n,,\nB,A,1\nA,C,\n,,\n")
    code, out, _ = command("pairs", "stats", tmp_path / "a.csv", "--json")
    assert code == 0
    told = json.loads(out)["parts"]["test"]
    assert (told["headlines"], told["pairs"], told["same"], told["unknown"]) == (3, 3, 2, 1)
