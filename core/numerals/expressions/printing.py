"""From tree to text, in NumHG's spacing, and a value as people write it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.numerals.expressions.tree import Expression, Leaf

_DECIMALS: Final = 6  # of a value that a reader is shown


def print_expression(expression: Expression) -> str:
    """An expression as NumHG writes it: "Round( Paraphrase( 968 , K ) , 0 )"; a leaf as it is."""
    if isinstance(expression, Leaf):
        return expression.text
    return f"{expression.operator}( {' , '.join(map(print_expression, expression.arguments))} )"


def print_value(value: Fraction) -> str:
    """A value with commas between thousands: "1,300", "2.5"; "0.333333…" where six decimals are too few."""
    rounded = round(value, _DECIMALS)
    sign = "-" if rounded < 0 else ""
    whole, rest = divmod(abs(rounded) * 10**_DECIMALS, 10**_DECIMALS)
    decimals = f"{int(rest):0{_DECIMALS}d}".rstrip("0")
    written = f"{sign}{whole:,}{'.' if decimals else ''}{decimals}"
    return written if rounded == value else f"{written}…"
