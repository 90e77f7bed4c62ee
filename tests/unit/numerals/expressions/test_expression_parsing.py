"""From text to tree and back, and what a reader is shown of a tree."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.numerals.expressions.leaves import MOST_CALLS_DEEP, MOST_CHARACTERS, ExpressionError
from core.numerals.expressions.parse import (
    Call,
    Leaf,
    calls_of,
    depth_of,
    operator_of,
    parse_expression,
    print_expression,
)
from core.numerals.expressions.printing import Piece, explain, pieces_of
from core.numerals.operators import ADD, PARAPHRASE, ROUND, TRANS


def test_a_tree_has_its_arguments_in_order() -> None:
    tree = parse_expression("Round( Paraphrase( 968 , K ) , 0 )")
    inner = Call(PARAPHRASE, (Leaf("968"), Leaf("K")))
    assert tree == Call(ROUND, (inner, Leaf("0")))
    assert (depth_of(tree), operator_of(tree)) == (2, ROUND)
    assert list(calls_of(tree)) == [tree, inner]


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("Copy(2)", "Copy( 2 )"),
        ("Paraphrase(65,000,K)", "Paraphrase( 65,000 , K )"),
        ("Round(1,234,567.5,0)", "Round( 1,234,567.5 , 0 )"),
        ("Paraphrase( Multiply( 10,000 , Trans( six ) )  , K )", None),
        ("Multiply(1,000,Trans(Two))", "Multiply( 1,000 , Trans( Two ) )"),
        ("Add(1,200,300,400)", "Add( 1,200 , 300,400 )"),
        ("Span(A, B and C)", "Span( A, B and C )"),
        (
            "Add(Span(it's 1 man),Trans(two-and-a-half))",
            "Add( Span( it's 1 man ) , Trans( two-and-a-half ) )",
        ),
        (
            "Subtract( Subtract( 2009 , Span( last year ) , 1997 )",
            "Subtract( Subtract( 2009 , Span( last year ) ) , 1997 )",
        ),
        ("Span( the (late) king (at 80", "Span( the (late) king (at 80) )"),
        ("Add( 1 , Add( 2 , 3 )", "Add( 1 , Add( 2 , 3 ) )"),
    ],
)
def test_both_spacings_are_read(written: str, printed: str | None) -> None:
    tree = parse_expression(written)
    spaced = " ".join(written.split())
    assert print_expression(tree) == (spaced if printed is None else printed)
    assert parse_expression(print_expression(tree)) == tree


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("Average( 1 , 2 )", "does not begin with an operator"),
        ("Add( Average( 1 , 2 ) , 3 )", "“Average” in Add is not an operator"),
        ("Add( 1 , 2 , 3 )", "Add has more than 2 arguments"),
        ("Subtract(2012-1981)", "Subtract has one argument"),
        ("Round(Paraphrase(101,000,K)0)", "where a comma or a bracket was expected"),
        ("Trans(six) -6", "“-6” follows"),
        ("Copy( )", "Copy is empty"),
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


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        ("Subtract( 2018 , 1979 )", "2018 minus 1979"),
        ("Span( his granddaughter )", "“his granddaughter” counted"),
        ("Paraphrase( 65,000 , K )", "65,000 in thousands"),
        ("SRound( 26.5 , 0 )", "26.5 cut to a whole number"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "968 in thousands, rounded"),
        (
            "Round( Multiply( Divide( Subtract( 42 , 29 ) , 42 ) , 100 ) , 0 )",
            "((42 minus 29) divided by 42) times 100, rounded",
        ),
    ],
)
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
