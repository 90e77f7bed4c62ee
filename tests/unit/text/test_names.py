from __future__ import annotations

import pytest

from core.text.names import Initials, find_names, learn_names
from core.text.tokens import fold, tokenize


def names_of(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    return [token.text for token in find_names(text, known=known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("French astronaut Pesquet describes first days", ["Pesquet"]),
        ("Crew of the ISS returns to Earth on Monday", ["ISS", "Earth"]),
        ("Экипаж МКС вернулся в Казахстан", ["МКС", "Казахстан"]),
        ("Il governo di Roma incontra Draghi", ["Roma", "Draghi"]),
        ("New iPhone sells out", ["iPhone"]),
        ("Oh, brother! Twins study shows change: Body ages", []),
        ("VIDEO: crew lands safely", []),
        ("", []),
    ],
)
def test_capitals_inside_sentence_case_are_names(text: str, expected: list[str]) -> None:
    assert names_of(text) == expected


def test_title_case_says_nothing_until_names_are_learnt() -> None:
    title = "Scott Kelly Spent a Year in Orbit"
    assert names_of(title) == []
    known = learn_names([title, "Astronaut Scott Kelly is taller after a year", "The orbit of Kelly"])
    assert names_of(title, known) == ["Scott", "Kelly"]


def test_a_word_more_often_small_is_no_name() -> None:
    known = learn_names(
        ["The Space agency plans a launch", "A walk in open space today", "Crew works in space again"]
    )
    assert fold("space") not in known


def test_acronyms_are_names_in_any_spelling() -> None:
    known = learn_names(["NASA delays launch of its rocket"])
    assert names_of("Nasa Delays Launch", known) == ["Nasa"]
    assert names_of("HELP US NOW") == []


def test_acronym_meets_its_expansion() -> None:
    iss = tokenize("the ISS")[1]
    spelled = Initials(tokenize("Leak on International Space Station found")).spelling(iss)
    assert [token.text for token in spelled] == ["International", "Space", "Station"]
    assert Initials(tokenize("Space station leak")).spelling(iss) == ()
    assert Initials(tokenize("unhappy kids")).spelling(tokenize("the UK")[1]) == ()


def test_nothing_is_learnt_from_nothing() -> None:
    assert learn_names([]) == frozenset()
