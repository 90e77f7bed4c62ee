"""The operators of expressions, one row each; `docs/add_an_operator.md` adds one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import UnknownNameError

UNITS: Final = {  # what `Paraphrase` writes a number in; NumHG has K and M, headlines also have B and T
    **{"K": (10**3, "thousands"), "M": (10**6, "millions")},
    **{"B": (10**9, "billions"), "T": (10**12, "trillions")},
}
_SCALE: Final = frozenset({2, 7, 10, 12, 24, 30, 60, 100, 365, 1000})
_itself: Final = operator.pos  # the value as it is


class Takes(StrEnum):
    NUMBER = "number"  # a number in digits, or another call
    SHARE = "share"  # the same, a percentage standing for its hundredth
    DIGITS = "digits"  # a text of the article: a number in digits
    WORDS = "words"  # a number in words
    THINGS = "things"  # things that are counted
    UNIT = "unit"  # one of `UNITS`
    DECIMALS = "decimals"  # how many digits are kept after the point


NUMBERS: Final = frozenset({Takes.NUMBER, Takes.SHARE})
TEXTS: Final = frozenset({Takes.DIGITS, Takes.WORDS, Takes.THINGS})
SETTINGS: Final = frozenset({Takes.UNIT, Takes.DECIMALS})  # how it works: from no article


@dataclass(frozen=True, slots=True, eq=False)
class PairFacts:
    """What is known of m pairs of operands."""

    constant: npt.NDArray[np.bool_]  # whether one of the two is a constant, bool [m]
    years: npt.NDArray[np.int64]  # how many of the two can be years, int64 [m]
    counts: npt.NDArray[np.bool_]  # whether both count things, bool [m]
    dateline: npt.NDArray[np.bool_]  # whether one of the two stands in the dateline, bool [m]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairSearch:
    """Which pairs of operands the search for derivations tries under an operator of two numbers."""

    # as multiplying and dividing do: 0 and 1 are excluded, and so is the dateline; else the numbers are of
    # one magnitude, as in a sum
    scales: bool = False
    first: frozenset[int] = frozenset()  # constants that may be the first operand beside an article's number
    second: frozenset[int] = frozenset()  # constants that may be the second one
    blanks: bool = False  # whether results are proposed for a blank, too
    # what is added to the log-odds-like prior of pairs, float64 [m]
    bonus: Callable[[PairFacts], npt.NDArray[np.float64]] = lambda facts: np.zeros(len(facts.years))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Operator:
    """One operator. Two are the same where they are one object; what is pickled is the name."""

    name: str  # as it is written, letters only: "Subtract"
    takes: tuple[Takes, ...]  # its arguments; one of `TEXTS` is the only one, a number is before a setting
    # the value of the arguments' values, exact for `Fraction`; of a setting, the factor or the number of
    # decimals. One of two numbers also takes arrays in float64. `ZeroDivisionError` is reported as such.
    execute: Callable[..., Any]
    # in words, as a format of the arguments: "{0} minus {1}"; for a setting `{unit}` is its name,
    # `{decimals}` is "" for none or " to 2 decimals", `{places}` never is ""
    explained: str
    sign: str = ""  # what is drawn, such as "−"; "" draws the name
    any_order: bool = False  # whether its two numbers may change places
    way: str = "other"  # one of `core.numerals.question.WAYS`
    pairs: PairSearch | None = None  # None where pairs of operands are not tried

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Operator], tuple[str]]:
        return operator_named, (self.name,)

    @property
    def arity(self) -> int:
        return len(self.takes)

    @property
    def textual(self) -> bool:
        """Whether it holds a text of the article."""
        return self.takes[0] in TEXTS

    @property
    def combines(self) -> bool:
        """Whether it is arithmetic over several numbers, which may use constants that the article lacks."""
        return self.arity > 1 and all(takes in NUMBERS for takes in self.takes)


def round_half(value: Fraction, decimals: int) -> Fraction:
    """The nearest number with so many decimals; the float of a decimal tie decides, as in Python's `round`.

    102.5 → 102, 187.5 → 188, 3.55 → 3.5, as all ties of NumHG's rows (`docs/numeral_expressions.md`).
    """
    scale, held = Fraction(10) ** decimals, value
    scaled = value * scale
    with suppress(OverflowError):
        held = Fraction(float(value))
    if scaled.denominator != 2 or held == value:
        return round(value, decimals)
    return (math.floor(scaled) if held < value else math.ceil(scaled)) / scale


def cut(value: Fraction, decimals: int) -> Fraction:
    """The number with its further decimals dropped, towards zero: 5.29 → 5.2."""
    scale = Fraction(10) ** decimals
    return math.trunc(value * scale) / scale


def _added(facts: PairFacts) -> npt.NDArray[np.float64]:
    return np.asarray(1.0 + 1.5 * facts.counts - 3.0 * (facts.years > 0) - 1.0 * facts.constant)


def _subtracted(facts: PairFacts) -> npt.NDArray[np.float64]:
    spans, one_year = facts.years == 2, facts.years == 1
    return np.where(spans, 3.0 + 1.5 * facts.dateline, np.where(one_year, -1.0, 0.3))


_ROUNDED: Final = (Takes.NUMBER, Takes.DECIMALS)
COPY: Final = Operator(
    name="Copy", takes=(Takes.DIGITS,), execute=_itself, explained="{0} as it stands", way="copy"
)
TRANS: Final = Operator(
    name="Trans", takes=(Takes.WORDS,), execute=_itself, explained="{0} in digits", way="trans"
)
PARAPHRASE: Final = Operator(
    name="Paraphrase",
    takes=(Takes.NUMBER, Takes.UNIT),
    execute=operator.truediv,
    explained="{0} in {unit}",
    way="paraphrase",
)
ROUND: Final = Operator(
    name="Round", takes=_ROUNDED, execute=round_half, explained="{0} rounded{decimals}", way="round"
)
SROUND: Final = Operator(name="SRound", takes=_ROUNDED, execute=cut, explained="{0} cut{places}", way="round")
SPAN: Final = Operator(name="Span", takes=(Takes.THINGS,), execute=_itself, explained="“{0}” counted")


def _arithmetic(
    name: str, said: str, execute: Callable[..., Any], pairs: PairSearch, **more: Any
) -> Operator:
    takes = (Takes.SHARE,) * 2 if pairs.scales else (Takes.NUMBER,) * 2
    explained = f"{{0}} {said} {{1}}"
    return Operator(name=name, explained=explained, execute=execute, takes=takes, pairs=pairs, **more)


_SINCE: Final = PairSearch(
    first=frozenset({100}), second=frozenset({1, 1900, 2000}), blanks=True, bonus=_subtracted
)
_SUMS: Final = PairSearch(second=frozenset({1, 2}), blanks=True, bonus=_added)
_RATIOS: Final = PairSearch(scales=True, first=frozenset({1, 100}), second=_SCALE)
_PRODUCTS: Final = PairSearch(scales=True, second=_SCALE, blanks=True)
SUBTRACT: Final = _arithmetic("Subtract", "minus", operator.sub, _SINCE, sign="−", way="subtract")
ADD: Final = _arithmetic("Add", "plus", operator.add, _SUMS, sign="+", any_order=True, way="add")
DIVIDE: Final = _arithmetic("Divide", "divided by", operator.truediv, _RATIOS, sign="÷")
MULTIPLY: Final = _arithmetic("Multiply", "times", operator.mul, _PRODUCTS, sign="×", any_order=True)
OPERATORS: Final[dict[str, Operator]] = {  # those of NumHG (its table 2), and SRound, in the order of tables
    row.name: row for row in (COPY, TRANS, PARAPHRASE, ROUND, SROUND, SUBTRACT, ADD, SPAN, DIVIDE, MULTIPLY)
}


def operator_named(name: str) -> Operator:
    if name not in OPERATORS:
        message = f"There is no operator called {name[:40]!r}."
        raise UnknownNameError(message, hint=f"Choose one of {', '.join(OPERATORS)}.")
    return OPERATORS[name]


def taking(*takes: Takes) -> tuple[Operator, ...]:
    """The operators with such arguments, in the order of the table."""
    return tuple(operator for operator in OPERATORS.values() if operator.takes == takes)


def searched() -> dict[Operator, PairSearch]:
    """Under which operators the search tries pairs: of sums and differences first, then of scalings."""
    searches = [(operator, operator.pairs) for operator in OPERATORS.values() if operator.pairs is not None]
    return dict(sorted(searches, key=lambda each: (each[1].scales, not each[0].any_order)))
