"""When a derivation is the gold one: the same expression, or the same number from the same numerals."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Final

from core.numerals.derivations.candidate import DerivationCandidate
from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.execute import execute
from core.numerals.expressions.leaves import value_of_words
from core.numerals.expressions.tree import Expression, Leaf, used_leaves

_DIGITS: Final = re.compile(r"\d+(?:,\d+)*(?:\.\d+)?|\.\d+", re.ASCII)


def same_expression(one: Expression, other: Expression) -> bool:
    """Whether two expressions print the same but for case, spaces, how numbers are written, and the order of
    what is added or multiplied."""
    return _normal(one) == _normal(other)


def equivalent(candidate: DerivationCandidate, gold: Expression) -> bool:
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
    if expression.operator.any_order:
        arguments.sort(key=repr)
    return (str(expression.operator), *arguments)


def _leaf(text: str) -> str:
    plain = " ".join(text.casefold().split())
    return str(Fraction(plain.replace(",", ""))) if _DIGITS.fullmatch(plain) else plain


def _sources(expression: Expression) -> Counter[str]:
    return Counter(_value(text) for text, _ in used_leaves(expression))


def _value(text: str) -> str:
    plain = _leaf(text)
    if plain[:1].isdigit():
        return plain
    try:
        return str(value_of_words(text))
    except ExpressionError:
        return plain
