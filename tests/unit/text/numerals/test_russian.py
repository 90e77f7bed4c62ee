"""Hand-made Russian cases: what is read, its value, kind and unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.text.numerals.numeral import Approximation, Bound, Form, Kind
from core.text.numerals.read import read_numerals

CASES = [
    ("1 300 человек", "1 300", 1300, Kind.COUNT, ""),
    ("1\u00a0300\u00a0000 человек", "1\u00a0300\u00a0000", 1_300_000, Kind.COUNT, ""),
    ("12\u202f500 жителей", "12\u202f500", 12_500, Kind.COUNT, ""),
    ("2.500 участников", "2.500", 2500, Kind.COUNT, ""),
    ("вырос на 3,5 пункта", "3,5", Fraction(7, 2), Kind.COUNT, ""),
    ("магнитудой 7.4", "7.4", Fraction(37, 5), Kind.COUNT, ""),
    ("3,5 млн рублей", "3,5 млн рублей", 3_500_000, Kind.MONEY, "RUB"),
    ("5 тыс. рублей", "5 тыс. рублей", 5_000, Kind.MONEY, "RUB"),
    ("40 млрд долларов", "40 млрд долларов", 40 * 10**9, Kind.MONEY, "USD"),
    ("2 трлн руб. в год", "2 трлн руб", 2 * 10**12, Kind.MONEY, "RUB"),
    ("$3,2 млрд", "$3,2 млрд", 3_200_000_000, Kind.MONEY, "USD"),
    ("€40 млн", "€40 млн", 40_000_000, Kind.MONEY, "EUR"),
    ("500 ₽ за билет", "500 ₽", 500, Kind.MONEY, "RUB"),
    ("50 копеек", "50 копеек", Fraction(1, 2), Kind.MONEY, "RUB"),
    ("100 евро", "100 евро", 100, Kind.MONEY, "EUR"),
    ("12% бюджета", "12%", 12, Kind.PERCENT, "%"),
    ("7,5 процента", "7,5 процента", Fraction(15, 2), Kind.PERCENT, "%"),
    ("двадцать процентов", "двадцать процентов", 20, Kind.PERCENT, "%"),
    ("сто двадцать три человека", "сто двадцать три", 123, Kind.COUNT, ""),
    ("двести сорок пять машин", "двести сорок пять", 245, Kind.COUNT, ""),
    ("две тысячи жителей", "две тысячи", 2000, Kind.COUNT, ""),
    ("тысяча двести жителей", "тысяча двести", 1200, Kind.COUNT, ""),
    ("миллион рублей", "миллион рублей", 10**6, Kind.MONEY, "RUB"),
    ("пятьсот тысяч тонн", "пятьсот тысяч", 500_000, Kind.MEASURE, "ton"),
    ("о двух погибших", "двух", 2, Kind.COUNT, ""),
    ("трое детей", "трое", 3, Kind.COUNT, ""),
    ("пятерых подростков", "пятерых", 5, Kind.COUNT, ""),
    ("оба водителя", "оба", 2, Kind.COUNT, ""),
    ("полтора миллиона рублей", "полтора миллиона рублей", 1_500_000, Kind.MONEY, "RUB"),
    ("полтора года", "полтора", Fraction(3, 2), Kind.DURATION, "year"),
    ("два с половиной года", "два с половиной", Fraction(5, 2), Kind.DURATION, "year"),
    ("полмиллиона жителей", "полмиллиона", 500_000, Kind.COUNT, ""),
    ("половина россиян", "половина", Fraction(1, 2), Kind.FRACTION, ""),
    ("две трети россиян", "две трети", Fraction(2, 3), Kind.FRACTION, ""),
    ("три четверти дохода", "три четверти", Fraction(3, 4), Kind.FRACTION, ""),
    ("треть жителей", "треть", Fraction(1, 3), Kind.FRACTION, ""),
    ("1/3 бюджета", "1/3", Fraction(1, 3), Kind.FRACTION, ""),
    ("дюжина яиц", "дюжина", 12, Kind.COUNT, ""),
    ("два десятка машин", "два десятка", 20, Kind.COUNT, ""),
    ("вырос вдвое", "вдвое", 2, Kind.COUNT, ""),
    ("третий раз", "третий", 3, Kind.ORDINAL, ""),
    ("двадцать первый случай", "двадцать первый", 21, Kind.ORDINAL, ""),
    ("в пятом матче", "пятом", 5, Kind.ORDINAL, ""),
    ("3-й этап", "3-й", 3, Kind.ORDINAL, ""),
    ("22-го полка", "22-го", 22, Kind.ORDINAL, ""),
    ("5-ти человек", "5-ти", 5, Kind.COUNT, ""),
    ("35-летний мужчина", "35", 35, Kind.AGE, "year"),
    ("двадцатилетняя девушка", "двадцатилетняя", 20, Kind.AGE, "year"),
    ("в возрасте 92 лет", "92", 92, Kind.AGE, "year"),
    ("Иванов, 35, признал вину", "35", 35, Kind.AGE, "year"),
    ("в 1998 году", "1998", 1998, Kind.YEAR, ""),
    ("с 2014 года", "2014", 2014, Kind.YEAR, ""),
    ("в 90-е годы", "90-е", 90, Kind.YEAR, ""),
    ("из 1990-х годов", "1990-х", 1990, Kind.YEAR, ""),
    ("25 сентября", "25", 25, Kind.DATE, ""),
    ("в 15:30 по местному времени", "15:30", Fraction(31, 2), Kind.TIME, ""),
    ("в 5 часов утра", "5", 5, Kind.TIME, ""),
    ("10 лет колонии", "10", 10, Kind.DURATION, "year"),
    ("50-летие победы", "50", 50, Kind.DURATION, "year"),
    ("через три месяца", "три", 3, Kind.DURATION, "month"),
    ("40 км от города", "40", 40, Kind.MEASURE, "kilometre"),
    ("30 градусов", "30", 30, Kind.MEASURE, "degree"),
    ("100-километровый марш", "100", 100, Kind.MEASURE, "kilometre"),
    ("XXI век", "XXI", 21, Kind.ORDINAL, ""),
    ("Екатерина II", "II", 2, Kind.NAME, ""),
    ("Боинг 737 упал", "737", 737, Kind.NAME, ""),
    ("от COVID-19", "19", 19, Kind.NAME, ""),
    ("Су-35 разбился", "35", 35, Kind.NAME, ""),
    ("школа № 5", "5", 5, Kind.ORDINAL, ""),
    ("трёх человек", "трёх", 3, Kind.COUNT, ""),
]


@pytest.mark.parametrize(("text", "written", "value", "kind", "unit"), CASES, ids=[case[0] for case in CASES])
def test_one_numeral(text, written, value, kind, unit):
    (found,) = read_numerals(text, language="ru")
    assert (found.text, found.value, found.kind, found.unit) == (written, value, kind, unit)


@pytest.mark.parametrize("text", ["Впервые за день", "нет чисел", "семью забрали", "сорочка", "стол и стул"])
def test_no_numeral(text):
    assert read_numerals(text, language="ru") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("около 40 человек", Approximation.ABOUT),
        ("почти 40 человек", Approximation.ABOUT),
        ("примерно 40 человек", Approximation.ABOUT),
        ("более 40 человек", Approximation.MORE_THAN),
        ("свыше 40 человек", Approximation.MORE_THAN),
        ("40 с лишним человек", Approximation.MORE_THAN),
        ("менее 40 человек", Approximation.LESS_THAN),
        ("не менее 40 человек", Approximation.AT_LEAST),
        ("не более 40 человек", Approximation.AT_MOST),
        ("до 40 человек", Approximation.AT_MOST),
        ("сотни людей", Approximation.VAGUE),
        ("десятки тысяч людей", Approximation.VAGUE),
        ("несколько тысяч людей", Approximation.VAGUE),
        ("40 человек", Approximation.EXACT),
    ],
)
def test_approximations(text, expected):
    assert read_numerals(text, language="ru")[0].approximation is expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("от 5 до 7 человек", 5, 7),
        ("между 10 и 12 людьми", 10, 12),
        ("10-12 человек", 10, 12),
        ("2–3 млн рублей", 2_000_000, 3_000_000),
        ("от 5% до 7%", 5, 7),
        ("от двух до пяти лет", 2, 5),
    ],
)
def test_ranges(text, low, high):
    first, second = read_numerals(text, language="ru")
    assert [(first.value, first.bound), (second.value, second.bound)] == [
        (low, Bound.LOW),
        (high, Bound.HIGH),
    ]
    assert (first.kind, first.unit) == (second.kind, second.unit)


def test_a_whole_date():
    found = read_numerals("25 сентября 2016 года и 12.11.2019", language="ru")
    assert [(n.value, n.kind) for n in found] == [
        (25, Kind.DATE),
        (2016, Kind.YEAR),
        (12, Kind.DATE),
        (11, Kind.DATE),
        (2019, Kind.YEAR),
    ]


def test_bare_number_inside_a_longer_word():
    (found,) = read_numerals("тридцатипятилетняя жительница", language="ru")
    assert (found.number, found.value, found.form) == ("тридцатипяти", 35, Form.WORDS)


def test_what_is_counted():
    assert [
        read_numerals(text, language="ru")[0].counted
        for text in ("пять человек", "двое тяжелых раненых", "12 новых случаев", "3 млн рублей")
    ] == ["человек", "ранен", "случа", ""]


def test_a_share_is_two_numerals():
    one, four = read_numerals("один из четырех россиян", language="ru")
    assert (one.value, four.value, one.kind, four.kind) == (1, 4, Kind.FRACTION, Kind.FRACTION)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("в возрасте от 18 до 55 лет", [Kind.AGE, Kind.AGE]),
        ("в 2017-м банк", [Kind.YEAR]),
        ("в 22 часа на территории", [Kind.TIME]),
        ("за 22 часа", [Kind.DURATION]),
        ("ветер 19 метров в секунду", [Kind.MEASURE]),
    ],
)
def test_kinds_by_what_stands_around(text, kinds):
    assert [n.kind for n in read_numerals(text, language="ru")] == kinds


def test_the_end_of_a_range_is_no_upper_bound():
    low, high = read_numerals("от 5 до 7 человек", language="ru")
    assert low.approximation is high.approximation is Approximation.EXACT
