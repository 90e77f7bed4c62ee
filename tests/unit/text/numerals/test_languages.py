"""What is read in each language: hand-made cases, one file a language, and what is of one language alone."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from core.text.numerals.languages import LANGUAGES
from core.text.numerals.numeral import Approximation, Bound, NumeralForm, NumeralKind
from core.text.numerals.read import read_numerals

CASES = {
    code: tomllib.loads(Path(__file__).with_name(f"{code}.toml").read_text("utf-8")) for code in LANGUAGES
}


def cases(name):
    return [
        pytest.param(language, *line.split(" | "), id=f"{language}: {line}")
        for language, told in CASES.items()
        for line in told[name]
    ]


def kinds(text, language="en"):
    return [(n.number, n.kind) for n in read_numerals(text, language=language)]


@pytest.mark.parametrize("case", [one.values for one in cases("numerals")], ids=str)
def test_one_numeral(case):
    language, text, written, value, kind, unit = (*case, "")[:6]
    found = read_numerals(text, language=language)[0]
    assert (found.text, found.value, found.kind, found.unit) == (written, Fraction(value), kind, unit)


@pytest.mark.parametrize(("language", "text"), cases("none"))
def test_no_numeral(language, text):
    assert read_numerals(text, language=language) == ()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (language, text, Approximation(name))
        for language, told in CASES.items()
        for name, texts in told["approximations"].items()
        for text in texts
    ],
)
def test_approximations(language, text, expected):
    assert read_numerals(text, language=language)[0].approximation is expected


@pytest.mark.parametrize(("language", "text", "low", "high"), cases("ranges"))
def test_ranges(language, text, low, high):
    first, second = read_numerals(text, language=language)
    assert (first.value, first.bound) == (int(low), Bound.LOW)
    assert (second.value, second.bound) == (int(high), Bound.HIGH)
    assert (first.kind, first.unit) == (second.kind, second.unit)


@pytest.mark.parametrize(("language", "text", "counted"), cases("counted"))
def test_what_is_counted(language, text, counted):
    assert read_numerals(text, language=language)[0].counted == counted


@pytest.mark.parametrize(
    "text", ["won 3-2", "a 2-6, 6-3, 5-7 upset", "fell from 12 to 5", "10 men and 12 women", "555-1234-99"]
)
def test_no_ranges(text):
    assert {n.bound for n in read_numerals(text, language="en")} == {Bound.NONE}


def test_bare_number_keeps_what_a_copy_copies():
    text = "$3.2bn, 1,300 men, two dozen, 22nd, .05, in '98 and the '70s at 2:15am"
    assert [(n.number, n.amount, n.factor) for n in read_numerals(text, language="en")] == [
        ("3.2", Fraction(16, 5), 10**9),
        ("1,300", 1300, 1),
        ("two", 2, 12),
        ("22", 22, 1),
        ("05", 5, Fraction(1, 100)),
        ("98", 98, 1),
        ("70", 70, 1),
        ("2:15", Fraction(9, 4), 1),
    ]


@pytest.mark.parametrize(
    ("language", "text", "number", "value"),
    [
        ("en", "several hundred thousand people", "hundred", 100_000),
        ("it", "il quarantenne", "quarant", 40),
        ("ru", "тридцатипятилетняя жительница", "тридцатипяти", 35),
        ("de", "zwölfhundert Autos", "zwölfhundert", 1_200),
        ("de", "fünfzehnhundertfünfzig Euro", "fünfzehnhundertfünfzig", 1_550),
        ("de", "ein halbes Dutzend Verletzte", "halbes Dutzend", 6),
        ("en", "a dozen workers", "a dozen", 12),
    ],
)
def test_bare_number_inside_longer_words(language, text, number, value):
    (found,) = read_numerals(text, language=language)
    assert (found.number, found.value, found.form) == (number, value, NumeralForm.WORDS)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "three in four deaths"),
        ("it", "tre su quattro italiani"),
        ("ru", "три из четырех россиян"),
        ("de", "drei von vier Deutschen"),
        ("fr", "trois sur quatre"),
    ],
)
def test_a_share_is_two_numerals(language, text):
    found = read_numerals(text, language=language)
    assert [(n.value, n.kind) for n in found] == [(3, NumeralKind.FRACTION), (4, NumeralKind.FRACTION)]


@pytest.mark.parametrize(
    ("language", "text", "written", "sign"),
    [
        ("en", "Temperature falls to -5 degrees", "-5", "-"),
        ("en", "minus 5 degrees", "5", "-"),
        ("en", "Shares up +3%", "+3%", "+"),
        ("en", "at −$3 million", "−$3 million", "-"),
        ("en", "grew by ±2 percent", "±2 percent", "±"),
        ("ru", "ночью до −12 градусов", "−12", "-"),
        ("it", "meno 5 gradi", "5", "-"),
        ("de", "minus zehn Grad", "zehn", "-"),
        ("fr", "moins 5 degrés", "5", "-"),
        ("en", "a 10-5 win", "10", ""),
        ("en", "won 10 -5", "10", ""),
        ("en", "COVID-19", "19", ""),
    ],
)
def test_signs(language, text, written, sign):
    found = read_numerals(text, language=language)
    assert (found[0].text, found[0].sign, {n.sign for n in found[1:]} <= {""}) == (written, sign, True)


def test_a_share_may_have_its_noun_between():
    found = read_numerals("un Français sur quatre", language="fr")
    assert [(n.value, n.kind) for n in found] == [(1, NumeralKind.FRACTION), (4, NumeralKind.FRACTION)]


def test_dates():
    assert kinds("(Sep 25, 2016  1:28 PM CDT) A fire") == [
        ("25", NumeralKind.DATE),
        ("2016", NumeralKind.YEAR),
        ("1:28", NumeralKind.TIME),
    ]
    for text in ("on 9/25/2016", "on 25.09.2016", "on 25-09-2016"):
        assert [kind for _, kind in kinds(text)] == [NumeralKind.DATE, NumeralKind.DATE, NumeralKind.YEAR]
    assert kinds("on 2016-09-25") == [
        ("2016", NumeralKind.YEAR),
        ("09", NumeralKind.DATE),
        ("25", NumeralKind.DATE),
    ]
    assert kinds("version 1.2.3") == [
        ("1", NumeralKind.NAME),
        ("2", NumeralKind.NAME),
        ("3", NumeralKind.NAME),
    ]
    for language, text in (("it", "il 25 settembre 2016 e il"), ("ru", "25 сентября 2016 года и")):
        assert kinds(f"{text} 12.11.2019", language) == [
            ("25", NumeralKind.DATE),
            ("2016", NumeralKind.YEAR),
            ("12", NumeralKind.DATE),
            ("11", NumeralKind.DATE),
            ("2019", NumeralKind.YEAR),
        ]


def test_forms():
    found = read_numerals("3 men, three men, 3 million men, Rocky III", language="en")
    assert [n.form for n in found] == [
        NumeralForm.DIGITS,
        NumeralForm.WORDS,
        NumeralForm.MIXED,
        NumeralForm.ROMAN,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("в возрасте от 18 до 55 лет", [NumeralKind.AGE, NumeralKind.AGE]),
        ("в 2017-м банк", [NumeralKind.YEAR]),
        ("в 22 часа на территории", [NumeralKind.TIME]),
        ("за 22 часа", [NumeralKind.DURATION]),
        ("ветер 19 метров в секунду", [NumeralKind.MEASURE]),
    ],
)
def test_kinds_by_what_stands_around(text, expected):
    assert [kind for _, kind in kinds(text, "ru")] == expected


def test_the_end_of_a_range_is_no_upper_bound():
    low, high = read_numerals("от 5 до 7 человек", language="ru")
    assert low.approximation is high.approximation is Approximation.EXACT


@pytest.mark.parametrize("text", ["au moins 5 morts", "D'au moins 5 %", "au moins trois blessés"])
def test_at_least_is_no_minus_in_french(text):
    assert read_numerals(text, language="fr")[0].sign == ""
