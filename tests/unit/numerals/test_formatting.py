"""Writing values as numerals, against tables worked by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.errors import InputError
from core.numerals.formatting.digits import digits_of
from core.numerals.formatting.ordinals import ordinal_of
from core.numerals.formatting.phrases import (
    age_of,
    clock_of,
    date_of,
    fraction_of,
    money_of,
    percent_of,
    range_of,
    scaled_of,
    years_of,
)
from core.numerals.formatting.words import words_of


@pytest.mark.parametrize(
    ("value", "decimals", "english", "russian", "italian"),
    [
        (1234, None, "1,234", "1234", "1234"),
        (12345, None, "12,345", "12\u00a0345", "12.345"),
        (Fraction(7, 2), None, "3.5", "3,5", "3,5"),
        (Fraction(1, 8), 2, "0.13", "0,13", "0,13"),
        (Fraction(2, 3), 1, "0.7", "0,7", "0,7"),
        (1_234_567, 2, "1,234,567.00", "1\u00a0234\u00a0567,00", "1.234.567,00"),
        (0, None, "0", "0", "0"),
    ],
)
def test_digits(value, decimals, english, russian, italian):
    written = [digits_of(value, language=code, decimals=decimals) for code in ("en", "ru", "it")]
    assert written == [english, russian, italian]


@pytest.mark.parametrize(
    ("value", "english", "russian", "italian"),
    [
        (0, "zero", "ноль", "zero"),
        (21, "twenty-one", "двадцать один", "ventuno"),
        (23, "twenty-three", "двадцать три", "ventitré"),
        (108, "one hundred eight", "сто восемь", "centotto"),
        (245, "two hundred forty-five", "двести сорок пять", "duecentoquarantacinque"),
        (1100, "one thousand one hundred", "одна тысяча сто", "millecento"),
        (2000, "two thousand", "две тысячи", "duemila"),
        (11_000, "eleven thousand", "одиннадцать тысяч", "undicimila"),
        (
            1_200_000,
            "one million two hundred thousand",
            "один миллион двести тысяч",
            "un milione duecentomila",
        ),
        (3 * 10**9, "three billion", "три миллиарда", "tre miliardi"),
    ],
)
def test_words(value, english, russian, italian):
    assert [words_of(value, language=code) for code in ("en", "ru", "it")] == [english, russian, italian]


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [
        (1, ("1st", "1-й", "1º"), ("first", "первый", "primo")),
        (3, ("3rd", "3-й", "3º"), ("third", "третий", "terzo")),
        (12, ("12th", "12-й", "12º"), ("twelfth", "двенадцатый", "dodicesimo")),
        (22, ("22nd", "22-й", "22º"), ("twenty-second", "двадцать второй", "ventiduesimo")),
        (23, ("23rd", "23-й", "23º"), ("twenty-third", "двадцать третий", "ventitreesimo")),
        (40, ("40th", "40-й", "40º"), ("fortieth", "сороковой", "quarantesimo")),
        (111, ("111th", "111-й", "111º"), ("one hundred eleventh", "сто одиннадцатый", "centoundicesimo")),
        (200, ("200th", "200-й", "200º"), ("two hundredth", "двухсотый", "duecentesimo")),
    ],
)
def test_ordinals(value, digits, words):
    codes = ("en", "ru", "it")
    assert tuple(ordinal_of(value, language=code) for code in codes) == digits
    assert tuple(ordinal_of(value, language=code, words=True) for code in codes) == words


def test_phrases():
    assert money_of(Fraction(16, 5), "USD", factor=10**9) == "$3.2 billion"
    assert money_of(Fraction(7, 2), "RUB", language="ru", factor=10**6) == "3,5 млн рублей"
    assert money_of(2, "EUR", language="it", factor=10**6) == "2 milioni di euro"
    assert money_of(20, "EUR", language="it") == "20 euro"
    assert scaled_of(5, 1) == "5"
    assert percent_of(Fraction(25, 2), language="ru") == "12,5%"
    assert [fraction_of(2, 3, language=code, words=True) for code in ("en", "ru", "it")] == [
        "two-thirds",
        "две трети",
        "due terzi",
    ]
    assert fraction_of(1, 3, language="it", words=True) == "un terzo"
    assert [range_of(5, 7, language=code) for code in ("en", "ru", "it")] == [
        "between 5 and 7",
        "от 5 до 7",
        "tra 5 e 7",
    ]
    assert clock_of(9, 5) == "9:05"
    assert [date_of(25, 9, 2016, language=code) for code in ("en", "ru", "it")] == [
        "September 25, 2016",
        "25 сентября 2016 года",
        "25 settembre 2016",
    ]
    assert [age_of(35, language=code) for code in ("en", "ru", "it")] == [
        "35-year-old",
        "35-летний",
        "35enne",
    ]
    assert [years_of(n, language="ru") for n in (1, 3, 5, 11, 21)] == [
        "1 год",
        "3 года",
        "5 лет",
        "11 лет",
        "21 год",
    ]


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: digits_of(-1),
        lambda: digits_of(Fraction(1, 3)),
        lambda: words_of(-1),
        lambda: words_of(10**12),
        lambda: ordinal_of(0),
        lambda: ordinal_of(1_000, words=True),
        lambda: scaled_of(1, 7),
        lambda: money_of(1, "XXX"),
        lambda: fraction_of(1, 0),
        lambda: fraction_of(1, 7, words=True),
        lambda: clock_of(24, 0),
    ],
)
def test_what_cannot_be_written(attempt):
    with pytest.raises(InputError) as caught:
        attempt()
    assert caught.value.hint
