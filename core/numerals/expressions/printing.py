"""Expressions and values for readers: in words, as pieces to draw, and whether an annotation is right."""

import re
from contextlib import suppress
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

from core.numerals.expressions import parse
from core.numerals.expressions.leaves import MOST_DIGITS, ExpressionError, amount_of, shown
from core.numerals.operators import COPY, UNITS, Operator, Takes
from core.text.numerals.read import read_numerals

_DECIMALS: Final = 6  # of a value that a reader is shown
_LEAST_PARTED: Final = 10_000
DIGITS: Final = 12  # significant digits of a value whose decimals do not end
CONSTANTS: Final = frozenset(
    (0, 1, 7, 10, 12, 24, 30, 31, 52, 60, 100, 365, 1_000, 1_900, 2_000, 10**6, 10**9)
)
"""Numbers that arithmetic may use without the article: units of time, per cent, first years of a century."""
_DIGIT_FIRST: Final = re.compile(r"\.?[0-9]")
_NUMBER: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


def print_value(value: Fraction) -> str:
    """A value as people write it: "65,000", "2012", "2.5", "0.333333…" where six decimals are too few."""
    rounded = round(value, _DECIMALS)
    sign = "-" if rounded < 0 else ""
    whole, rest = divmod(abs(rounded) * 10**_DECIMALS, 10**_DECIMALS)
    decimals = f"{int(rest):0{_DECIMALS}d}".rstrip("0")
    comma = "," if whole >= _LEAST_PARTED else ""
    written = f"{sign}{whole:{comma}}{'.' if decimals else ''}{decimals}"
    return written if rounded == value else f"{written}…"


def explain(expression: parse.Expression) -> str:
    """What an expression does, for a reader: "2018 minus 1979", "((42 minus 29) divided by 42) times 100"."""
    if isinstance(expression, parse.Leaf):
        return expression.text
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        return operator.name
    if operator.textual:
        return operator.explained.format(explain(arguments[0]))
    if operator.combines:
        return operator.explained.format(*map(_operand, arguments))
    bare = _bare(arguments[0])
    first = f"{explain(bare)}{',' if isinstance(bare, parse.Call) else ''}"
    settings = zip(operator.takes[1:], map(explain, arguments[1:]), strict=True)
    return operator.explained.format(first, **{k: v for each in settings for k, v in _phrases(*each).items()})


def _phrases(takes: Takes, setting: str) -> dict[str, str]:
    if takes is Takes.UNIT:
        return {"unit": UNITS[setting.upper()][1] if setting.upper() in UNITS else setting}
    to = "" if setting == "0" else f" to {setting} decimal{'' if setting == '1' else 's'}"
    return {"decimals": to, "places": to or " to a whole number"}


def _operand(expression: parse.Expression) -> str:
    bare = _bare(expression)
    if isinstance(bare, parse.Call):
        return f"({explain(bare)})"
    counted = isinstance(expression, parse.Call) and Takes.THINGS in expression.operator.takes
    return f"“{bare.text}”" if counted else bare.text


def _bare(expression: parse.Expression) -> parse.Expression:
    textual = isinstance(expression, parse.Call) and expression.operator.textual and expression.arguments
    return expression.arguments[0] if isinstance(expression, parse.Call) and textual else expression


@dataclass(frozen=True, slots=True)
class Piece:
    label: str  # a sign of arithmetic ("−"), the operator's name, or a leaf's text
    value: str  # what the node amounts to, as `print_value` writes it ("65,000")
    children: tuple[int, ...]  # places of the nodes below it, left to right; () for a leaf


def pieces_of(expression: parse.Expression, *, language: str = "en") -> tuple[Piece, ...]:
    """The nodes of an expression, each before what hangs below it; the root is the first."""
    return tuple(_drawn(expression, language, 0))


def _drawn(expression: parse.Expression, language: str, place: int) -> list[Piece]:
    if isinstance(expression, parse.Leaf):
        return [Piece(expression.text, "", ())]
    below: list[Piece] = []
    children = []
    for argument in expression.arguments:
        children.append(place + 1 + len(below))
        below += _drawn(argument, language, children[-1])
    try:
        value = print_value(parse.execute(expression, language=language))
    except ExpressionError:
        value = ""
    return [Piece(expression.operator.sign or expression.operator.name, value, tuple(children)), *below]


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


class Presence(StrEnum):
    """Where an operand is."""

    WRITTEN = "written"  # in the article, character for character (upper and lower case alike)
    VALUE = "value"  # the article has the number in another form ("140,000" for 140000, "two" for 2)
    CONSTANT = "constant"  # one of `CONSTANTS` in arithmetic, which the article lacks
    # only within a longer number or word ("50" in 50.65, "two" in "network"), as NumHG's own program took for
    # present
    INSIDE = "inside"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Operand:
    """A number, word or span that an expression uses; units and digits to keep are none."""

    text: str  # as in the expression
    operator: Operator  # the operator it stands under
    presence: Presence


_MISSING: Final = {
    Presence.ABSENT: "The article does not have {}.",
    Presence.INSIDE: "The article has {} only inside a longer number or word.",
}


@dataclass(frozen=True, slots=True)
class Validation:
    value: Fraction | None  # what the expression amounts to; None where it has no value
    reproduces: bool  # whether it gives the gold number, wherever its operands come from
    operands: tuple[Operand, ...]  # what it uses, from left to right, and where that is
    problems: tuple[str, ...]  # what is wrong with it, a sentence each; () for one that is accepted


def validate(expression: parse.Expression, article: str, gold: str) -> Validation:
    """Compares an expression with its article and the gold number, by section 3.1 of the NumHG paper.

    A number may stand in the article in another form, and arithmetic may use one of `CONSTANTS`. A `Copy` of
    what is no single number ("50-50") gives its text.
    """
    searched = _Searched(article)
    operands = tuple(
        Operand(text, operator, searched.presence(text, operator))
        for text, operator in parse.used_leaves(expression)
        if operator is not None
    )
    missing = [
        _MISSING[operand.presence].format(shown(operand.text))
        for operand in operands
        if operand.presence in _MISSING
    ]
    value, wrong = None, ""
    try:
        value = parse.execute(expression)
    except ExpressionError as error:
        copies = isinstance(expression, parse.Call) and expression.operator is COPY
        wrong = (
            ""
            if copies and parse.print_expression(expression) == f"Copy( {gold.strip()} )"
            else error.message
        )
    else:
        if value != _gold_value(gold):
            wrong = f"The expression gives {print_value(value)}, and the headline has {shown(gold)}."
    return Validation(value, not wrong, operands, tuple(filter(None, (wrong, *missing))))


def _gold_value(gold: str) -> Fraction | None:
    with suppress(ExpressionError):
        amount = amount_of(gold)
        return None if amount is None else amount.value
    return None


class _Searched:
    def __init__(self, article: str) -> None:
        self._article = article

    def presence(self, text: str, operator: Operator) -> Presence:
        if self._has(text):
            return Presence.WRITTEN
        value = _number(text, operator)
        if value is not None and value in self._values:
            return Presence.VALUE
        if value in CONSTANTS and operator.combines:
            return Presence.CONSTANT
        return Presence.INSIDE if _plain(text) in self._folded else Presence.ABSENT

    def _has(self, text: str) -> bool:
        sought = re.escape(_plain(text))
        if _DIGIT_FIRST.match(text):
            sought = rf"(?<![0-9])(?<![0-9][.,]){sought}(?![0-9])(?![.,][0-9])"
        else:
            sought = rf"(?<!\w){sought}(?!\w)"
        return re.search(sought, self._folded) is not None

    @cached_property
    def _folded(self) -> str:
        return _plain(self._article)

    @cached_property
    def _values(self) -> frozenset[Fraction]:
        read = read_numerals(self._article, language="en")
        written = (figure.replace(",", "") for figure in _NUMBER.findall(self._article))
        digits = (Fraction(number) for number in written if len(number) <= MOST_DIGITS)
        return frozenset(digits).union(*({numeral.value, numeral.amount} for numeral in read))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _number(text: str, operator: Operator) -> Fraction | None:
    takes = operator.takes[0]
    with suppress(ExpressionError):
        if takes is not Takes.THINGS:
            return parse.number_of(text, Takes.WORDS if takes is Takes.WORDS else Takes.NUMBER)
    return None
