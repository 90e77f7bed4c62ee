"""Features by which the derivations of a headline's number are ranked, and how its sources fit the place."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations import operands
from core.numerals.derivations.slots import MARKS, WAY_PRIORS, asked_of, marks_of, pairs_of, slot_of
from core.numerals.expressions.expression import Call, Expression, calls_of, depth_of
from core.numerals.operators import PARAPHRASE, Takes
from core.numerals.question import AT_ONCE, WAYS, Alignment, NumeralQuestion, ReadArticle, shares_of
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from core.text.tokens import word_list

APPROXIMATIONS = tuple(Approximation)
REACH = 100  # whole numbers up to it are looked at when the share that is reached by chance is counted
_AGREEMENTS: Final = word_list(
    "kind any_kind unit factor counted near_counted approximation approximate_place approximate_source "
    "percent_clash money_clash year_clash age_clash sign_for_sign distance"
)
WEIGHED: Final = word_list("Copy Trans Paraphrase Round SRound Subtract Add Span Divide Multiply")
"""Operators that the trees have a column for; what was added after they were trained has none."""
_SHAPE: Final = (
    *(f"outer_{name.lower()}" for name in WEIGHED),
    *("inner_paraphrase", "inner_arithmetic", "depth", "calls", "kept_digits"),
)
_ATTACHED: Final = word_list(
    "score least_score ahead_of_others share share_of_value rank way best_score entropy"
)
_VALUE: Final = word_list(
    "size small whole zeros year_value prior order candidates of_this_value of_this_answer_share "
    "singles_of_this_value reached"
)
_PLACE: Final = ("place_letter", *MARKS, "place_date", "place_name", "blank")
_LARGE: Final = 1e6
_CLASHING: Final = (NumeralKind.PERCENT, NumeralKind.MONEY, NumeralKind.AGE)
ADDED: Final = word_list(
    "best second margin candidates single_candidates numerals mass single_mass rival_share entropy rank"
)


@dataclass(frozen=True, slots=True, eq=False)
class ArticleTable:
    amounts: FloatArray  # bare numbers, float64 [n]; infinite where they are beyond float64
    values: FloatArray  # with their magnitudes, float64 [n]
    kinds: IntArray  # number of the kind, int64 [n]
    years: BoolArray  # whether it can be a year, bool [n]
    words: BoolArray  # whether it is written in words, bool [n]
    dateline: BoolArray  # whether it stands in the dateline, bool [n]
    sentences: IntArray  # row of the sentence, int64 [n]
    starts: FloatArray  # slot in the text, 0–1, float64 [n]
    units: IntArray  # number of the unit among the article's, int64 [n]
    counted: IntArray  # number of the counted thing among the article's, int64 [n]; -1 where none is known
    approximations: IntArray  # number of the approximation, int64 [n]
    bounds: BoolArray  # whether it is an end of a range, bool [n]
    standing: FloatArray  # how many of the article's numerals have the same value, float64 [n]
    same: FloatArray  # 1 where two numerals have the same value, float64 [n, n]
    reached: float  # share of the whole numbers 1–100 that some pair of operands gives
    behind: FloatArray  # sentences between it and the first one that is not all dateline, float64 [n]


@lru_cache(maxsize=AT_ONCE)
def table_of(article: ReadArticle) -> ArticleTable:
    given, places = article.numerals, np.array(article.places, dtype=np.int64)
    values = np.array([as_float(numeral.value) for numeral in given], dtype=np.float64)
    same = (values[:, None] == values).astype(np.float64)
    units = sorted({numeral.unit for numeral in given})
    things = sorted({numeral.counted for numeral in given} - {""})
    length = max(len(article.text), 1)
    lead = next((row for row, (_, end) in enumerate(article.sentences) if end > article.dateline), 0)
    # What some pair of operands gives of the whole numbers up to `REACH`.
    pairs = pairs_of(article).values
    small = pairs[: np.searchsorted(pairs, REACH, side="right")]
    whole = small[small == np.floor(small)]

    def column(read: Callable[[Numeral], object], dtype: type) -> npt.NDArray[Any]:
        return np.array([read(numeral) for numeral in given], dtype=dtype)

    return ArticleTable(
        amounts=column(lambda numeral: as_float(numeral.amount), np.float64),
        values=values,
        kinds=column(lambda numeral: operands.KINDS.index(numeral.kind), np.int64),
        years=column(operands.looks_like_year, np.bool_),
        words=column(operands.in_words, np.bool_),
        dateline=column(lambda numeral: numeral.start < article.dateline, np.bool_),
        sentences=places,
        starts=column(lambda numeral: numeral.start / length, np.float64),
        units=column(lambda numeral: units.index(numeral.unit), np.int64),
        counted=column(lambda numeral: things.index(numeral.counted) if numeral.counted else -1, np.int64),
        approximations=column(lambda numeral: APPROXIMATIONS.index(numeral.approximation), np.int64),
        bounds=column(lambda numeral: numeral.bound.value != "none", np.bool_),
        standing=same.sum(axis=1),
        same=same,
        reached=int((np.diff(whole, prepend=0.0) > 0).sum()) / REACH,
        behind=np.maximum(places - lead, 0).astype(np.float64),
    )


def as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def agreements(
    question: NumeralQuestion, used: operands.Used, candidates: Sequence[operands.DerivationCandidate]
) -> FloatArray:
    """How the sources of m candidates fit the place, float64 [m, f] in the order of `_AGREEMENTS`."""
    table = table_of(question.article)
    if not table.values.size:
        return np.zeros((len(candidates), len(_AGREEMENTS)))
    given, place = question.article.numerals, slot_of(question)
    head = question.numeral or asked_of(question)
    kind = table.kinds == operands.KINDS.index(head.kind)
    units = np.array([numeral.unit == head.unit for numeral in given])
    factors = np.array([float(numeral.factor == place.factor) for numeral in given])
    things = np.array([agreement(head.counted, numeral.counted) for numeral in given])
    near = np.array([agreement(place.after, numeral.counted) for numeral in given])
    exact = APPROXIMATIONS.index(head.approximation)
    percent, money, age = (clash(table, head, kind) for kind in _CLASHING)
    years = table.years != (head.kind is NumeralKind.YEAR)
    asked = None if question.numeral is None else question.numeral.number
    begun = [(each.answer, given[each.sources[0]].number if each.sources else None) for each in candidates]
    signs = [number == (answer if asked is None else asked) for answer, number in begun]
    first = used.rows[:, 0]
    values = np.array([as_float(candidate.value) for candidate in candidates])
    with np.errstate(divide="ignore", invalid="ignore"):
        bare = np.abs(np.log(np.abs(table.amounts[first] / values)))
        whole = np.abs(np.log(np.abs(table.values[first] / (values * float(place.factor)))))
    apart = np.where(used.counts > 0, np.fmin(np.fmin(bare, whole), 20.0), 20.0)
    fits = [*map(used.mean, (kind, units, factors, things, near, table.approximations == exact))]
    clashes = map(used.mean, (table.approximations > 0, percent, money, years, age))
    asked_about = np.full(len(candidates), float(exact > 0))
    return np.column_stack([fits[0], fits[0] > 0, *fits[1:], asked_about, *clashes, signs, apart])


def clash(table: ArticleTable, head: Numeral, kind: NumeralKind) -> BoolArray:
    """Whether only one of a numeral and the place's is of a kind, bool [n]."""
    return np.asarray((table.kinds == operands.KINDS.index(kind)) != (head.kind is kind))


def agreement(noun: str, other: str) -> float:
    """How far two counted things are one: 1 the same word, 0.5 the same beginning, -1 others, 0 unknown."""
    alike = 0.5 if len(noun) > 3 and noun[:4] == other[:4] else -1.0
    return (1.0 if noun == other else alike) if noun and other else 0.0


_Column = Callable[[ArticleTable, operands.Used], FloatArray | BoolArray]
_SOURCES: Final[dict[str, _Column]] = {
    "sources": lambda table, used: used.counts,
    "dateline": lambda table, used: used.mean(table.dateline),
    "lead": lambda table, used: used.mean((table.behind == 0) & ~table.dateline),
    "sentence": lambda table, used: used.mean(table.behind),
    "start": lambda table, used: used.mean(table.starts),
    "one_sentence": lambda table, used: used.spread(table.sentences) == 0,
    "apart": lambda table, used: used.spread(table.starts),
    "alike": lambda table, used: used.spread(table.kinds) == 0,
    "same_unit": lambda table, used: used.spread(table.units) == 0,
    "same_counted": lambda table, used: (used.spread(table.counted) == 0) & (used.mean(table.counted) >= 0),
    "years": lambda table, used: used.mean(table.years),
    "in_words": lambda table, used: used.mean(table.words),
    "bounds": lambda table, used: used.mean(table.bounds),
    "standing": lambda table, used: used.mean(table.standing),
    "is_count": lambda table, used: used.mean(table.kinds == operands.KINDS.index(NumeralKind.COUNT)),
}
NAMES: Final[tuple[str, ...]] = (  # names of the columns of `features`, in order
    *(f"attached_{name}" for name in _ATTACHED),
    *(f"way_{way}" for way in WAYS),
    *_SHAPE,
    *(f"source_{name}" for name in _SOURCES),
    *(f"agree_{name}" for name in _AGREEMENTS),
    *(f"value_{name}" for name in _VALUE),
    *_PLACE,
)
SUPPORT_NAMES: Final = (*NAMES, *ADDED)  # of what is seen of the derivation of a number


def features(
    question: NumeralQuestion, alignment: Alignment, candidates: Sequence[operands.DerivationCandidate]
) -> FloatArray:
    """Features of each candidate, float64 [m, f] with a column for each of `NAMES`; all finite."""
    if not candidates:
        return np.zeros((0, len(NAMES)))
    table, used = table_of(question.article), operands.used_by(candidates)
    asked = asked_of(question)
    ways = np.array([WAYS.index(candidate.way) for candidate in candidates])
    values = np.array([as_float(candidate.value) for candidate in candidates])
    whole = np.isfinite(values) & (values == np.floor(values))
    tens = sum(whole & (np.mod(np.where(whole, values, 1), 10**power) == 0) for power in (1, 2, 3))
    alike = values[:, None] == values
    single = used.counts == 1
    shares = np.zeros(len(values))
    if alignment.numerals.size:
        shares = np.where(single, shares_of(alignment.numerals)[used.rows[:, 0]], 0.0)
    # A numeral speaks once for a value, whatever the ways in which it gives it.
    once = single & (np.tril(alike & (used.rows[:, :1] == used.rows[:, 0]) & single, -1).sum(axis=1) == 0)
    with np.errstate(divide="ignore"):
        size = np.where(values > 0, np.log10(np.maximum(values, 1e-9)), 0.0)
    small, year = (whole & (values >= least) & (values <= most) for least, most in ((1, 12), (1800, 2100)))
    priors = [WAY_PRIORS[candidate.way] for candidate in candidates]
    order, count, reached = np.log1p(np.arange(len(values))), len(values), table.reached
    of_this = (alike.sum(axis=1), alike @ (shares * once), (alike & once).sum(axis=1))
    own = (size, small, whole, tens, year, priors, order, np.full(count, count), *of_this)
    shapes = np.array([_shape_of(candidate.expression) for candidate in candidates])
    columns = (
        *(_attached(alignment, table, used, ways), np.eye(len(WAYS))[ways], shapes, _sources(table, used)),
        *(agreements(question, used, candidates), np.column_stack([*own, np.full(count, reached)])),
        np.tile(_place(question, asked), (count, 1)),
    )
    joined: FloatArray = np.clip(np.nan_to_num(np.concatenate(columns, axis=1)), -_LARGE, _LARGE)
    return joined


def _attached(alignment: Alignment, table: ArticleTable, used: operands.Used, ways: IntArray) -> FloatArray:
    scores = alignment.numerals
    if not scores.size:
        return np.zeros((len(ways), len(_ATTACHED)))
    shares, order = shares_of(scores), np.argsort(-scores, kind="stable")
    ranks = np.argsort(order).astype(np.float64)
    mine = np.zeros((len(ways), len(scores)), dtype=np.bool_)
    mine[np.nonzero(used.there)[0], used.rows[used.there]] = True
    others, least = np.where(mine, -np.inf, scores).max(axis=1), used.least(scores)
    entropy = -(shares * np.log(shares + 1e-12)).sum()
    ahead = np.where(np.isfinite(others), least - others, 0.0)
    means = map(used.mean, (shares, table.same @ shares, ranks))
    whole = (np.full(len(ways), number) for number in (scores.max(), entropy))
    return np.column_stack([used.mean(scores), least, ahead, *means, alignment.ways[ways], *whole])


def _sources(table: ArticleTable, used: operands.Used) -> FloatArray:
    if not table.values.size:
        return np.zeros((len(used.counts), len(_SOURCES)))
    return np.column_stack([column(table, used) for column in _SOURCES.values()])


def _place(question: NumeralQuestion, asked: Numeral) -> FloatArray:
    place = slot_of(question)
    kinds = (asked.kind is NumeralKind.DATE, asked.kind is NumeralKind.NAME)
    marks = (*marks_of(place), *kinds, question.numeral is None)
    return np.array([np.log10(float(place.factor)), *marks], dtype=np.float64)


@lru_cache(maxsize=4096)
def _shape_of(expression: Expression) -> tuple[float, ...]:
    calls, digits = [*calls_of(expression)], 0
    inner = [call.operator for call in calls[1:]]
    if calls and Takes.DECIMALS in calls[0].operator.takes:
        decimals = calls[0].arguments[-1]
        digits = 0 if isinstance(decimals, Call) else int(decimals.text)
    outer = (float(bool(calls) and name == calls[0].operator.name) for name in WEIGHED)
    combining = sum(operator.combines for operator in inner)
    return (*outer, PARAPHRASE in inner, combining, depth_of(expression), len(calls), digits)
