"""Expressions and values for readers: as NumHG writes them, in words, and as pieces to draw."""

from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Final

from core.numerals.expressions import leaves
from core.numerals.expressions.expression import Call, Expression, Leaf, execute
from core.numerals.operators import UNITS, Takes

_DECIMALS: Final = 6  # of a value that a reader is shown
_LEAST_PARTED: Final = 10_000
DIGITS: Final = 12  # significant digits of a value whose decimals do not end


def print_value(value: Fraction) -> str:
    """A value as people write it: "65,000", "2012", "2.5", "0.333333…" where six decimals are too few."""
    rounded = round(value, _DECIMALS)
    sign = "-" if rounded < 0 else ""
    whole, rest = divmod(abs(rounded) * 10**_DECIMALS, 10**_DECIMALS)
    decimals = f"{int(rest):0{_DECIMALS}d}".rstrip("0")
    comma = "," if whole >= _LEAST_PARTED else ""
    written = f"{sign}{whole:{comma}}{'.' if decimals else ''}{decimals}"
    return written if rounded == value else f"{written}…"


def print_expression(expression: Expression) -> str:
    """An expression as NumHG writes it: "Round( Paraphrase( 968 , K ) , 0 )"; a leaf as it is."""
    if isinstance(expression, Leaf):
        return expression.text
    return f"{expression.operator}( {' , '.join(map(print_expression, expression.arguments))} )"


def explain(expression: Expression) -> str:
    """What an expression does, for a reader: "2018 minus 1979", "((42 minus 29) divided by 42) times 100"."""
    if isinstance(expression, Leaf):
        return expression.text
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        return operator.name
    if operator.textual:
        return operator.explained.format(explain(arguments[0]))
    if operator.combines:
        return operator.explained.format(*map(_operand, arguments))
    bare, phrases = _bare(arguments[0]), dict[str, str]()
    for takes, setting in zip(operator.takes[1:], map(explain, arguments[1:]), strict=True):
        if takes is Takes.UNIT:
            phrases["unit"] = UNITS[setting.upper()][1] if setting.upper() in UNITS else setting
        else:
            to = "" if setting == "0" else f" to {setting} decimal{'' if setting == '1' else 's'}"
            phrases |= {"decimals": to, "places": to or " to a whole number"}
    return operator.explained.format(f"{explain(bare)}{',' * isinstance(bare, Call)}", **phrases)


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
    label: str  # a sign of arithmetic ("−"), the operator's name, or a leaf's text
    value: str  # what the node amounts to, as `print_value` writes it ("65,000")
    children: tuple[int, ...]  # places of the nodes below it, left to right; () for a leaf


def pieces_of(expression: Expression, *, language: str = "en", place: int = 0) -> tuple[Piece, ...]:
    """The nodes of an expression, each before what hangs below it; the root is the first, at `place`."""
    if isinstance(expression, Leaf):
        return (Piece(expression.text, "", ()),)
    below: list[Piece] = []
    children = []
    for argument in expression.arguments:
        children.append(place + 1 + len(below))
        below += pieces_of(argument, language=language, place=children[-1])
    try:
        value = print_value(execute(expression, language=language))
    except leaves.ExpressionError:
        value = ""
    return Piece(expression.operator.sign or expression.operator.name, value, tuple(children)), *below


def plain_decimal(value: Fraction) -> str:
    """A value without an exponent, exact where its decimals end, else to `DIGITS` digits: "1300", "3.5"."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    with localcontext() as context:
        context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
        if rest == 1:
            context.prec = MAX_PREC
            # Decimal, because Python itself refuses to print thousands of digits.
            return f"{Decimal(value.numerator * (10**places // value.denominator)).scaleb(-places):f}"
        context.prec = DIGITS
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
