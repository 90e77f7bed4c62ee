"""What a reader is told and shown of an expression."""

from __future__ import annotations

import pytest

from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import Piece, explain, pieces_of
from core.numerals.expressions.tree import Call, Leaf
from core.numerals.operators import ADD, TRANS


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        ("Subtract( 2018 , 1979 )", "2018 minus 1979"),
        ("Trans( seven )", "seven in digits"),
        ("Copy( 2 )", "2 as it stands"),
        ("Span( his granddaughter )", "“his granddaughter” counted"),
        ("Paraphrase( 65,000 , K )", "65,000 in thousands"),
        ("Paraphrase( 65,000 , Q )", "65,000 in Q"),
        ("Round( 305.45 , 0 )", "305.45 rounded"),
        ("Round( 1.56 , 1 )", "1.56 rounded to 1 decimal"),
        ("SRound( 26.5 , 0 )", "26.5 cut to a whole number"),
        ("SRound( 5.297 , 2 )", "5.297 cut to 2 decimals"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "968 in thousands, rounded"),
        ("Round( Trans( two-and-a-half ) , 0 )", "two-and-a-half rounded"),
        ("Add( Span( a man ) , Trans( two ) )", "“a man” plus two"),
        (
            "Round( Multiply( Divide( Subtract( 42 , 29 ) , 42 ) , 100 ) , 0 )",
            "((42 minus 29) divided by 42) times 100, rounded",
        ),
    ],
)
def test_an_expression_in_words(annotation: str, words: str) -> None:
    assert explain(parse_expression(annotation)) == words


def test_a_call_without_arguments_is_named() -> None:
    assert explain(Call(ADD, (Leaf("1"),))) == "Add"
    assert explain(Leaf("7")) == "7"


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


def test_a_piece_without_a_value_shows_none() -> None:
    assert [piece.value for piece in pieces_of(parse_expression("Divide( 1 , 0 )"))] == ["", "", ""]
    assert pieces_of(Call(ADD, ())) == (Piece("+", "", ()),)
