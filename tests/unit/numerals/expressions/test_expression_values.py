"""What expressions amount to: rows with their gold numbers, and what has no value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.numerals.expressions.leaves import MOST_CALLS_DEEP, ExpressionError, count_things, value_of_words
from core.numerals.expressions.parse import Call, Expression, Leaf, execute, parse_expression
from core.numerals.expressions.printing import print_value
from core.numerals.operators import ADD, COPY, cut, round_half


@pytest.mark.parametrize(
    ("annotation", "gold"),
    [
        ("Copy( 1,635 )", "1635"),
        ("Copy( 9/11 )", "9/11"),
        ("Trans( seven )", "7"),
        ("Trans( Two-thirds )", "2/3"),
        ("Paraphrase( 65,000 , K )", "65"),
        ("Paraphrase(25,000,k)", "25"),
        ("Paraphrase( Trans( a million ) , M )", "1"),
        ("Paraphrase( Trans( millionth ) , M )", "1"),
        ("Paraphrase( Subtract( 5,200 , 3,000 ) , K )", "2.2"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "1"),
        ("Round( Trans( two-and-a-half ) , 0 )", "2"),
        ("Round( Divide( Trans( eight weeks ) , 30 ) , 0 )", "2"),
        ("Round( Paraphrase( Multiply( 24,000 , 95% ) , K ) , 0 )", "23"),
        ("Round( Multiply( 2.4 , 80% ) , 1 )", "1.9"),
        ("Multiply( Round( Trans( Two-thirds ) , 2 ) , 100 )", "67"),
        ("Add( Subtract( 12 , Trans( Jun ) ) , Trans( April ) )", "10"),
        ("Subtract( Trans( September ) , Trans( Jul ) )", "2"),
        ("Add( Span( a bedridden elderly man ) , Span( his granddaughter ) )", "2"),
        ("Subtract( Subtract( 2009 , Span( last year ) , 1997 )", "11"),
        ("Divide( 1 , Trans( one-quarter ) )", "4"),
        ("Multiply( Divide( Trans( three ) , Trans( fifths ) ) , 100 )", "60"),
        ("Divide( 100 , Trans( fifth ) )", "20"),
        ("Subtract( 2011 , Trans( Two hundred ) )", "1811"),
        ("Multiply( Trans( Seven ) , Trans( decade ) )", "70"),
        ("Trans(Sept. 11)", "9/11"),
        ("Span( a million)", "1"),
        ("Subtract(2019,133)", "1886"),
    ],
)
def test_rows_give_their_gold_number(annotation: str, gold: str) -> None:
    assert execute(parse_expression(annotation)) == Fraction(gold)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("seven", 7),
        ("Sixty-six", 66),
        ("two dozen", 24),
        ("a dozen", 12),
        ("dozen", 12),
        ("half a million", 500_000),
        ("a half million", 500_000),
        ("two decades", 20),
        ("two centuries", 200),
        ("a century", 100),
        ("half a century", 50),
        ("half-century", 50),
        ("a millennium", 1000),
        ("a year", 1),
        ("third", 3),
        ("Ninth", 9),
        ("top", 1),
        ("single", 1),
        ("zero", 0),
        ("Both", 2),
        ("twice", 2),
        ("triple", 3),
        ("trio", 3),
        ("a pair", 2),
        ("fourfold", 4),
        ("four and a half", Fraction(9, 2)),
        ("one-fourth", Fraction(1, 4)),
        ("three-quarters", Fraction(3, 4)),
        ("a third", Fraction(1, 3)),
        ("half", Fraction(1, 2)),
        ("hundred", 100),
        ("a thousand", 1000),
        ("May", 5),
        ("december", 12),
        ("Sept.", 9),
        ("3", 3),
    ],
)
def test_words_are_numbers(words: str, value: int | Fraction) -> None:
    assert value_of_words(words) == value
    assert value_of_words(f"  {words.upper()} ") == value


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("3,5", "ru", Fraction(7, 2)),
        ("1 500", "ru", 1500),
        ("1.500", "it", 1500),
        ("2012", "it", 2012),
        ("40%", "it", 40),
    ],
)
def test_digits_are_read_in_their_language(text: str, language: str, value: int | Fraction) -> None:
    assert execute(Call(COPY, (Leaf(text),)), language=language) == value


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("сорок два", "ru", 42),
        ("полтора", "ru", Fraction(3, 2)),
        ("due dozzine", "it", 24),
        ("XVI", "en", 16),
    ],
)
def test_words_are_read_in_their_language(text: str, language: str, value: int | Fraction) -> None:
    assert value_of_words(text, language=language) == value


@pytest.mark.parametrize("words", ["", "gunmen", "marathon", "two or three", "six and seven", "maybe"])
def test_words_without_a_number_are_refused(words: str) -> None:
    with pytest.raises(ExpressionError):
        value_of_words(words)


@pytest.mark.parametrize(
    ("span", "count"),
    [
        ("a bedridden elderly man", 1),
        ("last year", 1),
        ("top draft pick", 1),
        ("A, B and C", 3),
        ("his wife, his son, and a neighbor", 3),
        ("his uncle and aunt", 2),
        ("his wife, 34, and her mother, 60", 2),
        ("two men and a woman", 3),
        ("three officers", 3),
        ("the driver suffered a broken nose and was taken to a hospital in the city", 1),
        ("Another woman, 25, was hurt", 1),
        ("", 1),
    ],
)
def test_spans_count_things(span: str, count: int) -> None:
    assert count_things(span) == count


@pytest.mark.parametrize(
    ("value", "decimals", "rounded"),
    [
        ("102.5", 0, "102"),
        ("187.5", 0, "188"),
        ("37.5", 0, "38"),
        ("1.65", 1, "1.6"),
        ("3.55", 1, "3.5"),
        ("4.655", 2, "4.66"),
        ("495.5", 0, "496"),
        ("0.968", 0, "1"),
        ("-2.5", 0, "-2"),
        ("1" * 400 + ".5", 0, "1" * 399 + "2"),
    ],
)
def test_ties_go_as_in_the_rows(value: str, decimals: int, rounded: str) -> None:
    assert round_half(Fraction(value), decimals) == Fraction(rounded)


@pytest.mark.parametrize(
    ("value", "decimals", "kept"),
    [("5.29", 1, "5.2"), ("388.7", 0, "388"), ("-1.9", 0, "-1"), ("10", 2, "10")],
)
def test_digits_are_dropped(value: str, decimals: int, kept: str) -> None:
    assert cut(Fraction(value), decimals) == Fraction(kept)


DEEP: Expression = Leaf("1")
for _ in range(5_000):
    DEEP = Call(ADD, (DEEP, Leaf("1")))


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("Divide( 1 , 0 )", "divides by zero"),
        ("Divide( 1 , Subtract( 2 , 2 ) )", "divides by zero"),
        ("Copy( 1/0 )", "divides by zero"),
        ("Copy( 50-50 )", "is not a number"),
        ("Copy( ٣ )", "is not a number"),
        ("Copy( 1e400 )", "is not a number"),
        ("Copy( 1,00 )", "is not a number"),
        ("Add( Sep 5 , 1 )", "“Sep 5” is not a number"),
        ("Trans( gunmen )", "says no number"),
        ("Round( 1.5 , 10000 )", "keeps “10000” digits"),
        ("Round( 1.5 , -1 )", "keeps “-1” digits"),
        ("Round( 1.5 , Add( 1 , 1 ) )", "keeps “Add” digits"),
        (f"Round( 1.5 , {'9' * 5000} )", "digits after the point"),
        ("Paraphrase( 5 , Q )", "the unit “Q”"),
        (f"Copy( {'1' * 1001} )", "more than 1,000 digits"),
        (f"Multiply( {'9' * 600} , {'9' * 600} )", "more than 1,000 digits"),
        (Leaf("seven"), "is not a number"),
        (Call(ADD, ()), "Add has 0 arguments"),
        (Call(COPY, (Call(COPY, (Leaf("2"),)),)), "where a text of the article belongs"),
        (DEEP, f"more than {MOST_CALLS_DEEP} calls"),
    ],
)
def test_what_has_no_value_gets_one_sentence(expression: str | Expression, complaint: str) -> None:
    tree = parse_expression(expression) if isinstance(expression, str) else expression
    with pytest.raises(ExpressionError) as caught:
        execute(tree)
    assert complaint in caught.value.message
    assert len(caught.value.message) < 140


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(2012), "2012"),
        (Fraction(65_000), "65,000"),
        (Fraction(5, 2), "2.5"),
        (Fraction(-1, 3), "-0.333333…"),
        (Fraction(0), "0"),
        (Fraction(1_234_567_891, 100), "12,345,678.91"),
    ],
)
def test_values_are_written_as_people_do(value: Fraction, written: str) -> None:
    assert print_value(value) == written
