"""Whether the numerals that a candidate uses fit the place it is for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations.operands import KINDS, DerivationCandidate, Used, in_words, looks_like_year
from core.numerals.derivations.slots import asked_of, pairs_of, slot_of
from core.numerals.question import AT_ONCE, NumeralQuestion, ReadArticle
from core.text.numerals.numeral import Approximation, NumeralKind

APPROXIMATIONS = tuple(Approximation)
REACH = 100  # whole numbers up to it are looked at when the share that is reached by chance is counted


@dataclass(frozen=True, slots=True, eq=False)
class ArticleTable:
    """n numerals."""

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
    """The arrays of an article."""
    given = article.numerals
    values = np.array([as_float(one.value) for one in given], dtype=np.float64)
    same = (values[:, None] == values).astype(np.float64)
    units = sorted({one.unit for one in given})
    things = sorted({one.counted for one in given} - {""})
    length = max(len(article.text), 1)
    sentences = np.array(article.places, dtype=np.int64)
    lead = next((row for row, (_, end) in enumerate(article.sentences) if end > article.dateline), 0)
    return ArticleTable(
        amounts=np.array([as_float(one.amount) for one in given], dtype=np.float64),
        values=values,
        kinds=np.array([KINDS.index(one.kind) for one in given], dtype=np.int64),
        years=np.array([looks_like_year(one) for one in given], dtype=np.bool_),
        words=np.array([in_words(one) for one in given], dtype=np.bool_),
        dateline=np.array([one.start < article.dateline for one in given], dtype=np.bool_),
        sentences=sentences,
        starts=np.array([one.start / length for one in given], dtype=np.float64),
        units=np.array([units.index(one.unit) for one in given], dtype=np.int64),
        counted=np.array([things.index(one.counted) if one.counted else -1 for one in given], dtype=np.int64),
        approximations=np.array([APPROXIMATIONS.index(one.approximation) for one in given], dtype=np.int64),
        bounds=np.array([one.bound.value != "none" for one in given], dtype=np.bool_),
        standing=same.sum(axis=1),
        same=same,
        reached=_reached(article),
        behind=np.maximum(sentences - lead, 0).astype(np.float64),
    )


def as_float(value: Fraction) -> float:
    """The number in float64, infinite where it is beyond."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _reached(article: ReadArticle) -> float:
    values = pairs_of(article).values
    small = values[: np.searchsorted(values, REACH, side="right")]
    whole = small[small == np.floor(small)]
    return int((np.diff(whole, prepend=0.0) > 0).sum()) / REACH


NAMES: Final = (
    "kind",
    "any_kind",
    "unit",
    "factor",
    "counted",
    "near_counted",
    "approximation",
    "approximate_place",
    "approximate_source",
    "percent_clash",
    "money_clash",
    "year_clash",
    "age_clash",
    "sign_for_sign",
    "distance",
)


def agreements(
    question: NumeralQuestion, used: Used, candidates: Sequence[DerivationCandidate]
) -> FloatArray:
    """How the sources of m candidates fit the place, float64 [m, f] in the order of `NAMES`."""
    table = table_of(question.article)
    if not table.values.size:
        return np.zeros((len(candidates), len(NAMES)))
    given = question.article.numerals
    place = slot_of(question)
    head = question.numeral or asked_of(question)
    kind = table.kinds == KINDS.index(head.kind)
    factors = np.array([float(one.factor == place.factor) for one in given])
    things = np.array([agreement(head.counted, one.counted) for one in given])
    near = np.array([agreement(place.after, one.counted) for one in given])
    exact = APPROXIMATIONS.index(head.approximation)
    percent, money, age = (
        (table.kinds == KINDS.index(one)) != (head.kind is one)
        for one in (NumeralKind.PERCENT, NumeralKind.MONEY, NumeralKind.AGE)
    )
    years = table.years != (head.kind is NumeralKind.YEAR)
    texts = [one.answer if question.numeral is None else question.numeral.number for one in candidates]
    signs = [
        bool(one.sources) and given[one.sources[0]].number == text
        for one, text in zip(candidates, texts, strict=True)
    ]
    return np.column_stack(
        [
            used.mean(kind),
            used.mean(kind) > 0,
            used.mean(np.array([one.unit == head.unit for one in given])),
            used.mean(factors),
            used.mean(things),
            used.mean(near),
            used.mean(table.approximations == exact),
            np.full(len(candidates), float(exact > 0)),
            used.mean(table.approximations > 0),
            used.mean(percent),
            used.mean(money),
            used.mean(years),
            used.mean(age),
            signs,
            _distance(table, used, candidates, float(place.factor)),
        ]
    )


def agreement(one: str, other: str) -> float:
    """How far two counted things are one: 1 for the same word, 0.5 for the same beginning, -1 for others.

    0 where one of them is not known.
    """
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    return 0.5 if len(one) > 3 and one[:4] == other[:4] else -1.0


def _distance(
    table: ArticleTable, used: Used, candidates: Sequence[DerivationCandidate], factor: float
) -> FloatArray:
    first = used.rows[:, 0]
    values = np.array([as_float(one.value) for one in candidates])
    with np.errstate(divide="ignore", invalid="ignore"):
        bare = np.abs(np.log(np.abs(table.amounts[first] / values)))
        whole = np.abs(np.log(np.abs(table.values[first] / (values * factor))))
    return np.asarray(np.where(used.counts > 0, np.fmin(np.fmin(bare, whole), 20.0), 20.0))
