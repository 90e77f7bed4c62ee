"""Features by which the derivations of a headline's number are ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations import agreements
from core.numerals.derivations.agreements import ArticleTable, as_float, table_of
from core.numerals.derivations.operands import KINDS, DerivationCandidate, Used, used_by
from core.numerals.derivations.slots import MARKS, WAY_PRIORS, asked_of, marks_of, slot_of
from core.numerals.expressions.parse import Call, Expression, calls_of, depth_of
from core.numerals.operators import OPERATORS, PARAPHRASE, Takes
from core.numerals.question import WAYS, Attachment, NumeralQuestion, shares_of
from core.text.numerals.numeral import Numeral, NumeralKind

_WEIGHED: Final = tuple(one for one in OPERATORS.values() if one.weighed)
_SHAPE: Final = (
    *(f"outer_{one.name.lower()}" for one in _WEIGHED),
    "inner_paraphrase",
    "inner_arithmetic",
    "depth",
    "calls",
    "kept_digits",
)
_ATTACHED: Final = (
    "score",
    "least_score",
    "ahead_of_others",
    "share",
    "share_of_value",
    "rank",
    "way",
    "best_score",
    "entropy",
)
_Column = Callable[[ArticleTable, Used], FloatArray | BoolArray]
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
    "is_count": lambda table, used: used.mean(table.kinds == KINDS.index(NumeralKind.COUNT)),
}
_VALUE: Final = (
    "size",
    "small",
    "whole",
    "zeros",
    "year_value",
    "prior",
    "order",
    "candidates",
    "of_this_value",
    "of_this_answer_share",
    "singles_of_this_value",
    "reached",
)
_PLACE: Final = ("place_letter", *MARKS, "place_date", "place_name", "blank")

_LARGE: Final = 1e6

NAMES: Final[tuple[str, ...]] = (
    *(f"attached_{name}" for name in _ATTACHED),
    *(f"way_{way}" for way in WAYS),
    *_SHAPE,
    *(f"source_{name}" for name in _SOURCES),
    *(f"agree_{name}" for name in agreements.NAMES),
    *(f"value_{name}" for name in _VALUE),
    *_PLACE,
)
"""Names of the columns of `features`, in order."""
ADDED: Final = (
    "best",
    "second",
    "margin",
    "candidates",
    "single_candidates",
    "numerals",
    "mass",
    "single_mass",
    "rival_share",
    "entropy",
    "rank",
)
SUPPORT_NAMES: Final = (*NAMES, *ADDED)
"""Names of what is seen of the derivation of a number; see `core.numerals.weighing.weights`."""


def features(
    question: NumeralQuestion, attachment: Attachment, candidates: Sequence[DerivationCandidate]
) -> FloatArray:
    """Features of each candidate, float64 [m, f] with a column for each of `NAMES`; all finite."""
    if not candidates:
        return np.zeros((0, len(NAMES)))
    table, used = table_of(question.article), used_by(candidates)
    asked = asked_of(question)
    ways = np.array([WAYS.index(one.way) for one in candidates])
    values = np.array([as_float(one.value) for one in candidates])
    columns = (
        _attached(attachment, table, used, ways),
        np.eye(len(WAYS))[ways],
        np.array([_shape_of(one.expression) for one in candidates]),
        _sources(table, used),
        agreements.agreements(question, used, candidates),
        _of_values(attachment, table, used, values, candidates),
        np.tile(_place(question, asked), (len(candidates), 1)),
    )
    joined: FloatArray = np.clip(np.nan_to_num(np.concatenate(columns, axis=1)), -_LARGE, _LARGE)
    return joined


def _attached(attachment: Attachment, table: ArticleTable, used: Used, ways: IntArray) -> FloatArray:
    scores = attachment.numerals
    if not scores.size:
        return np.zeros((len(ways), len(_ATTACHED)))
    shares = shares_of(scores)
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(len(scores))
    mine = np.zeros((len(ways), len(scores)), dtype=np.bool_)
    mine[np.nonzero(used.there)[0], used.rows[used.there]] = True
    others = np.where(mine, -np.inf, scores).max(axis=1)
    least = used.least(scores)
    entropy = -(shares * np.log(shares + 1e-12)).sum()
    return np.column_stack(
        [
            used.mean(scores),
            least,
            np.where(np.isfinite(others), least - others, 0.0),
            used.mean(shares),
            used.mean(table.same @ shares),
            used.mean(ranks),
            attachment.ways[ways],
            np.full(len(ways), scores.max()),
            np.full(len(ways), entropy),
        ]
    )


def _sources(table: ArticleTable, used: Used) -> FloatArray:
    if not table.values.size:
        return np.zeros((len(used.counts), len(_SOURCES)))
    return np.column_stack([column(table, used) for column in _SOURCES.values()])


def _of_values(
    attachment: Attachment,
    table: ArticleTable,
    used: Used,
    values: FloatArray,
    candidates: Sequence[DerivationCandidate],
) -> FloatArray:
    whole = np.isfinite(values) & (values == np.floor(values))
    tens = sum(whole & (np.mod(np.where(whole, values, 1), 10**power) == 0) for power in (1, 2, 3))
    alike = values[:, None] == values
    single = used.counts == 1
    shares = np.zeros(len(values))
    if attachment.numerals.size:
        shares = np.where(single, shares_of(attachment.numerals)[used.rows[:, 0]], 0.0)
    # A numeral speaks once for a value, whatever the ways in which it gives it.
    once = single & (np.tril(alike & (used.rows[:, :1] == used.rows[:, 0]) & single, -1).sum(axis=1) == 0)
    with np.errstate(divide="ignore"):
        size = np.where(values > 0, np.log10(np.maximum(values, 1e-9)), 0.0)
    return np.column_stack(
        [
            size,
            whole & (values >= 1) & (values <= 12),
            whole,
            tens,
            whole & (values >= 1800) & (values <= 2100),
            [WAY_PRIORS[one.way] for one in candidates],
            np.log1p(np.arange(len(values))),
            np.full(len(values), len(values)),
            alike.sum(axis=1),
            alike @ (shares * once),
            (alike & once).sum(axis=1),
            np.full(len(values), table.reached),
        ]
    )


def _place(question: NumeralQuestion, asked: Numeral) -> FloatArray:
    place = slot_of(question)
    kinds = (asked.kind is NumeralKind.DATE, asked.kind is NumeralKind.NAME)
    return np.array(
        [np.log10(float(place.factor)), *marks_of(place), *kinds, question.numeral is None], dtype=np.float64
    )


@lru_cache(maxsize=4096)
def _shape_of(expression: Expression) -> tuple[float, ...]:
    calls = [*calls_of(expression)]
    outer = calls[0].operator if calls else None
    inner = [call.operator for call in calls[1:]]
    return (
        *(float(one is outer) for one in _WEIGHED),
        float(PARAPHRASE in inner),
        float(sum(one.combines for one in inner)),
        float(depth_of(expression)),
        float(len(calls)),
        _digits(calls[0]) if calls else 0.0,
    )


def _digits(call: Call) -> float:
    if Takes.DECIMALS not in call.operator.takes:
        return 0.0
    kept = call.arguments[-1]
    return float(int(kept.text)) if not isinstance(kept, Call) else 0.0
