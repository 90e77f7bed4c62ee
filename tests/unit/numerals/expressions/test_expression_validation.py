"""The paper's validation: the result is the gold number, and the article has what is used."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.validate import (
    Cause,
    Operand,
    Presence,
    operands_of,
    validate,
    validate_annotation,
)
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
        ("Paraphrase( 140000 , K )", "140"),
        ("Trans( four )", "4"),
        ("Add( 4 , 19 )", "23"),
        ("Trans( two dozen )", "24"),
        ("Add( Span( A bedridden elderly man ) , Span( his granddaughter ) )", "2"),
        ("Copy( 50-50 )", "50-50"),
        ("Round( 3.5 , 0 )", "4"),
        ("Subtract( 2018 , 16 )", "2,002"),
        ("Subtract( Subtract( 2018 , 16 ) , 2000 )", "02"),
    ],
)
def test_what_the_paper_accepts(annotation: str, gold: str) -> None:
    found = validate(parse_expression(annotation), ARTICLE, gold)
    assert found.problems == ()
    assert found.reproduces


@pytest.mark.parametrize(
    ("annotation", "gold", "cause", "value"),
    [
        ("Add( 19 , 16 )", "36", Cause.OTHER_RESULT, 35),
        ("Add( 19 , 17 )", "36", Cause.ABSENT, 36),
        ("Copy( 7 )", "7", Cause.ABSENT, 7),
        ("Copy( 40 )", "40", Cause.ABSENT, 40),
        ("Copy( 5 )", "5", Cause.ABSENT, 5),
        ("Copy( 197 )", "197", Cause.ABSENT, 197),
        ("Span( his grandmother )", "1", Cause.ABSENT, 1),
        ("Span( his grand )", "1", Cause.ABSENT, 1),
        ("Trans( five )", "5", Cause.ABSENT, 5),
        ("Copy( 100 )", "100", Cause.ABSENT, 100),
        ("Divide( 19 , Subtract( 16 , 16 ) )", "3", Cause.NO_VALUE, None),
        ("Copy( 50-50 )", "50", Cause.NO_VALUE, None),
        ("Copy( 19 )", "nineteen", Cause.OTHER_RESULT, 19),
        ("Copy( 19 )", "", Cause.OTHER_RESULT, 19),
        ("Copy( 19 )", "1/0", Cause.OTHER_RESULT, 19),
        ("Add( 19 )", "19", Cause.UNREADABLE, None),
    ],
)
def test_what_it_refuses_and_why(annotation: str, gold: str, cause: Cause, value: int | None) -> None:
    found = validate_annotation(annotation, ARTICLE, gold)
    assert [problem.cause for problem in found.problems] == [cause]
    assert found.value == value
    assert found.problems[0].sentence.endswith(".")
    assert found.reproduces == (cause is Cause.ABSENT)


def test_constants_are_named() -> None:
    found = validate(
        parse_expression("Multiply( Divide( 16 , 1979 ) , 100 )"), ARTICLE, str(Fraction(1600, 1979))
    )
    assert found.problems == ()
    assert found.constants == ("100",)


def test_each_operand_has_its_place() -> None:
    tree = parse_expression("Round( Add( Multiply( 2 , 100 ) , Add( Trans( Four ) , 140000 ) ) , 2 )")
    assert operands_of(tree, ARTICLE) == (
        Operand("2", MULTIPLY, Presence.VALUE),
        Operand("100", MULTIPLY, Presence.CONSTANT),
        Operand("Four", TRANS, Presence.WRITTEN),
        Operand("140000", ADD, Presence.VALUE),
    )
    assert operands_of(tree, "")[0].presence is Presence.ABSENT


@pytest.mark.parametrize(
    "text", ["Unanswerable: the article gives no age", "unanswerable (the article gives no age).", None]
)
def test_no_answer_has_its_reason(text: str | None) -> None:
    found = validate_annotation(text or "Unanswerable.", ARTICLE, "41")
    assert found.value is None
    assert not found.reproduces
    assert found.unanswerable == ("the article gives no age" if text else "")
    assert [problem.cause for problem in found.problems] == ([] if text else [Cause.NO_REASON])
