"""What operators can be applied to: the numerals of an article, and constants that it need not have."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.limits import PAIRED_NUMERALS
from core.numerals.expressions.expression import Call, Expression, Leaf, execute, used_leaves
from core.numerals.expressions.leaves import ExpressionError, value_of_words
from core.numerals.operators import TRANS, searched
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralForm, NumeralKind

LARGEST: Final = 10**15  # what is larger is only copied: its sums are no longer exact in float64
ARTICLES: Final = ("a ", "an ")  # words that annotators keep before "pair" and "third"
UNCOUNTED: Final = frozenset({NumeralKind.TIME, NumeralKind.NAME})  # never added up or rounded
KINDS: Final = tuple(NumeralKind)
_LIKE_YEARS: Final = frozenset({NumeralKind.COUNT, NumeralKind.DATE, NumeralKind.NAME})
MOST_SOURCES: Final = 3  # further sources of a candidate are not looked at
_DIGITS: Final = re.compile(r"\d+(?:,\d+)*(?:\.\d+)?|\.\d+", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Operands:
    """k operands; those of the article come first, in its order."""

    expressions: tuple[Expression, ...]  # how each is written in an expression
    exact: tuple[Fraction, ...]  # its value as the expression has it ("3.2" of "$3.2bn" is 3.2
    values: FloatArray  # the same, float64 [k]
    rows: IntArray  # its row among the article's numerals, int64 [k]; -1 for a constant
    factors: FloatArray  # what its magnitude multiplies it by beyond `exact`, float64 [k]
    sentences: IntArray  # row of its sentence, int64 [k]; -1 for a constant
    years: BoolArray  # whether it can be a year, bool [k]
    dateline: BoolArray  # whether it stands in the dateline, bool [k]
    counts: BoolArray  # whether it is a whole number up to 10,000 that counts things, bool [k]
    kinds: IntArray  # number of its kind, int64 [k]; -1 for a constant
    decimals: IntArray  # digits after its decimal sign, int64 [k]

    @property
    def constants(self) -> BoolArray:
        """Which of them the article lacks, bool [k]."""
        return self.rows < 0


def literal(numeral: Numeral) -> Expression:
    """The bare number of a numeral as an operand: `38`, or `Trans( two )` where it is a word."""
    return Call(TRANS, (Leaf(phrase(numeral)),)) if in_words(numeral) else Leaf(numeral.number)


def phrase(numeral: Numeral) -> str:
    """The words of a numeral as `Trans` takes them: "two dozen" and "a pair" whole, no currency."""
    if numeral.factor != 1:
        return numeral.text[numeral.number_start - numeral.start :]
    return numeral.text if numeral.text.lower().startswith(ARTICLES) else numeral.number


def in_words(numeral: Numeral) -> bool:
    """Whether the bare number has no digit."""
    spelled = numeral.form in {NumeralForm.WORDS, NumeralForm.ROMAN}
    return spelled or not any(map(str.isdigit, numeral.number))


def looks_like_year(numeral: Numeral) -> bool:
    """Whether a numeral is a year by its kind, or a bare number of four digits from 1000 to 2100."""
    plain = numeral.factor == numeral.amount.denominator == 1 and numeral.kind in _LIKE_YEARS
    bare = plain and len(numeral.number) == 4 and 1000 <= numeral.amount <= 2100
    return bare or numeral.kind is NumeralKind.YEAR


def calculable(numeral: Numeral) -> bool:
    """Whether operators other than Copy and Trans may be applied to a numeral."""
    small = abs(numeral.amount) < LARGEST and abs(numeral.factor) <= LARGEST
    return small and numeral.kind not in UNCOUNTED


def constants() -> tuple[int, ...]:
    """Numbers that NumHG's annotators calculated with although articles lack them, ascending."""
    return tuple(sorted(frozenset().union(*(search.first | search.second for search in searched().values()))))


@lru_cache(maxsize=AT_ONCE)
def operands_of(article: ReadArticle) -> Operands:
    """Operands of an article: its first numerals up to `PAIRED_NUMERALS`, then the constants."""
    rows = [row for row, numeral in enumerate(article.numerals) if calculable(numeral)]
    rows = rows[: PAIRED_NUMERALS.value]
    chosen, known = [article.numerals[row] for row in rows], constants()
    # A numeral in words is written with its magnitude, one in digits without.
    exact = [numeral.value if in_words(numeral) else numeral.amount for numeral in chosen]
    exact += map(Fraction, known)
    factors = (1.0 if in_words(numeral) else float(numeral.factor) for numeral in chosen)

    def column(own: Iterable[object], constant: object, dtype: type) -> npt.NDArray[Any]:
        return np.array([*own, *[constant] * len(known)], dtype=dtype)

    return Operands(
        expressions=(*map(literal, chosen), *(Leaf(str(constant)) for constant in known)),
        exact=tuple(exact),
        values=np.array(exact, dtype=np.float64),
        rows=column(rows, -1, np.int64),
        factors=column(factors, 1.0, np.float64),
        sentences=column((article.places[row] for row in rows), -1, np.int64),
        years=column(map(looks_like_year, chosen), False, np.bool_),
        dateline=column((numeral.start < article.dateline for numeral in chosen), False, np.bool_),
        counts=column(map(_counts, chosen), False, np.bool_),
        kinds=column((KINDS.index(numeral.kind) for numeral in chosen), -1, np.int64),
        decimals=column((numeral.decimals for numeral in chosen), 0, np.int64),
    )


def _counts(numeral: Numeral) -> bool:
    plain = numeral.kind in {NumeralKind.COUNT, NumeralKind.ORDINAL} and not looks_like_year(numeral)
    return plain and numeral.value.denominator == 1 and numeral.value <= 10_000


@dataclass(frozen=True, slots=True)
class DerivationCandidate:
    """An expression over an article's numerals, before anything is said about how likely it is."""

    expression: Expression  # in NumHG's terms, leaves as they are written in the article
    sources: tuple[int, ...]  # rows in `ReadArticle.numerals`, in order of its leaves; a constant has none
    value: Fraction  # in the terms of the bare number at the place: 3 for "$____K" and "$3,000"
    answer: str  # how the number is written into a headline: "3", "1.5", "1,300"
    way: str  # one of `core.numerals.question.WAYS`


Proposal = tuple[float, DerivationCandidate]  # behind its log-odds-like prior


@dataclass(frozen=True, slots=True, eq=False)
class Used:
    rows: IntArray  # rows of numerals, int64 [m, 3]; 0 where there is none
    there: BoolArray  # whether there is one, bool [m, 3]
    counts: FloatArray  # how many, float64 [m]

    def mean(self, given: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Mean of a numeral's number over the sources, float64 [m]; 0 without a source."""
        total = np.where(self.there, given[self.rows], 0.0).sum(axis=1)
        return np.asarray(total / np.maximum(self.counts, 1))

    def least(self, given: FloatArray | IntArray) -> FloatArray:
        """Smallest number over the sources, float64 [m]; 0 without a source."""
        least = np.where(self.there, given[self.rows], np.inf).min(axis=1)
        return np.asarray(np.where(self.counts > 0, least, 0.0))

    def spread(self, given: FloatArray | IntArray) -> FloatArray:
        """Largest less smallest number over the sources, float64 [m]; 0 without a source."""
        most = np.where(self.there, given[self.rows], -np.inf).max(axis=1)
        return np.asarray(np.where(self.counts > 0, most - self.least(given), 0.0))


def used_by(candidates: Sequence[DerivationCandidate]) -> Used:
    rows = np.zeros((len(candidates), MOST_SOURCES), dtype=np.int64)
    there = np.zeros(rows.shape, dtype=np.bool_)
    for place, candidate in enumerate(candidates):
        taken = candidate.sources[:MOST_SOURCES]
        rows[place, : len(taken)] = taken
        there[place, : len(taken)] = True
    return Used(rows, there, there.sum(axis=1).astype(np.float64))


def same_expression(expression: Expression, other: Expression) -> bool:
    """Whether two expressions print the same but for case, spaces, digits and the order of sums."""
    return _normal(expression) == _normal(other)


def equivalent(candidate: DerivationCandidate, gold: Expression) -> bool:
    """Whether a derivation is the gold one or gives the same value from the same numbers."""
    if same_expression(candidate.expression, gold):
        return True
    with suppress(ExpressionError):
        return candidate.value == execute(gold) and _sources(candidate.expression) == _sources(gold)
    return False


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
    with suppress(ExpressionError):
        return plain if plain[:1].isdigit() else str(value_of_words(text))
    return plain
