import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.porter import plain_words
from core.text.tokens import content, fold, guess_language, tokenize


def texts_of(text):
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
def test_words_are_cut_where_a_reader_would(text, expected):
    assert texts_of(text) == expected


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_every_span_slices_to_its_token(text):
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
def test_forms_of_one_word_meet(alike):
    assert len({fold(word) for word in alike.split()}) == 1


@pytest.mark.parametrize(
    "unlike", ["leak lead", "crew crow", "news new", "ISS is", "погиб спасён", "morti feriti"]
)
def test_different_words_stay_apart(unlike):
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
def test_function_words_carry_no_content(text, expected):
    assert [token.text for token in content(tokenize(text))] == expected


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
def test_language_is_guessed_for_word_lists(text, expected):
    assert guess_language(text.split()) == expected


def test_one_letter_in_two_spellings_is_one():
    assert plain_words("ёлка за\u0301мок и\u0306од", "ru") == ["елка", "замок", "йод"]
    assert plain_words("citta\u0300", "it") == plain_words("CITTÀ", "it")
