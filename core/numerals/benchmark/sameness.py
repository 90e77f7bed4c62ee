"""When a derivation is the gold one: the same expression, or the same number from the same numerals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.derivations.candidate import Candidate
from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.execute import execute
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator

_DIGITS: Final = re.compile(r"\d+(?:,\d+)*(?:\.\d+)?|\.\d+", re.ASCII)
_ANY_ORDER: Final = frozenset({Operator.ADD, Operator.MULTIPLY})
_WITH_SETTING: Final = frozenset({Operator.PARAPHRASE, Operator.ROUND, Operator.SROUND})
"""Operators whose second argument is a unit or a count of digits, no number of the article."""


def same_expression(one: Expression, other: Expression) -> bool:
    """Whether two expressions print the same but for case, spaces, how numbers are written, and the order of
    what is added or multiplied."""
    return _normal(one) == _normal(other)


def equivalent(candidate: Candidate, gold: Expression) -> bool:
    """Whether a derivation is the gold one or gives the same value from the same numbers.

    `Copy( 7 )` is equivalent to `Trans( seven )`, and `Subtract( 2016 , 2012 )` to neither.
    """
    if same_expression(candidate.expression, gold):
        return True
    try:
        value = execute(gold)
    except ExpressionError:
        return False
    return candidate.value == value and _sources(candidate.expression) == _sources(gold)


def _normal(expression: Expression) -> object:
    if isinstance(expression, Leaf):
        return _leaf(expression.text)
    arguments = [_normal(argument) for argument in expression.arguments]
    if expression.operator in _ANY_ORDER:
        arguments.sort(key=repr)
    return (str(expression.operator), *arguments)


def _leaf(text: str) -> str:
    plain = " ".join(text.casefold().split())
    return str(Fraction(plain.replace(",", ""))) if _DIGITS.fullmatch(plain) else plain


def _sources(expression: Expression) -> Counter[str]:
    """The numbers that an expression starts from, by value where they have one."""
    return Counter(_value(leaf) for leaf in _leaves(expression))


def _leaves(expression: Expression) -> Iterator[Leaf]:
    if isinstance(expression, Leaf):
        yield expression
        return
    alone = expression.operator in _WITH_SETTING
    for argument in expression.arguments[:1] if alone else expression.arguments:
        yield from _leaves(argument)


def _value(leaf: Leaf) -> str:
    plain = _leaf(leaf.text)
    if plain[:1].isdigit():
        return plain
    try:
        return str(execute(Call(Operator.TRANS, (leaf,))))
    except ExpressionError:
        return plain
