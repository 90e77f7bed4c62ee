"""Texts made to break or slow the reading of numerals."""

from contextlib import suppress

import pytest

from core import limits
from core.data.articles.articles import READ_CHARACTERS
from core.headlines.numeral_safety import derivable_numbers
from core.numerals.checking import load_checker
from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.validate import validate
from core.numerals.question import questions_of, read_article
from core.runtime import Runtime
from core.text.numerals.languages import LANGUAGES
from core.text.numerals.read import read_numerals

SIZE = READ_CHARACTERS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("digits", [400, 1_000])
def test_long_numbers_are_read(digits, language):
    written = "7" * digits
    (found,) = read_numerals(f"a {written} b", language=language)
    assert (found.value, found.number) == (int(written), written)


@pytest.mark.parametrize("digits", [1_001, 5_000, SIZE])
def test_longer_ones_are_left_out(digits):
    assert [n.value for n in read_numerals(f"12 and {'7' * digits} and 13")] == [12, 13]
    assert [n.value for n in read_numerals(f"12 and {'7' * digits}.{'8' * digits} and 13")] == [12, 13]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1/0", [1, 0]),
        ("0/0", [0, 0]),
        ("1/00", [1, 0]),
        ("٣٤ people", [34]),
        ("１２ people", [12]),
        ("1²", [1]),
        ("①", []),
        ("5\u200b0 men", [5, 0]),
        ("99/99/9999", [99, 99, 9999]),
        ("31.02.2019", [31, 2, 2019]),
        ("2:75", [2, 75]),
        ("25:00:00:00", [25, 0]),
        ("$", []),
        ("$ %", []),
        ("1,,2", [1, 2]),
        ("1..2", [1, 2]),
        ("-", []),
        ("½½", None),
        ("100\u00a0\u00a0000", [100, 0]),
        ("\ud8005\udfff", [5]),
        ("5е 5o", [5, 5]),
    ],
)
def test_odd_texts(text, values):
    found = read_numerals(text, language="en")
    if values is not None:
        assert [n.value for n in found] == values


ENDLESS = (
    "1," * 400 + "5", "7" * 999, "7" * 4_400, "1e999", "5 " + "million " * 400, "сто " + "миллионов " * 400,
    "cento " + "milioni " * 300, "0." + "0" * 400 + "1", "1/" + "9" * 400, "1/0", "5² ①٣٣٣,٣٣٣ 𝟝 million",
    "two " + "dozen " * 300,
)  # fmt: skip


@pytest.mark.parametrize("number", ENDLESS)
def test_numbers_without_end_are_read_calculated_and_written(number):
    for language in LANGUAGES:
        assert all(n.value >= 0 for n in read_numerals(f"{number} dead", language=language))
    article = read_article(f"Storm killed {number} and 3 people; 5 of {number} left.")
    derivable_numbers(article.text)
    for question in questions_of("Storm kills 5, hurts 12", article):
        derivations_of(question)
    for text in (f"Copy({number})", f"Trans({number})", f"Span({number})", f"Multiply({number}, {number})"):
        with suppress(ExpressionError):
            validate(parse_expression(text), article.text, number)


def test_of_a_headline_of_numbers_the_first_are_checked():
    checker = load_checker("lexical.v1", Runtime())
    headline = "1," * 300 + "5 dead"
    (checked,) = checker.check([headline], ["Storm killed 5 people and 3 dogs."], Runtime())
    assert len(questions_of(headline, checked.article)) > limits.HEADLINE_NUMERALS.value
    assert len(checked.numerals) == limits.HEADLINE_NUMERALS.value


def test_of_an_article_of_numbers_the_first_are_looked_at_and_the_reason_says_so():
    checker = load_checker("lexical.v1", Runtime())
    most = limits.ARTICLE_NUMERALS.value
    article = "Storm killed 3 people. " + "7 of 9 " * most + "and 8675309 dogs."
    (checked,) = checker.check(["Storm kills 8675309"], [article], Runtime())
    assert len(checked.article.numerals) == most
    assert checked.numerals[0].reason == f"Nothing in the article's first {most:,} numbers gives 8675309."
