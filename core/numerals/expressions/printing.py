"""Expressions and values for readers: in words, as pieces to draw, and numbers as people write them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Final

from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import Call, Expression, Leaf, execute
from core.numerals.operators import UNITS, Takes

_DECIMALS: Final = 6  # of a value that a reader is shown
_LEAST_PARTED: Final = 10_000

DIGITS: Final = 12  # significant digits of a value whose decimals do not end


def print_value(value: Fraction) -> str:
    """A value as people write it: "65,000", "2012", "2.5"; "0.333333…" where six decimals are too few.

    Commas part thousands from 10,000 on, so that a year stays a year.
    """
    rounded = round(value, _DECIMALS)
    sign = "-" if rounded < 0 else ""
    whole, rest = divmod(abs(rounded) * 10**_DECIMALS, 10**_DECIMALS)
    decimals = f"{int(rest):0{_DECIMALS}d}".rstrip("0")
    comma = "," if whole >= _LEAST_PARTED else ""
    written = f"{sign}{whole:{comma}}{'.' if decimals else ''}{decimals}"
    return written if rounded == value else f"{written}…"


def explain(expression: Expression) -> str:
    """What an expression does, for a reader: "2018 minus 1979", "65,000 in thousands", "305.45 rounded".

    Sums inside sums stand in brackets: "((42 minus 29) divided by 42) times 100, rounded". A leaf is given as
    it is; a call without its arguments, which `execute` refuses too, by the name of its operator.
    """
    if isinstance(expression, Leaf):
        return expression.text
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        return operator.name
    if operator.textual:
        return operator.explained.format(explain(arguments[0]))
    if operator.combines:
        return operator.explained.format(*map(_operand, arguments))
    bare = _bare(arguments[0])
    first = f"{explain(bare)}{',' if isinstance(bare, Call) else ''}"
    settings = zip(operator.takes[1:], map(explain, arguments[1:]), strict=True)
    return operator.explained.format(first, **{k: v for each in settings for k, v in _phrases(*each).items()})


def _phrases(takes: Takes, setting: str) -> dict[str, str]:
    if takes is Takes.UNIT:
        return {"unit": UNITS[setting.upper()][1] if setting.upper() in UNITS else setting}
    to = "" if setting == "0" else f" to {setting} decimal{'' if setting == '1' else 's'}"
    return {"decimals": to, "places": to or " to a whole number"}


def _operand(expression: Expression) -> str:
    bare = _bare(expression)
    if isinstance(bare, Call):
        return f"({explain(bare)})"
    counted = isinstance(expression, Call) and Takes.THINGS in expression.operator.takes
    return f"“{bare.text}”" if counted else bare.text


def _bare(expression: Expression) -> Expression:
    textual = isinstance(expression, Call) and expression.operator.textual and expression.arguments
    return expression.arguments[0] if isinstance(expression, Call) and textual else expression


@dataclass(frozen=True, slots=True)
class Piece:
    """A node of an expression's tree."""

    label: str  # a sign of arithmetic ("−"), the operator's name, or a leaf's text
    value: str  # what the node amounts to, as `print_value` writes it ("65,000")
    children: tuple[int, ...]  # places of the nodes below it, left to right; () for a leaf


def pieces_of(expression: Expression, *, language: str = "en") -> tuple[Piece, ...]:
    """The nodes of an expression, each before what hangs below it; the root is the first."""
    drawn: list[Piece] = []
    _draw(expression, language, drawn)
    return tuple(drawn)


def _draw(expression: Expression, language: str, drawn: list[Piece]) -> None:
    place = len(drawn)
    if isinstance(expression, Leaf):
        drawn.append(Piece(expression.text, "", ()))
        return
    label = expression.operator.sign or expression.operator.name
    drawn.append(Piece(label, "", ()))
    children = []
    for argument in expression.arguments:
        children.append(len(drawn))
        _draw(argument, language, drawn)
    drawn[place] = Piece(label, _value(expression, language), tuple(children))


def _value(call: Call, language: str) -> str:
    try:
        return print_value(execute(call, language=language))
    except ExpressionError:
        return ""


def plain_decimal(value: Fraction) -> str:
    """A value without an exponent: "1300", "3.5", "0.333333333333".

    Exact where its decimals end, however many there are; else to `DIGITS` significant digits.
    """
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    with localcontext() as context:
        context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
        if rest == 1:
            context.prec = MAX_PREC
            places = max(twos, fives)
            # Decimal, because Python itself refuses to print thousands of digits.
            return f"{Decimal(value.numerator * (10**places // value.denominator)).scaleb(-places):f}"
        context.prec = DIGITS
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
