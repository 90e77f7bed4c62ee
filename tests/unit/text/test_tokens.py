from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer
from rouge_score.tokenize import tokenize as rouge_score_tokenize

from core.text.tokens import (
    content,
    fold,
    guess_language,
    plain_words,
    stemmer,
    stemmer_name,
    tokenize,
    words,
)


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


@pytest.mark.parametrize(
    "alike",
    [
        "returns returned returning Return",
        "astronauta astronauti astronaute",
        "NASA Nasa NASA’s",
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


@given(st.text())
def test_english_is_cut_as_rouge_score_cuts_it(text: str) -> None:
    assert plain_words(text, "en") == rouge_score_tokenize(text, None)


def test_rouge_score_drops_cyrillic_and_cuts_italian_words_at_accents() -> None:
    assert rouge_score_tokenize("Банк России снизил ставку до 7%", None) == ["7"]
    assert rouge_score_tokenize("Così la città", None) == ["cos", "la", "citt"]
    assert plain_words("Банк России снизил ставку до 7%", "ru") == [
        "банк",
        "россии",
        "снизил",
        "ставку",
        "до",
        "7",
    ]
    assert plain_words("Così la città dell'Aquila", "it") == ["così", "la", "città", "dell", "aquila"]


def test_one_letter_in_two_spellings_is_one() -> None:
    assert plain_words("ёлка за\u0301мок и\u0306од", "ru") == ["елка", "замок", "йод"]
    assert plain_words("citta\u0300", "it") == plain_words("CITTÀ", "it")


def test_snowball_by_hand() -> None:
    russian, italian = stemmer("ru"), stemmer("it")
    assert russian is not None
    assert italian is not None
    assert {russian(word) for word in ("ставка", "ставку", "ставки", "ставкой")} == {"ставк"}
    assert italian("ministri") == italian("ministro") == SnowballStemmer("italian").stem("ministro")
    assert stemmer("fi") is None
    assert stemmer_name("fi") == "no stems"


@given(st.text(max_size=60))
def test_words_are_those_of_the_tokens(text: str) -> None:
    assert words(text) == [token.text.casefold() for token in tokenize(text)]
