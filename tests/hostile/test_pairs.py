"""Bad pairs, bad calls and bad models through the command: every row kept, or one clear sentence."""

import io
import json
import pickle
import shutil

import numpy as np
import openpyxl
import pandas as pd
import pytest
from safetensors.numpy import load_file, save_file

from tests.hostile.corpus import FORMULAS, MARKUP, SCRIPTS, table
from tests.hostile.running import ROOT
from tests.hostile.test_files import one_sentence

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


def test_order_of_rows_and_other_columns_change_nothing(command, tmp_path):
    pairs = [[f"Storm {i} hits", f"{i % 5} storm hit the coast", f"2024-01-{i + 1:02}", "2024-01-09"]
             for i in range(20)]  # fmt: skip
    mixed = [pairs[i] for i in np.random.default_rng(0).permutation(20)]
    reordered = [[*row[::-1], "<b>", "1"] for row in pairs]
    for scorer in (WITH_TIME, "tfidf", "char_overlap", "time_only"):
        straight = scored(command, tmp_path, "a.csv", table([HEADER, *pairs]), scorer)
        scores = {row["headline_a"]: row["score"] for row in straight}
        for header, rows in ((HEADER, mixed), ([*HEADER[::-1], "note", "label"], reordered)):
            again = scored(command, tmp_path, "a.csv", table([header, *rows]), scorer)
            assert [row["headline_a"] for row in again] == [row[header.index("headline_a")] for row in rows]
            assert {row["headline_a"]: row["score"] for row in again} == scores


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


def described(folder, content):
    (folder / "pair_model.json").write_bytes(content)


def no_threshold(folder):
    told = json.loads((folder / "pair_model.json").read_text())
    described(folder, json.dumps({**told, "threshold": float("nan")}).encode())


def weights(folder, change):
    """Changes each file of weights."""
    for path in [path for path in folder.iterdir() if path.suffix in (".safetensors", ".cbm")]:
        change(path)


def weights_without_a_number(folder):
    for path in folder.glob("*.safetensors"):
        tensors = {name: array.copy() for name, array in load_file(path).items()}
        for array in tensors.values():
            array.flat[0] = np.nan
        save_file(tensors, path)


PICKLE = pickle.dumps({"weights": [1.0]})
SPOILS = {
    "no description": lambda folder: (folder / "pair_model.json").unlink(),
    "a description cut off": lambda folder: described(folder, b'{"kind":'),
    "a deep description": lambda folder: described(folder, b"[" * 100_000),
    "no threshold": no_threshold,
    "another architecture": lambda folder: described(folder, b'{"kind": "telepathy", "threshold": 0.5}'),
    "a pickle as weights": lambda folder: weights(folder, lambda path: path.write_bytes(PICKLE)),
    "only a pickle": lambda folder: weights(
        folder, lambda path: path.write_bytes(PICKLE) and path.rename(path.with_suffix(".pkl"))
    ),
    "weights without a number": weights_without_a_number,
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=list(SPOILS))
@pytest.mark.parametrize("scorer", ["siamese", "catboost_pairs"])
def test_a_spoilt_model_is_one_sentence(spoil, scorer, command, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(ROOT / "models" / scorer, folder)
    spoil(folder)
    file = tmp_path / "a.csv"
    file.write_text("headline_a,headline_b\nStorm,Storms\n")
    code, out, err = command(
        "score", file, "--out", tmp_path / "o.csv", "--scorer", f"{scorer}|model:{folder}"
    )
    assert (code, out) == (2, "")
    one_sentence(err, "model|weights")
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("model", ["", "../../etc", "event_blend", "a\0b"])
def test_a_name_that_leads_elsewhere_is_no_model(model, command, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("headline_a,headline_b\nStorm,Storms\n")
    code, out, err = command("score", file, "--out", tmp_path / "o.csv", "--scorer", f"siamese|model:{model}")
    assert (code, out) == (2, "")
    one_sentence(err, "model")
