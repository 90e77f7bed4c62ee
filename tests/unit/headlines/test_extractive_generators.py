"""Generators that take sentences: what each chooses, and what all promise."""

from __future__ import annotations

import math

import pytest

from core.headlines.generator import Wishes, headline_generators
from core.models.language_models.control_tags import Length
from core.runtime import Runtime

NAMES = ["first_sentence", "lead_one", "lexrank", "lsa", "luhn", "sumbasic", "textrank"]
FIGHT = (
    "WASHINGTON (AP) — Seven people were hurt in a fight in Boston. Police said the fight began outside a "
    "bar in Boston. Four people were taken to hospital by police. The bar had just closed."
)
RUSSIAN = "МОСКВА, 21 авг — РИА Новости. В Москве прошёл митинг. На митинг в Москве пришли люди. Было тепло."
ITALIAN = "ROMA (AP) – Il dott. Rossi è arrivato a Roma. A Roma lo aspettava il sindaco. Poi è ripartito."


def lines(name: str, *texts: str, wishes: Wishes | None = None) -> list[list[str]]:
    written = headline_generators.parse(name).build(Runtime()).write(texts, wishes or Wishes(), Runtime())
    return [[candidate.text for candidate in candidates] for candidates in written]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first_sentence", "Seven people were hurt in a fight in Boston."),
        ("lead_one", "Seven people were hurt in a fight in Boston."),
        ("textrank", "Police said the fight began outside a bar in Boston."),
        ("luhn", "Police said the fight began outside a bar in Boston."),
    ],
)
def test_each_chooses_its_sentence(name: str, expected: str) -> None:
    assert lines(name, FIGHT) == [[expected]]


@pytest.mark.parametrize("name", NAMES)
def test_an_article_alone_gets_what_it_gets_among_others(name: str) -> None:
    texts = (FIGHT, "", RUSSIAN, ITALIAN, FIGHT)
    together = lines(name, *texts, wishes=Wishes(candidates=3))
    assert together == [lines(name, text, wishes=Wishes(candidates=3))[0] for text in texts]
    assert together[1] == [""]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", [FIGHT, RUSSIAN, ITALIAN, "!!!", "One.", "Да. Да. Да.", "<b>x</b> & y", "今天很好。"]
)
def test_candidates_are_different_sentences_of_the_article_best_first(name: str, text: str) -> None:
    recipe = headline_generators.parse(name)
    (candidates,) = recipe.build(Runtime()).write([text], Wishes(candidates=4), Runtime())
    assert 1 <= len(candidates) <= 4
    assert len({candidate.text for candidate in candidates}) == len(candidates)
    assert all(candidate.text in text for candidate in candidates)
    scores = [candidate.score for candidate in candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_cut_at_a_word(name: str) -> None:
    for wishes, most in ((Wishes(most_words=4), 4), (Wishes(length=Length.SHORT), 6)):
        assert all(len(line.split()) <= most for line in lines(name, FIGHT, wishes=wishes)[0])
    assert lines(f"{name}|most_words:3", FIGHT) == lines(name, FIGHT, wishes=Wishes(most_words=3))


def test_equal_beginnings_are_one_candidate() -> None:
    text = "Police came to the bar. Police came to the house. Nobody was there."
    assert lines("first_sentence", text, wishes=Wishes(candidates=3, most_words=2)) == [
        ["Police came", "Nobody was"]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_long_article_is_read_from_its_beginning(name: str) -> None:
    text = " ".join(f"Sentence {n} tells of the fight in Boston." for n in range(8_000))
    (line,) = lines(name, text)[0]
    assert line in text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["", "!!! ...", "Storm shuts airport.", "It is what it is.", "The. Of. And storm."]
)
def test_articles_with_hardly_a_word_warn_of_nothing(
    name: str, text: str, recwarn: pytest.WarningsRecorder
) -> None:
    assert lines(name, text, wishes=Wishes(candidates=3))
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.parametrize("name", NAMES)
def test_sentences_without_a_common_word_stay_in_order(name: str, recwarn: pytest.WarningsRecorder) -> None:
    (candidates,) = (
        headline_generators.parse(name)
        .build(Runtime())
        .write(["Storm shuts airport. Bank raises rates."], Wishes(candidates=2), Runtime())
    )
    assert all(math.isfinite(candidate.score) for candidate in candidates)
    assert candidates[0].text == "Storm shuts airport."
    assert not [one for one in recwarn if one.category is RuntimeWarning]
