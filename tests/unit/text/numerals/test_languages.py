import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from core.text.numerals.language_tables import LANGUAGES
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
        ("3.2", Fraction(16, 5), 10**9), ("1,300", 1300, 1), ("two", 2, 12), ("22", 22, 1),
        ("05", 5, Fraction(1, 100)), ("98", 98, 1), ("70", 70, 1), ("2:15", Fraction(9, 4), 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "number", "value"),
    [
        ("en", "several hundred thousand people", "hundred", 100_000),
        ("it", "il quarantenne", "quarant", 40),
        ("ru", "тридцатипятилетняя жительница", "тридцатипяти", 35),
        ("de", "zwölfhundert Autos", "zwölfhundert", 1_200),
        ("de", "ein halbes Dutzend Verletzte", "halbes Dutzend", 6),
    ],
)
def test_bare_number_inside_longer_words(language, text, number, value):
    (found,) = read_numerals(text, language=language)
    assert (found.number, found.value, found.form) == (number, value, NumeralForm.WORDS)


@pytest.mark.parametrize(
    ("language", "text", "top"),
    [
        ("en", "three in four deaths", 3),
        ("ru", "три из четырех россиян", 3),
        ("de", "drei von vier Deutschen", 3),
        ("fr", "un Français sur quatre", 1),
    ],
)
def test_a_share_is_two_numerals(language, text, top):
    found = read_numerals(text, language=language)
    assert [(n.value, n.kind) for n in found] == [(top, NumeralKind.FRACTION), (4, NumeralKind.FRACTION)]


@pytest.mark.parametrize(
    ("language", "text", "written", "sign"),
    [
        ("en", "Temperature falls to -5 degrees", "-5", "-"),
        ("en", "Shares up +3%", "+3%", "+"),
        ("en", "grew by ±2 percent", "±2 percent", "±"), ("ru", "ночью до −12 градусов", "−12", "-"),
        ("de", "minus zehn Grad", "zehn", "-"),
        ("fr", "moins 5 degrés", "5", "-"), ("fr", "D'au moins 5 %", "5 %", ""),
        ("en", "a 10-5 win", "10", ""), ("en", "COVID-19", "19", ""),
    ],
)  # fmt: skip
def test_signs(language, text, written, sign):
    found = read_numerals(text, language=language)
    assert (found[0].text, found[0].sign, {n.sign for n in found[1:]} <= {""}) == (written, sign, True)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "(Sep 25, 2016  1:28 PM CDT) A fire", "25 date, 2016 year, 1:28 time"),
        ("en", "on 25.09.2016", "25 date, 09 date, 2016 year"),
        ("en", "on 2016-09-25", "2016 year, 09 date, 25 date"),
        ("en", "version 1.2.3", "1 name, 2 name, 3 name"),
        ("ru", "25 сентября 2016 года и 12.11.2019", "25 date, 2016 year, 12 date, 11 date, 2019 year"),
        ("ru", "в возрасте от 18 до 55 лет", "18 age, 55 age"),
        ("ru", "в 2017-м банк", "2017 year"),
        ("ru", "в 22 часа на территории", "22 time"),
        ("ru", "ветер 19 метров в секунду", "19 measure"),
    ],
)
def test_kinds_by_what_stands_around(language, text, expected):
    assert ", ".join(f"{n.number} {n.kind}" for n in read_numerals(text, language=language)) == expected
