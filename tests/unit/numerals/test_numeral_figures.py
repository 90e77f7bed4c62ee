"""Shares and paired tests, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from components.numerals.subject import worth
from core.numerals.question import blank_of, read_article
from research.benchmark.claims import OURS, UNSEEN, light_worth
from research.benchmark.numerals.run import fitting_answers, frequent_answer, random_answer
from research.benchmark.numerals.sets import mcnemar, share


def test_what_is_undefined_says_why() -> None:
    nothing = np.empty(0)
    none = np.empty(0, dtype=np.int64)
    assert share(nothing.astype(np.bool_), none).reason == "there are no such rows"
    one = share(np.array([True, False]), np.array([5, 5]))
    assert (one.value, one.low) == (0.5, None)


def test_mcnemar_counts_rows_that_differ() -> None:
    one = np.array([True] * 9 + [False] * 11)
    other = np.array([False] * 8 + [True] + [True] + [False] * 10)
    assert mcnemar(one, other) == pytest.approx(2 * (1 + 9) / 2**9)  # 8 wins, 1 loss
    assert mcnemar(one, one) is None


TEXT = "(Sep 25, 2016) Seven men, 7 women and a 12-year-old stole $65,000, 28% of $3 million, on the 3rd day."


@pytest.mark.parametrize(
    ("blank", "wanted"),
    [
        ("Gang Steals $____K", ["65", "3,000"]),
        ("Gang Steals $____M", ["3"]),
        ("____% of Money Gone", ["28"]),
        ("____-Year-Old Steals", ["12"]),
        ("A ____rd Day of Theft", ["3"]),
    ],
)
def test_the_signs_beside_a_blank_choose(blank: str, wanted: list[str]) -> None:
    assert fitting_answers(blank_of(blank, read_article(TEXT))) == wanted


def test_all_numbers_where_nothing_is_asked_for_but_none_of_the_dateline() -> None:
    found = fitting_answers(blank_of("Gang of ____ Caught", read_article(TEXT)))
    assert found[:3] == ["7", "7", "12"]
    assert "25" not in found
    assert "2016" not in found
    assert fitting_answers(blank_of("____ Left", read_article("Nothing here."))) == []


def test_draws_are_seeded_and_ties_go_to_the_first() -> None:
    answers = ["3", "7", "3", "7", "9"]
    assert frequent_answer(answers) == "3"
    assert {random_answer(answers, key=str(k), seed=0) for k in range(50)} == {"3", "7", "9"}
    assert random_answer(answers, key="a", seed=1) == random_answer(answers, key="a", seed=1)
    assert (random_answer([], key="", seed=0), frequent_answer([])) == ("", "")


def stored(folder: Path, day: str, red: int) -> None:
    rows = [
        {"system": OURS, "set": UNSEEN, "kind": "true", "headlines": 40, "green": 9, "amber": 2, "red": 1},
        {"system": OURS, "set": UNSEEN, "kind": "false", "headlines": 60, "green": 1, "amber": 8, "red": red},
        {"system": "digits occur", "set": UNSEEN, "kind": "true", "headlines": 40, "green": 1},
    ]
    path = folder / f"claims-{day}.json"
    path.write_text(json.dumps({"rows": rows, "date": day}), encoding="utf-8")


def test_the_newest_result_says_what_green_and_red_are_worth(tmp_path: Path) -> None:
    stored(tmp_path, "2026-11-01", 4)
    stored(tmp_path, "2026-11-02", 19)
    found = light_worth(tmp_path)
    assert found is not None
    assert (found.headlines, found.green, found.green_true, found.red, found.red_false) == (
        100,
        10,
        9,
        20,
        19,
    )
    told = "Of ten green, 9 were true (9 of 10); of ten red, 10 were false (19 of 20)."
    assert worth(found) == told


def test_what_was_not_measured_is_not_made_up(tmp_path: Path) -> None:
    assert light_worth(tmp_path) is None
