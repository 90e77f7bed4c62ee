from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.tokens import content, fold, guess_language, tokenize


def texts_of(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "NASA’s $3.2bn rocket: U.S. won't pay 40% more",
            ["NASA’s", "$3.2bn", "rocket", "U.S.", "won't", "pay", "40%", "more"],
        ),
        (
            "US-Russia tensions, COVID-19 and e-mail",
            ["US", "Russia", "tensions", "COVID-19", "and", "e-mail"],
        ),
        ("‘Big’ “leak” at AT&T", ["Big", "leak", "at", "AT&T"]),
        ("L'astronauta dell’Italia", ["L'", "astronauta", "dell’", "Italia"]),
        ("Премьер-министр: 40 млн ₽", ["Премьер", "министр", "40", "млн"]),
        ("O'Brien’s A380", ["O'Brien’s", "A380"]),
        ("", []),
        ("— … !?", []),
    ],
)
def test_words_are_cut_where_a_reader_would(text: str, expected: list[str]) -> None:
    assert texts_of(text) == expected


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_every_span_slices_to_its_token(text: str) -> None:
    position = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text != ""
        assert token.start >= position
        position = token.end


@given(st.text(alphabet="aA'’-.$5 €%ёЯ&\u0301", max_size=30))
def test_spans_hold_for_crowded_punctuation(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))


@pytest.mark.parametrize(
    "alike",
    [
        "returns returned returning Return",
        "evacuate evacuates evacuated",
        "plan planned plans",
        "country countries Country's",
        "astronauta astronauti astronaute",
        "annuncio annunci",
        "NASA Nasa NASA’s",
        "UNESCO Unesco",
        "станция станции станцию станций",
        "вернулся вернулись вернётся вернется",
        "ёлка елки",
    ],
)
def test_forms_of_one_word_meet(alike: str) -> None:
    assert len({fold(word) for word in alike.split()}) == 1


@pytest.mark.parametrize(
    "unlike", ["leak lead", "crew crow", "news new", "ISS is", "погиб спасён", "morti feriti"]
)
def test_different_words_stay_apart(unlike: str) -> None:
    assert len({fold(word) for word in unlike.split()}) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Astronauts are back in the U.S. after a scare", ["Astronauts", "back", "U.S.", "scare"]),
        ("WHO tells us it won't help US", ["WHO", "tells", "help", "US"]),
        ("HELP US NOW", ["HELP"]),
        ("Экипаж вернулся из-за утечки на МКС", ["Экипаж", "вернулся", "утечки", "МКС"]),
        ("L'equipaggio è tornato dalla stazione", ["equipaggio", "tornato", "stazione"]),
    ],
)
def test_function_words_carry_no_content(text: str, expected: list[str]) -> None:
    assert [token.text for token in content(tokenize(text))] == expected


def test_us_is_a_country_only_in_capitals() -> None:
    country, pronoun = tokenize("US leaves us")[::2]
    assert (country.form, country.acronym, country.stop) == ("usa", True, False)
    assert (pronoun.form, pronoun.stop) == ("us", True)
    assert tokenize("U.S.")[0].form == tokenize("the USA")[1].form == "usa"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crew returns to the station", "en"),
        ("Экипаж NASA вернулся", "ru"),
        ("Il governo approva la manovra", "it"),
        ("Titanfall", "en"),
        ("", "en"),
    ],
)
def test_language_is_guessed_for_word_lists(text: str, expected: str) -> None:
    assert guess_language(text.split()) == expected


def test_a_given_language_decides_the_function_words() -> None:
    assert [t.text for t in content(tokenize("due come", language="it"))] == ["due"]
    assert [t.text for t in content(tokenize("due come", language="en"))] == ["due", "come"]
