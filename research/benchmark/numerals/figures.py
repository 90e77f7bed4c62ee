"""Shares, areas under the ROC curve and paired tests, with intervals that resample articles."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.errors import InputError
from core.statistics.bootstrap import Figure, bootstrap_sums, draws, unit_sums

RESAMPLES: Final = 1000


def share(right: BoolArray, articles: IntArray, *, resamples: int = RESAMPLES, seed: int = 0) -> Figure:
    """The share of rows that are right, with its 95 % percentile interval over articles.

    Args:
        right: bool [m]; undefined without rows.
        articles: The article of each row, int64 [m], any numbers.
        resamples: How often articles are drawn.
        seed: Of the draws.
    """
    if not len(right):
        return Figure(None, "there are no such rows")
    value = float(right.mean())
    units = np.unique(articles, return_inverse=True)[1].astype(np.int64)
    count = int(units.max()) + 1

    def drawn() -> FloatArray:
        statistics = np.stack([right.astype(np.float64), np.ones(len(right))], axis=1)
        sums = bootstrap_sums(unit_sums(statistics, units), resamples=resamples, seed=seed)
        return np.asarray(sums[:, 0] / sums[:, 1])

    return Figure.resampled(value, drawn, units=count, unit="articles", count=len(right))


def auc(
    higher: FloatArray,
    lower: FloatArray,
    articles_higher: IntArray,
    articles_lower: IntArray,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """How often a score of the first kind lies above one of the second, a tie counting half.

    The area under the ROC curve (Hanley and McNeil, 1982). The interval is a percentile bootstrap over
    articles: a pair of scores weighs as often as the one's article was drawn times the other's.

    Args:
        higher: Scores that ought to be higher, float64 [m]; undefined without any.
        lower: Scores that ought to be lower, float64 [n]; undefined without any.
        articles_higher: The article of each of the first, int64 [m].
        articles_lower: The article of each of the second, int64 [n].
        resamples: How often articles are drawn.
        seed: Of the draws.

    Raises:
        InputError: A score is not a number.
    """
    if not len(higher) or not len(lower):
        return Figure(None, "there are no such rows")
    scores = np.concatenate([higher, lower])
    if np.isnan(scores).any():
        raise InputError(
            "A support is not a number.", hint="Run the check again; this is a fault of the judge."
        )
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(scores[order]) > 0])
    first = np.r_[np.ones(len(higher)), np.zeros(len(lower))][order]
    units = np.unique(np.concatenate([articles_higher, articles_lower]), return_inverse=True)[1][order]
    value = float(_areas(np.ones((1, len(scores))), first, starts)[0])
    count = int(units.max()) + 1

    def drawn() -> FloatArray:
        blocks = draws(count, resamples=resamples, seed=seed, cells=len(scores))
        found = [_areas(block[:, units].astype(np.float64), first, starts) for block in blocks]
        return np.concatenate(found)

    return Figure.resampled(value, drawn, units=count, unit="articles", count=len(scores))


def mcnemar(one: BoolArray, other: BoolArray) -> float | None:
    """Two-sided exact p-value of no difference of two systems on the same rows; None where none differs.

    Source: McNemar (1947), with the binomial in place of its approximation.
    """
    from scipy.stats import binomtest

    wins, losses = int((one & ~other).sum()), int((other & ~one).sum())
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else None


def _areas(weights: FloatArray, first: FloatArray, starts: IntArray) -> FloatArray:
    above = np.add.reduceat(weights * first, starts, axis=1)
    below = np.add.reduceat(weights * (1 - first), starts, axis=1)
    beaten = np.cumsum(below, axis=1) - below / 2
    with np.errstate(invalid="ignore"):
        return np.asarray((above * beaten).sum(axis=1) / (above.sum(axis=1) * below.sum(axis=1)))
