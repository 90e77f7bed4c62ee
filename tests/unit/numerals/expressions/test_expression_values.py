"""What expressions amount to: rows with their gold numbers, and what has no value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.numerals.expressions.leaves import MOST_CALLS_DEEP, ExpressionError, count_things, value_of_words
from core.numerals.expressions.parse import Call, Expression, Leaf, execute, parse_expression
from core.numerals.expressions.printing import print_value
from core.numerals.operators import ADD, COPY, round_half


@pytest.mark.parametrize(
    ("annotation", "gold"),
    [
        ("Copy( 9/11 )", "9/11"),
        ("Trans( Two-thirds )", "2/3"),
        ("Paraphrase( 65,000 , K )", "65"),
        ("Paraphrase( Trans( a million ) , M )", "1"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "1"),
        ("Round( Trans( two-and-a-half ) , 0 )", "2"),
        ("Round( Divide( Trans( eight weeks ) , 30 ) , 0 )", "2"),
        ("Round( Paraphrase( Multiply( 24,000 , 95% ) , K ) , 0 )", "23"),
        ("Add( Subtract( 12 , Trans( Jun ) ) , Trans( April ) )", "10"),
        ("Add( Span( a bedridden elderly man ) , Span( his granddaughter ) )", "2"),
        ("Subtract( Subtract( 2009 , Span( last year ) , 1997 )", "11"),
        ("Multiply( Divide( Trans( three ) , Trans( fifths ) ) , 100 )", "60"),
        ("Trans(Sept. 11)", "9/11"),
        ("Subtract(2019,133)", "1886"),
    ],
)
def test_rows_give_their_gold_number(annotation: str, gold: str) -> None:
    assert execute(parse_expression(annotation)) == Fraction(gold)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("Sixty-six", 66),
        ("two dozen", 24),
        ("two decades", 20),
        ("third", 3),
        ("top", 1),
        ("fourfold", 4),
        ("four and a half", Fraction(9, 2)),
        ("a third", Fraction(1, 3)),
        ("May", 5),
        ("3", 3),
    ],
)
def test_words_are_numbers(words: str, value: int | Fraction) -> None:
    assert value_of_words(words) == value
    assert value_of_words(f"  {words.upper()} ") == value


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [("3,5", "ru", Fraction(7, 2)), ("1 500", "ru", 1500), ("1.500", "it", 1500)],
)
def test_digits_are_read_in_their_language(text: str, language: str, value: int | Fraction) -> None:
    assert execute(Call(COPY, (Leaf(text),)), language=language) == value


@pytest.mark.parametrize("words", ["", "gunmen", "marathon", "two or three", "six and seven", "maybe"])
def test_words_without_a_number_are_refused(words: str) -> None:
    with pytest.raises(ExpressionError):
        value_of_words(words)


@pytest.mark.parametrize(
    ("span", "count"),
    [
        ("a bedridden elderly man", 1),
        ("top draft pick", 1),
        ("his wife, his son, and a neighbor", 3),
        ("his wife, 34, and her mother, 60", 2),
        ("two men and a woman", 3),
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
        ("37.5", 0, "38"),
        ("3.55", 1, "3.5"),
        ("4.655", 2, "4.66"),
        ("0.968", 0, "1"),
        ("-2.5", 0, "-2"),
        ("1" * 400 + ".5", 0, "1" * 399 + "2"),
    ],
)
def test_ties_go_as_in_the_rows(value: str, decimals: int, rounded: str) -> None:
    assert round_half(Fraction(value), decimals) == Fraction(rounded)


DEEP: Expression = Leaf("1")
for _ in range(5_000):
    DEEP = Call(ADD, (DEEP, Leaf("1")))


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("Copy( 1/0 )", "divides by zero"),
        ("Copy( 50-50 )", "is not a number"),
        ("Add( Sep 5 , 1 )", "“Sep 5” is not a number"),
        ("Trans( gunmen )", "says no number"),
        ("Round( 1.5 , 10000 )", "keeps “10000” digits"),
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
