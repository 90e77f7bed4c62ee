"""From tree to text, in NumHG's spacing, and a value as people write it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.numerals.expressions.tree import Expression, Leaf

_DECIMALS: Final = 6  # of a value that a reader is shown
_LEAST_PARTED: Final = 10_000


def print_expression(expression: Expression) -> str:
    """An expression as NumHG writes it: "Round( Paraphrase( 968 , K ) , 0 )"; a leaf as it is.

    `parse_expression` reads it back where brackets in a `Span` come in pairs and other leaves have none.
    """
    if isinstance(expression, Leaf):
        return expression.text
    return f"{expression.operator}( {' , '.join(map(print_expression, expression.arguments))} )"


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
