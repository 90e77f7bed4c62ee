"""Expressions: read from texts, computed, written, explained, and validated as NumHG's paper does."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from core.errors import InputError
from core.numerals.expressions.expression import Call, Expression, Leaf, execute
from core.numerals.expressions.leaves import MOST_CALLS_DEEP, MOST_CHARACTERS, ExpressionError, value_of_words
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import Piece, explain, pieces_of, print_expression
from core.numerals.expressions.validation import Operand, Presence, validate
from core.numerals.operators import ADD, COPY, MULTIPLY, TRANS

ROWS = tomllib.loads(Path(__file__).with_name("expressions.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("written", "printed"), ROWS["both_spacings_are_read"])
def test_both_spacings_are_read(written: str, printed: str | None) -> None:
    tree = parse_expression(written)
    spaced = " ".join(written.split())
    assert print_expression(tree) == (spaced if printed is None else printed)
    assert parse_expression(print_expression(tree)) == tree


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("Add( Average( 1 , 2 ) , 3 )", "“Average” in Add is not an operator"),
        ("Add( 1 , 2 , 3 )", "Add has more than 2 arguments"),
        ("Round(Paraphrase(101,000,K)0)", "where a comma or a bracket was expected"),
        ("Copy( Add( 1 , 2 ) )", "has brackets"),
        ("Span( " + "x" * MOST_CHARACTERS, "longer than"),
        ("Add( 1 , " * (MOST_CALLS_DEEP + 1), "more than 50 calls"),
    ],
)
def test_what_is_no_expression_gets_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert complaint in caught.value.message
    assert caught.value.message.endswith(".")
    assert len(caught.value.message) < 120
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize(("annotation", "words"), ROWS["an_expression_in_words"])
def test_an_expression_in_words(annotation: str, words: str) -> None:
    assert explain(parse_expression(annotation)) == words


def test_the_pieces_of_a_tree() -> None:
    tree = parse_expression("Round( Subtract( 22 , Divide( 18 , 12 ) ) , 0 )")
    assert pieces_of(tree) == (
        Piece("Round", "20", (1, 6)),
        Piece("−", "20.5", (2, 3)),
        Piece("22", "", ()),
        Piece("÷", "1.5", (4, 5)),
        Piece("18", "", ()),
        Piece("12", "", ()),
        Piece("0", "", ()),
    )


def test_a_piece_is_read_in_its_language() -> None:
    tree = Call(ADD, (Leaf("1.500"), Call(TRANS, (Leaf("sette"),))))
    assert [piece.value for piece in pieces_of(tree, language="it")] == ["1507", "", "7", ""]
    assert [piece.value for piece in pieces_of(tree)] == ["", "", "", ""]


@pytest.mark.parametrize(("annotation", "gold"), ROWS["rows_give_their_gold_number"])
def test_rows_give_their_gold_number(annotation: str, gold: str) -> None:
    assert execute(parse_expression(annotation)) == Fraction(gold)


@pytest.mark.parametrize("words", ["", "gunmen", "marathon", "two or three", "six and seven", "maybe"])
def test_words_without_a_number_are_refused(words: str) -> None:
    with pytest.raises(ExpressionError):
        value_of_words(words)


DEEP: Expression = Leaf("1")
for _ in range(5_000):
    DEEP = Call(ADD, (DEEP, Leaf("1")))


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("Copy( 1/0 )", "divides by zero"),
        ("Copy( 50-50 )", "is not a number"),
        ("Trans( gunmen )", "says no number"),
        ("Round( 1.5 , 10000 )", "keeps “10000” digits"),
        (f"Round( 1.5 , {'9' * 5000} )", "digits after the point"),
        ("Paraphrase( 5 , Q )", "the unit “Q”"),
        (f"Multiply( {'9' * 600} , {'9' * 600} )", "more than 1,000 digits"),
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


ARTICLE = (
    "(Jun 12, 2018 3:39 AM CDT) Gunmen killed 19 men in Chihuahua and 16 in Ciudad Madero, and wounded four"
    " others in the worst week since 1979. The raid cost $140,000 and left Two dozen people homeless. A"
    " bedridden elderly man and  his granddaughter survived; the odds were 50-50, and 3.5% of homes burned."
)


@pytest.mark.parametrize(
    ("annotation", "gold", "reproduces", "value"),
    [
        ("Add( 19 , 16 )", "36", False, 35),
        ("Add( 19 , 17 )", "36", True, 36),
        ("Copy( 197 )", "197", True, 197),
        ("Span( his grandmother )", "1", True, 1),
        ("Copy( 100 )", "100", True, 100),
        ("Divide( 19 , Subtract( 16 , 16 ) )", "3", False, None),
        ("Copy( 50-50 )", "50", False, None),
        ("Copy( 19 )", "1/0", False, 19),
    ],
)
def test_what_it_refuses_and_why(annotation: str, gold: str, reproduces: bool, value: int | None) -> None:
    found = validate(parse_expression(annotation), ARTICLE, gold)
    assert (found.value, found.reproduces) == (value, reproduces)
    (problem,) = found.problems
    assert problem.startswith("The article ") == reproduces


def test_each_operand_has_its_place() -> None:
    tree = parse_expression("Round( Add( Multiply( 2 , 100 ) , Add( Trans( Four ) , 140000 ) ) , 2 )")
    assert validate(tree, ARTICLE, "140204").operands == (
        Operand("2", MULTIPLY, Presence.VALUE),
        Operand("100", MULTIPLY, Presence.CONSTANT),
        Operand("Four", TRANS, Presence.WRITTEN),
        Operand("140000", ADD, Presence.VALUE),
    )
    assert validate(tree, "", "140204").operands[0].presence is Presence.ABSENT
