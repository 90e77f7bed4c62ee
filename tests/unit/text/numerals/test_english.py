"""Hand-made English cases: what is read, its value, kind and unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.text.numerals.numeral import Approximation, Bound, Form, Kind
from core.text.numerals.read import read_numerals

CASES = [
    ("1,300 people fled", "1,300", 1300, Kind.COUNT, ""),
    ("about 1\u202f300 people", "1\u202f300", 1300, Kind.COUNT, ""),
    ("a record 1,997,500 jobs", "1,997,500", 1_997_500, Kind.COUNT, ""),
    ("12,34,567 voters", "12,34,567", 1_234_567, Kind.COUNT, ""),
    ("rose 3.50 points", "3.50", Fraction(7, 2), Kind.COUNT, ""),
    ("the index is 3,5", "3,5", Fraction(7, 2), Kind.COUNT, ""),
    ("cut by .75%", ".75%", Fraction(3, 4), Kind.PERCENT, "%"),
    ("½ cup", "½", Fraction(1, 2), Kind.FRACTION, ""),
    ("2½ hours", "2½", Fraction(5, 2), Kind.DURATION, "hour"),
    ("2 1/2 years", "2 1/2", Fraction(5, 2), Kind.DURATION, "year"),
    ("1/2 of them", "1/2", Fraction(1, 2), Kind.FRACTION, ""),
    ("two-thirds of Americans", "two-thirds", Fraction(2, 3), Kind.FRACTION, ""),
    ("nearly a third of it", "a third", Fraction(1, 3), Kind.FRACTION, ""),
    ("a third man fled", "third", 3, Kind.ORDINAL, ""),
    ("one-quarter of all deaths", "one-quarter", Fraction(1, 4), Kind.FRACTION, ""),
    ("half of voters", "half", Fraction(1, 2), Kind.FRACTION, ""),
    ("half a million left", "half a million", 500_000, Kind.COUNT, ""),
    ("a half million gallons", "a half million", 500_000, Kind.MEASURE, "gallon"),
    ("two dozen guests", "two dozen", 24, Kind.COUNT, ""),
    ("a dozen gunmen", "a dozen", 12, Kind.COUNT, ""),
    ("a hundred professors", "a hundred", 100, Kind.COUNT, ""),
    ("a million cars", "a million", 10**6, Kind.COUNT, ""),
    ("two hundred and five dead", "two hundred and five", 205, Kind.COUNT, ""),
    ("three hundred thousand dead", "three hundred thousand", 300_000, Kind.COUNT, ""),
    ("sixty-six dogs", "sixty-six", 66, Kind.COUNT, ""),
    ("two-and-a-half hours", "two-and-a-half", Fraction(5, 2), Kind.DURATION, "hour"),
    ("three and a half years", "three and a half", Fraction(7, 2), Kind.DURATION, "year"),
    ("twenty-first anniversary", "twenty-first", 21, Kind.ORDINAL, ""),
    ("22nd amendment", "22nd", 22, Kind.ORDINAL, ""),
    ("its millionth car", "millionth", 10**6, Kind.ORDINAL, ""),
    ("$3.2bn deal", "$3.2bn", 3_200_000_000, Kind.MONEY, "USD"),
    ("a €40M fine", "€40M", 40_000_000, Kind.MONEY, "EUR"),
    ("US$ 40 fee", "US$ 40", 40, Kind.MONEY, "USD"),
    ("A$5 million prize", "A$5 million", 5_000_000, Kind.MONEY, "AUD"),
    ("£65K a year", "£65K", 65_000, Kind.MONEY, "GBP"),
    ("40 million euros", "40 million euros", 40_000_000, Kind.MONEY, "EUR"),
    ("50 cents more", "50 cents", Fraction(1, 2), Kind.MONEY, "USD"),
    ("only 99¢ now", "99¢", Fraction(99, 100), Kind.MONEY, "USD"),
    ("40K fans", "40K", 40_000, Kind.COUNT, ""),
    ("40m people", "40m", 40_000_000, Kind.COUNT, ""),
    ("the 100m dash", "100", 100, Kind.MEASURE, "metre"),
    ("Apple sells 10m", "10m", 10_000_000, Kind.COUNT, ""),
    ("Startup raises 10m", "10m", 10_000_000, Kind.COUNT, ""),
    ("Firm to pay 10m to victims", "10m", 10_000_000, Kind.COUNT, ""),
    ("wins 100m users", "100m", 100_000_000, Kind.COUNT, ""),
    ("worth 10m euros", "10m euros", 10_000_000, Kind.MONEY, "EUR"),
    ("Bolt wins 100m", "100", 100, Kind.MEASURE, "metre"),
    ("the 1,500m final", "1,500", 1_500, Kind.MEASURE, "metre"),
    ("falls 10m to his death", "10", 10, Kind.MEASURE, "metre"),
    ("stay 2m apart", "2", 2, Kind.MEASURE, "metre"),
    ("a 10 m pole", "10", 10, Kind.MEASURE, "metre"),
    ("12.5% of it", "12.5%", Fraction(25, 2), Kind.PERCENT, "%"),
    ("five percent", "five percent", 5, Kind.PERCENT, "%"),
    ("a 35-year-old man", "35", 35, Kind.AGE, "year"),
    ("Jones, 35, said", "35", 35, Kind.AGE, "year"),
    ("a man, 21, fled", "21", 21, Kind.AGE, "year"),
    ("a 6-month-old girl", "6", 6, Kind.AGE, "month"),
    ("Actress Dead at 28", "28", 28, Kind.AGE, "year"),
    ("He was 92.", "92", 92, Kind.AGE, "year"),
    ("in her 20s", "20s", 20, Kind.AGE, ""),
    ("born in 1998", "1998", 1998, Kind.YEAR, ""),
    ("the 1990s", "1990s", 1990, Kind.YEAR, ""),
    ("back in '98", "'98", 98, Kind.YEAR, ""),
    ("on April 12 they", "12", 12, Kind.DATE, ""),
    ("at 2:15am Sunday", "2:15am", Fraction(9, 4), Kind.TIME, ""),
    ("at 3 p.m. on Friday", "3 p.m.", 3, Kind.TIME, ""),
    ("until 15:30 today", "15:30", Fraction(31, 2), Kind.TIME, ""),
    ("Queen Elizabeth II", "II", 2, Kind.NAME, ""),
    ("Super Bowl XLVIII", "XLVIII", 48, Kind.NAME, ""),
    ("World War I vet", "I", 1, Kind.NAME, ""),
    ("a Boeing 737 crash", "737", 737, Kind.NAME, ""),
    ("COVID-19 cases", "19", 19, Kind.NAME, ""),
    ("the G7 summit", "7", 7, Kind.NAME, ""),
    ("U2 show", "2", 2, Kind.NAME, ""),
    ("9/11 attacks", "9/11", Fraction(9, 11), Kind.NAME, ""),
    ("open 24/7 now", "24/7", Fraction(24, 7), Kind.NAME, ""),
    ("she called 911 twice", "911", 911, Kind.NAME, ""),
    ("the S&P 500 fell", "500", 500, Kind.NAME, ""),
    ("a 50-50 chance", "50-50", 1, Kind.NAME, ""),
    ("ranked No. 3 in it", "3", 3, Kind.ORDINAL, ""),
    ("two decades ago", "two decades", 20, Kind.DURATION, "year"),
    ("nearly a century", "a century", 100, Kind.DURATION, "year"),
    ("half a century", "half a century", 50, Kind.DURATION, "year"),
    ("the past decade", "decade", 10, Kind.DURATION, "year"),
    ("five straight months", "five", 5, Kind.DURATION, "month"),
    ("40 miles away", "40", 40, Kind.MEASURE, "mile"),
    ("70 mph winds", "70", 70, Kind.MEASURE, "mile per hour"),
    ("a 10-inch-long cut", "10", 10, Kind.MEASURE, "inch"),
    ("a pair of guards", "a pair", 2, Kind.COUNT, ""),
    ("Both drugs work", "Both", 2, Kind.COUNT, ""),
    ("a trio of trees", "a trio", 3, Kind.COUNT, ""),
    ("increased fourfold", "fourfold", 4, Kind.COUNT, ""),
    ("fell to zero", "zero", 0, Kind.COUNT, ""),
    ("a 3-D film", "3", 3, Kind.NAME, ""),
    ("a heat of 98.6°", "98.6°", Fraction(493, 5), Kind.MEASURE, "degree"),
    ("a million and a half men", "a million and a half", 1_500_000, Kind.COUNT, ""),
    ("an 18in ruler", "18", 18, Kind.MEASURE, "inch"),
    ("ten sixty-foot trees", "ten", 10, Kind.COUNT, ""),
]


@pytest.mark.parametrize(("text", "written", "value", "kind", "unit"), CASES, ids=[case[0] for case in CASES])
def test_one_numeral(text, written, value, kind, unit):
    first = next(n for n in read_numerals(text, language="en"))
    assert (first.text, first.value, first.kind, first.unit) == (written, value, kind, unit)


@pytest.mark.parametrize(
    "text",
    [
        "No one knows",
        "this one is new",
        "Malcolm X spoke",
        "a split second later",
        "no numbers here",
        "____ dead",
        "CD sales",
        "I think so",
    ],
)
def test_no_numeral(text):
    assert read_numerals(text, language="en") == ()


def parts(text):
    return [(n.number, n.amount, n.factor) for n in read_numerals(text, language="en")]


def test_bare_number_keeps_what_a_copy_copies():
    assert parts("$3.2bn, 1,300 men, two dozen, 22nd, .05") == [
        ("3.2", Fraction(16, 5), 10**9),
        ("1,300", 1300, 1),
        ("two", 2, 12),
        ("22", 22, 1),
        ("05", 5, Fraction(1, 100)),
    ]
    assert parts("in '98 and the '70s") == [("98", 98, 1), ("70", 70, 1)]
    assert parts("at 2:15am") == [("2:15", Fraction(9, 4), 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nearly 40 people", Approximation.ABOUT),
        ("some 40 people", Approximation.ABOUT),
        ("40 or so people", Approximation.ABOUT),
        ("40-odd people", Approximation.ABOUT),
        ("more than 40 people", Approximation.MORE_THAN),
        ("over $40 million", Approximation.MORE_THAN),
        ("fewer than 40 people", Approximation.LESS_THAN),
        ("at least 40 people", Approximation.AT_LEAST),
        ("40 or more people", Approximation.AT_LEAST),
        ("40+ people", Approximation.AT_LEAST),
        ("up to 40 people", Approximation.AT_MOST),
        ("as many as 40 people", Approximation.AT_MOST),
        ("dozens of people", Approximation.VAGUE),
        ("hundreds of thousands of people", Approximation.VAGUE),
        ("several hundred people", Approximation.VAGUE),
        ("40 people", Approximation.EXACT),
    ],
)
def test_approximations(text, expected):
    (numeral,) = read_numerals(text, language="en")
    assert numeral.approximation is expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("10-12 people", 10, 12),
        ("10 to 12 people", 10, 12),
        ("between 10 and 12 people", 10, 12),
        ("10–12 million people", 10_000_000, 12_000_000),
        ("$2-3 million", 2_000_000, 3_000_000),
        ("$2 million to $3 million", 2_000_000, 3_000_000),
        ("5% to 7%", 5, 7),
        ("5 to 7 percent", 5, 7),
        ("from 1914 to 1918", 1914, 1918),
        ("two or three people", 2, 3),
    ],
)
def test_ranges(text, low, high):
    first, second = read_numerals(text, language="en")
    assert [(first.value, first.bound), (second.value, second.bound)] == [
        (low, Bound.LOW),
        (high, Bound.HIGH),
    ]
    assert (first.kind, first.unit) == (second.kind, second.unit)


@pytest.mark.parametrize(
    "text", ["won 3-2", "a 2-6, 6-3, 5-7 upset", "fell from 12 to 5", "10 men and 12 women", "555-1234-99"]
)
def test_no_ranges(text):
    assert {n.bound for n in read_numerals(text, language="en")} == {Bound.NONE}


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("seven people have been injured", "person"),
        ("12 masked gunmen fled", "gunman"),
        ("two of the wounded", "wounded"),
        ("three injured soldiers", "soldier"),
        ("a second bomb killed", "bomb"),
        ("five children died", "child"),
        ("40 other young women", "woman"),
        ("11 Top Suspects Held", "suspect"),
        ("a $30 million painting", "painting"),
        ("one person was hurt", "person"),
        ("four countries", "country"),
        ("10 to 12 churches", "church"),
        ("in 1998 people left", ""),
        ("rose to 2,779.", ""),
    ],
)
def test_what_is_counted(text, counted):
    assert read_numerals(text, language="en")[0].counted == counted


def test_several_hundred_thousand():
    (numeral,) = read_numerals("several hundred thousand people", language="en")
    assert (numeral.text, numeral.value) == ("several hundred thousand", 100_000)
    assert (numeral.number, numeral.counted) == ("hundred", "person")


def test_a_share_is_two_numerals():
    one, four = read_numerals("one in four deaths", language="en")
    assert (one.value, four.value) == (1, 4)
    assert one.kind is four.kind is Kind.FRACTION


def kinds(text):
    return [(n.number, n.kind) for n in read_numerals(text, language="en")]


def test_dates():
    assert kinds("(Sep 25, 2016  1:28 PM CDT) A fire") == [
        ("25", Kind.DATE),
        ("2016", Kind.YEAR),
        ("1:28", Kind.TIME),
    ]
    for text in ("on 9/25/2016", "on 25.09.2016", "on 25-09-2016"):
        assert [kind for _, kind in kinds(text)] == [Kind.DATE, Kind.DATE, Kind.YEAR]
    assert kinds("on 2016-09-25") == [("2016", Kind.YEAR), ("09", Kind.DATE), ("25", Kind.DATE)]
    assert kinds("version 1.2.3") == [("1", Kind.NAME), ("2", Kind.NAME), ("3", Kind.NAME)]


def test_forms():
    found = read_numerals("3 men, three men, 3 million men, Rocky III", language="en")
    assert [n.form for n in found] == [Form.DIGITS, Form.WORDS, Form.MIXED, Form.ROMAN]
