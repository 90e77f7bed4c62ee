from __future__ import annotations

import pytest

from core.text.names import Initials, find_names, learn_names
from core.text.tokens import is_common_noun, tokenize


def names_of(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    return [token.text for token in find_names(text, known=known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("French astronaut Pesquet describes first days", ["Pesquet"]),
        ("Crew of the ISS returns to Earth on Monday", ["ISS", "Earth"]),
        ("Экипаж МКС вернулся в Казахстан", ["МКС", "Казахстан"]),
        ("New iPhone sells out", ["iPhone"]),
        ("Oh, brother! Twins study shows change: Body ages", []),
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


NOUNS = ("Hochwasser", "Häuser", "Fernzüge", "Flutopfern", "Klimaaktivisten")
OTHERS = ("", "Söder", "Bayern", "Hamburg", "a" * 100_000)


@pytest.mark.parametrize("word", [*NOUNS, *OTHERS])
def test_nouns_their_forms_and_compounds_are_common_and_names_are_not(word: str) -> None:
    assert is_common_noun(word) == (word in NOUNS)
