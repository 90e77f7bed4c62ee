"""Numbers of the article that look right for a blank."""

from __future__ import annotations

import pytest

from core.numerals.question import blank_of, read_article
from research.benchmark.numerals.baselines import fitting_answers, frequent_answer, random_answer

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
