"""Hand-made Italian cases: what is read, its value, kind and unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.text.numerals.numeral import Approximation, Bound, Form, Kind
from core.text.numerals.read import read_numerals

CASES = [
    ("1.300 persone", "1.300", 1300, Kind.COUNT, ""),
    ("1.300.000 voti", "1.300.000", 1_300_000, Kind.COUNT, ""),
    ("12\u202f500 firme", "12\u202f500", 12_500, Kind.COUNT, ""),
    ("1 300 firme", "1 300", 1300, Kind.COUNT, ""),
    ("1'300 firme", "1'300", 1300, Kind.COUNT, ""),
    ("sale di 3,5 punti", "3,5", Fraction(7, 2), Kind.COUNT, ""),
    ("1.234,56 euro", "1.234,56 euro", Fraction(123456, 100), Kind.MONEY, "EUR"),
    ("3,5 milioni di euro", "3,5 milioni di euro", 3_500_000, Kind.MONEY, "EUR"),
    ("40 mln di euro", "40 mln di euro", 40_000_000, Kind.MONEY, "EUR"),
    ("2 miliardi di dollari", "2 miliardi di dollari", 2 * 10**9, Kind.MONEY, "USD"),
    ("€40M di multa", "€40M", 40_000_000, Kind.MONEY, "EUR"),
    ("€ 500 al mese", "€ 500", 500, Kind.MONEY, "EUR"),
    ("500 € al mese", "500 €", 500, Kind.MONEY, "EUR"),
    ("venti euro", "venti euro", 20, Kind.MONEY, "EUR"),
    ("50 centesimi", "50 centesimi", Fraction(1, 2), Kind.MONEY, "EUR"),
    ("12,5% dei voti", "12,5%", Fraction(25, 2), Kind.PERCENT, "%"),
    ("il 20 per cento", "20 per cento", 20, Kind.PERCENT, "%"),
    ("duecentoquarantacinque pagine", "duecentoquarantacinque", 245, Kind.COUNT, ""),
    ("tremilacinquecento tifosi", "tremilacinquecento", 3500, Kind.COUNT, ""),
    ("ventitré feriti", "ventitré", 23, Kind.COUNT, ""),
    ("ventuno casi", "ventuno", 21, Kind.COUNT, ""),
    ("centotto casi", "centotto", 108, Kind.COUNT, ""),
    ("mille persone", "mille", 1000, Kind.COUNT, ""),
    ("duemila persone", "duemila", 2000, Kind.COUNT, ""),
    ("un milione di firme", "un milione", 10**6, Kind.COUNT, ""),
    ("un milione e duecentomila firme", "un milione e duecentomila", 1_200_000, Kind.COUNT, ""),
    ("mezzo milione di firme", "mezzo milione", 500_000, Kind.COUNT, ""),
    ("due anni e mezzo", "due anni e mezzo", Fraction(5, 2), Kind.DURATION, "year"),
    ("un milione e mezzo di firme", "un milione e mezzo", 1_500_000, Kind.COUNT, ""),
    ("due milioni e mezzo di euro", "due milioni e mezzo di euro", 2_500_000, Kind.MONEY, "EUR"),
    ("dal 1° gennaio", "1°", 1, Kind.DATE, ""),
    ("il 3° posto", "3°", 3, Kind.ORDINAL, ""),
    ("30°C all'ombra", "30°", 30, Kind.MEASURE, "degree"),
    ("il 2,5 per mille", "2,5", Fraction(5, 2), Kind.COUNT, ""),
    ("sei morti", "sei", 6, Kind.COUNT, ""),
    ("tre morti", "tre", 3, Kind.COUNT, ""),
    ("due terzi degli italiani", "due terzi", Fraction(2, 3), Kind.FRACTION, ""),
    ("un terzo dei voti", "un terzo", Fraction(1, 3), Kind.FRACTION, ""),
    ("tre quarti del totale", "tre quarti", Fraction(3, 4), Kind.FRACTION, ""),
    ("la metà dei voti", "metà", Fraction(1, 2), Kind.FRACTION, ""),
    ("1/3 dei voti", "1/3", Fraction(1, 3), Kind.FRACTION, ""),
    ("una dozzina di uova", "una dozzina", 12, Kind.COUNT, ""),
    ("una ventina di persone", "una ventina", 20, Kind.COUNT, ""),
    ("un centinaio di persone", "un centinaio", 100, Kind.COUNT, ""),
    ("entrambi i feriti", "entrambi", 2, Kind.COUNT, ""),
    ("il terzo uomo", "terzo", 3, Kind.ORDINAL, ""),
    ("la prima volta", "prima", 1, Kind.ORDINAL, ""),
    ("il ventunesimo caso", "ventunesimo", 21, Kind.ORDINAL, ""),
    ("il centesimo gol", "centesimo", 100, Kind.ORDINAL, ""),
    ("il 3º posto", "3º", 3, Kind.ORDINAL, ""),
    ("la 22ª giornata", "22ª", 22, Kind.ORDINAL, ""),
    ("uomo di 35 anni", "35", 35, Kind.DURATION, "year"),
    ("Rossi, 35, ha detto", "35", 35, Kind.AGE, "year"),
    ("un 35enne di Roma", "35", 35, Kind.AGE, "year"),
    ("una quarantenne", "quarantenne", 40, Kind.AGE, "year"),
    ("nel 1998", "1998", 1998, Kind.YEAR, ""),
    ("l'anno 2016", "2016", 2016, Kind.YEAR, ""),
    ("il 25 settembre", "25", 25, Kind.DATE, ""),
    ("alle 15.30 di ieri", "15.30", Fraction(31, 2), Kind.TIME, ""),
    ("alle 15:30 di ieri", "15:30", Fraction(31, 2), Kind.TIME, ""),
    ("alle ore 9", "9", 9, Kind.TIME, ""),
    ("all'età di 35 anni", "35", 35, Kind.AGE, "year"),
    ("dieci anni dopo", "dieci", 10, Kind.DURATION, "year"),
    ("tre mesi di carcere", "tre", 3, Kind.DURATION, "month"),
    ("due decenni fa", "due decenni", 20, Kind.DURATION, "year"),
    ("40 km da Roma", "40", 40, Kind.MEASURE, "kilometre"),
    ("30 gradi", "30", 30, Kind.MEASURE, "degree"),
    ("il XX secolo", "XX", 20, Kind.ORDINAL, ""),
    ("Giovanni Paolo II", "II", 2, Kind.NAME, ""),
    ("Boeing 737 precipita", "737", 737, Kind.NAME, ""),
    ("casi di COVID-19", "19", 19, Kind.NAME, ""),
    ("il G7 di Taormina", "7", 7, Kind.NAME, ""),
    ("l'11 settembre", "11", 11, Kind.DATE, ""),
]


@pytest.mark.parametrize(("text", "written", "value", "kind", "unit"), CASES, ids=[case[0] for case in CASES])
def test_one_numeral(text, written, value, kind, unit):
    found = read_numerals(text, language="it")[0]
    assert (found.text, found.value, found.kind, found.unit) == (written, value, kind, unit)


@pytest.mark.parametrize(
    "text",
    ["tu sei stato bravo", "secondo la polizia", "un uomo e una donna", "prima di cena", "in mezzo alla via"],
)
def test_no_numeral(text):
    assert read_numerals(text, language="it") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quasi 40 persone", Approximation.ABOUT),
        ("circa 40 persone", Approximation.ABOUT),
        ("40 persone circa", Approximation.ABOUT),
        ("40 circa", Approximation.ABOUT),
        ("oltre 40 persone", Approximation.MORE_THAN),
        ("più di 40 persone", Approximation.MORE_THAN),
        ("meno di 40 persone", Approximation.LESS_THAN),
        ("almeno 40 persone", Approximation.AT_LEAST),
        ("fino a 40 persone", Approximation.AT_MOST),
        ("non più di 40 persone", Approximation.AT_MOST),
        ("decine di persone", Approximation.VAGUE),
        ("centinaia di persone", Approximation.VAGUE),
        ("40 persone", Approximation.EXACT),
    ],
)
def test_approximations(text, expected):
    assert read_numerals(text, language="it")[0].approximation is expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("tra 5 e 7 persone", 5, 7),
        ("da 10 a 12 persone", 10, 12),
        ("10-12 persone", 10, 12),
        ("2-3 milioni di euro", 2_000_000, 3_000_000),
        ("tra il 5% e il 7%", 5, 7),
        ("fra due e cinque anni", 2, 5),
    ],
)
def test_ranges(text, low, high):
    first, second = read_numerals(text, language="it")
    assert [(first.value, first.bound), (second.value, second.bound)] == [
        (low, Bound.LOW),
        (high, Bound.HIGH),
    ]
    assert (first.kind, first.unit) == (second.kind, second.unit)


def test_a_whole_date():
    found = read_numerals("il 25 settembre 2016 e il 12.11.2019", language="it")
    assert [(n.value, n.kind) for n in found] == [
        (25, Kind.DATE),
        (2016, Kind.YEAR),
        (12, Kind.DATE),
        (11, Kind.DATE),
        (2019, Kind.YEAR),
    ]


def test_bare_number_inside_a_longer_word():
    (found,) = read_numerals("il quarantenne", language="it")
    assert (found.number, found.value, found.form) == ("quarant", 40, Form.WORDS)


def test_what_is_counted():
    assert [
        read_numerals(text, language="it")[0].counted
        for text in ("cinque persone", "altri due feriti", "un milione di firme", "nel 1998")
    ] == ["person", "fer", "firm", ""]


def test_a_share_is_two_numerals():
    one, four = read_numerals("tre su quattro italiani", language="it")
    assert (one.value, four.value, one.kind, four.kind) == (3, 4, Kind.FRACTION, Kind.FRACTION)
