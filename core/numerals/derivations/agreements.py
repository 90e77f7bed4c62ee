"""Whether the numerals that a candidate uses fit the place it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.numerals.derivations.article_table import APPROXIMATIONS, ArticleTable, as_float, table_of
from core.numerals.derivations.candidate import DerivationCandidate, Used
from core.numerals.derivations.operands import KINDS, FloatArray
from core.numerals.derivations.slots import asked_of, slot_of
from core.numerals.question import NumeralQuestion
from core.text.numerals.numeral import NumeralKind

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
