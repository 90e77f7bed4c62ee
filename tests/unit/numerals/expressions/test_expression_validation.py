"""The paper's validation: the result is the gold number, and the article has what is used."""

from __future__ import annotations

import pytest

from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import Operand, Presence, validate
from core.numerals.operators import ADD, MULTIPLY, TRANS

ARTICLE = (
    "(Jun 12, 2018 3:39 AM CDT) Gunmen killed 19 men in Chihuahua and 16 in Ciudad Madero, and wounded four"
    " others in the worst week since 1979. The raid cost $140,000 and left Two dozen people homeless. A"
    " bedridden elderly man and  his granddaughter survived; the odds were 50-50, and 3.5% of homes burned."
)


@pytest.mark.parametrize(
    ("annotation", "gold"),
    [
        ("Add( 19 , 16 )", "35"),
        ("Subtract( 2018 , 1979 )", "39"),
        ("Paraphrase( 140,000 , K )", "140"),
        ("Trans( four )", "4"),
        ("Trans( two dozen )", "24"),
        ("Add( Span( A bedridden elderly man ) , Span( his granddaughter ) )", "2"),
        ("Copy( 50-50 )", "50-50"),
        ("Subtract( 2018 , 16 )", "2,002"),
        ("Subtract( Subtract( 2018 , 16 ) , 2000 )", "02"),
    ],
)
def test_what_the_paper_accepts(annotation: str, gold: str) -> None:
    found = validate(parse_expression(annotation), ARTICLE, gold)
    assert found.problems == ()
    assert found.reproduces


@pytest.mark.parametrize(
    ("annotation", "gold", "reproduces", "value"),
    [
        ("Add( 19 , 16 )", "36", False, 35),
        ("Add( 19 , 17 )", "36", True, 36),
        ("Copy( 7 )", "7", True, 7),
        ("Copy( 197 )", "197", True, 197),
        ("Span( his grandmother )", "1", True, 1),
        ("Copy( 100 )", "100", True, 100),
        ("Divide( 19 , Subtract( 16 , 16 ) )", "3", False, None),
        ("Copy( 50-50 )", "50", False, None),
        ("Copy( 19 )", "nineteen", False, 19),
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
