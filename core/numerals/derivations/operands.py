"""What operators can be applied to: the numerals of an article, and constants that it need not have."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from core.limits import PAIRED_NUMERALS
from core.numerals.expressions.tree import Call, Expression, Leaf
from core.numerals.operators import TRANS, searched
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralForm, NumeralKind

LARGEST: Final = 10**15
"""Larger numbers are copied, but not calculated with: sums of them are no longer exact in float64."""

ARTICLES: Final = ("a ", "an ")
"""Words that annotators keep before "pair" and "third"."""

UNCOUNTED: Final = frozenset({NumeralKind.TIME, NumeralKind.NAME})
"""Kinds that are never added up or rounded: "2:13", the 2 of "U2"."""

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Operands:
    """k operands; those of the article come first, in its order.

    Attributes:
        expressions: How each is written in an expression.
        exact: Its value as the expression has it ("3.2" of "$3.2bn" is 3.2; "two dozen" is 24).
        values: The same, float64 [k].
        rows: Its row among the article's numerals, int64 [k]; -1 for a constant.
        factors: What its magnitude multiplies it by beyond `exact`, float64 [k].
        sentences: Row of its sentence, int64 [k]; -1 for a constant.
        years: Whether it can be a year, bool [k].
        dateline: Whether it stands in the dateline, bool [k].
        counts: Whether it is a whole number up to 10,000 that counts things, bool [k].
        kinds: Number of its kind, int64 [k]; -1 for a constant.
        decimals: Digits after its decimal sign, int64 [k].
    """

    expressions: tuple[Expression, ...]
    exact: tuple[Fraction, ...]
    values: FloatArray
    rows: IntArray
    factors: FloatArray
    sentences: IntArray
    years: BoolArray
    dateline: BoolArray
    counts: BoolArray
    kinds: IntArray
    decimals: IntArray

    @property
    def constants(self) -> BoolArray:
        """Which of them the article lacks, bool [k]."""
        return self.rows < 0


KINDS: Final = tuple(NumeralKind)


def literal(numeral: Numeral) -> Expression:
    """The bare number of a numeral as an operand: `38`, or `Trans( two )` where it is a word."""
    if in_words(numeral):
        return Call(TRANS, (Leaf(phrase(numeral)),))
    return Leaf(numeral.number)


def phrase(numeral: Numeral) -> str:
    """The words of a numeral as `Trans` takes them: "two dozen" and "a pair" whole, no currency."""
    if numeral.factor != 1:
        return numeral.text[numeral.number_start - numeral.start :]
    return numeral.text if numeral.text.lower().startswith(ARTICLES) else numeral.number


def in_words(numeral: Numeral) -> bool:
    """Whether the bare number has no digit."""
    return numeral.form in {NumeralForm.WORDS, NumeralForm.ROMAN} or not any(
        sign.isdigit() for sign in numeral.number
    )


def looks_like_year(numeral: Numeral) -> bool:
    """Whether a numeral is a year by its kind, or a bare number of four digits from 1000 to 2100."""
    if numeral.kind is NumeralKind.YEAR:
        return True
    return (
        numeral.factor == 1
        and numeral.amount.denominator == 1
        and 1000 <= numeral.amount <= 2100
        and len(numeral.number) == 4
        and numeral.kind in {NumeralKind.COUNT, NumeralKind.DATE, NumeralKind.NAME}
    )


def calculable(numeral: Numeral) -> bool:
    """Whether operators other than Copy and Trans may be applied to a numeral."""
    small = abs(numeral.amount) < LARGEST and abs(numeral.factor) <= LARGEST
    return small and numeral.kind not in UNCOUNTED


def constants() -> tuple[int, ...]:
    """Numbers that operators take although the article lacks them, ascending.

    NumHG's annotators calculated with them: 1900 and 2000 take the century off a year, 100 makes percent, 1
    and 2 count people who are reported without a number; the others turn one unit of time into another.
    """
    return tuple(sorted(frozenset().union(*(one.first | one.second for one in searched().values()))))


@lru_cache(maxsize=AT_ONCE)
def operands_of(article: ReadArticle) -> Operands:
    """Operands of an article: its first numerals up to `PAIRED_NUMERALS`, then the constants."""
    rows = [row for row, numeral in enumerate(article.numerals) if calculable(numeral)]
    rows = rows[: PAIRED_NUMERALS.value]
    chosen = [article.numerals[row] for row in rows]
    exact = [_as_written(numeral) for numeral in chosen]
    known = constants()
    outside = len(known)
    return Operands(
        expressions=(*map(literal, chosen), *(Leaf(str(constant)) for constant in known)),
        exact=(*exact, *map(Fraction, known)),
        values=np.array([*map(float, exact), *map(float, known)]),
        rows=np.array([*rows, *[-1] * outside], dtype=np.int64),
        factors=np.array([*(float(_beyond(numeral)) for numeral in chosen), *[1.0] * outside]),
        sentences=np.array([*(article.places[row] for row in rows), *[-1] * outside], dtype=np.int64),
        years=np.array([*map(looks_like_year, chosen), *[False] * outside], dtype=np.bool_),
        dateline=np.array([*(one.start < article.dateline for one in chosen), *[False] * outside], np.bool_),
        counts=np.array([*map(_counts, chosen), *[False] * outside], dtype=np.bool_),
        kinds=np.array([*(KINDS.index(one.kind) for one in chosen), *[-1] * outside], dtype=np.int64),
        decimals=np.array([*(one.decimals for one in chosen), *[0] * outside], dtype=np.int64),
    )


def _as_written(numeral: Numeral) -> Fraction:
    return numeral.value if in_words(numeral) else numeral.amount


def _beyond(numeral: Numeral) -> Fraction:
    return Fraction(1) if in_words(numeral) else numeral.factor


def _counts(numeral: Numeral) -> bool:
    plain = numeral.kind in {NumeralKind.COUNT, NumeralKind.ORDINAL} and not looks_like_year(numeral)
    return plain and numeral.value.denominator == 1 and numeral.value <= 10_000
