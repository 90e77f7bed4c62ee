"""When a derivation is the gold one, and when it is as good."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.expressions.parse import execute, parse_expression


def candidate(text: str, value: Fraction | None = None) -> DerivationCandidate:
    expression = parse_expression(text)
    worth = execute(expression) if value is None else value
    return DerivationCandidate(expression=expression, sources=(), value=worth, answer="", way="other")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Copy( 2 )", "Copy(2)"),
        ("Copy( 65,000 )", "Copy( 65000 )"),
        ("Trans( Seven )", "Trans( seven )"),
        ("Add( 2 , 3 )", "Add( 3 , 2 )"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "Round( Paraphrase( 968.0 , k ) , 0 )"),
    ],
)
def test_the_same_expression_in_another_hand(one: str, other: str) -> None:
    assert same_expression(parse_expression(one), parse_expression(other))
    assert equivalent(candidate(one), parse_expression(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Subtract( 2 , 3 )", "Subtract( 3 , 2 )"), ("Copy( 2 )", "Copy( 3 )"), ("Copy( 12 )", "Trans( 12 )")],
)
def test_other_expressions_are_others(one: str, other: str) -> None:
    assert not same_expression(parse_expression(one), parse_expression(other))


@pytest.mark.parametrize(
    ("one", "gold"),
    [
        ("Copy( 7 )", "Trans( seven )"),
        ("Paraphrase( 65,000 , K )", "Round( Paraphrase( 65,000 , K ) , 0 )"),
        ("SRound( 3.49 , 0 )", "Round( 3.49 , 0 )"),
    ],
)
def test_the_same_value_from_the_same_numbers_is_as_good(one: str, gold: str) -> None:
    assert not same_expression(parse_expression(one), parse_expression(gold))
    assert equivalent(candidate(one), parse_expression(gold))


@pytest.mark.parametrize(
    ("one", "gold"),
    [
        ("Add( 3 , 4 )", "Copy( 7 )"),
        ("Subtract( 2016 , 2012 )", "Subtract( 2014 , 2010 )"),
        ("SRound( 3.51 , 0 )", "Round( 3.51 , 0 )"),
    ],
)
def test_the_same_value_from_other_numbers_is_not(one: str, gold: str) -> None:
    assert not equivalent(candidate(one), parse_expression(gold))


def test_a_gold_expression_without_a_value_has_no_equivalent() -> None:
    gold = parse_expression("Divide( 1 , 0 )")
    assert not equivalent(candidate("Copy( 1 )"), gold)
    assert equivalent(candidate("Divide( 1 , 0 )", Fraction(0)), gold)
