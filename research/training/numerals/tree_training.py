"""Grows the trees that weigh derivations, support and answers, and fits the constants beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import log_odds, single_sources
from core.numerals.question import shares_of
from core.numerals.weighing.weights import support_features
from core.runtime import Runtime
from research.runs.growing import TreeTraining, grow
from research.runs.run_folder import RunFolder
from research.training.numerals.corruptions import Corruption, Exercise

RIGHT: Final = 0.7
"""Share of right numbers for which support is calibrated: the numeral accuracy of the paper's best system
(BART, 70.09, NumHG table 4)."""


def grow_ranking(
    learned: Sequence[Exercise],
    watched: Sequence[Exercise],
    how: TreeTraining,
    runtime: Runtime,
    *,
    run: RunFolder | None = None,
) -> BoostedTrees:
    """Trees that rank candidates within a question: the softmax gives right ones the most."""
    return grow("QuerySoftMax", _groups(learned), _groups(watched), how, runtime, run=run)


def grow_support(
    learned: Sequence[Exercise],
    watched: Sequence[Exercise],
    ranking: BoostedTrees,
    how: TreeTraining,
    runtime: Runtime,
    *,
    run: RunFolder | None = None,
) -> BoostedTrees:
    """Trees that tell right numbers from wrong ones; both kinds weigh as `RIGHT` says."""
    pools = [_support_pool(some, ranking) for some in (learned, watched)]
    return grow("Logloss", pools[0], pools[1], how, runtime, run=run)


def support_rows(exercises: Sequence[Exercise], ranking: BoostedTrees) -> FloatArray:
    """Features of `core.numerals.weighing.weights`, float64 [n, g]."""
    return np.array(
        [
            support_features(
                one.attachment,
                one.candidates,
                one.features,
                ranking.predict(one.features) if one.candidates else np.zeros(0),
            )
            for one in exercises
        ]
    )


def weights_of(exercises: Sequence[Exercise]) -> FloatArray:
    """What each exercise weighs, so that right numbers have the share `RIGHT`, float64 [n], mean 1."""
    right = np.array([one.corruption is None for one in exercises])
    share = right.mean()
    return np.asarray(np.where(right, RIGHT / share, (1 - RIGHT) / (1 - share)), dtype=np.float64)


def fit_logistic(
    values: FloatArray, right: npt.NDArray[np.bool_], weights: FloatArray
) -> tuple[float, float]:
    """Slope and intercept of a logistic curve by greatest likelihood.

    Source: Platt 1999, "Probabilistic Outputs for Support Vector Machines".
    """
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=1e6).fit(values[:, None], right, sample_weight=weights)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def same_thing_odds(exercises: Sequence[Exercise]) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Log-odds of the attachment of numbers that stand in the article, and whether they are right.

    Right are reference numbers, wrong are those that were replaced by another of the article.
    """
    odds, right = [], []
    for one in exercises:
        rows = single_sources(one.candidates)
        if rows and one.corruption in (None, Corruption.SWAP):
            odds.append(log_odds(float(shares_of(one.attachment.numerals)[rows].sum())))
            right.append(one.corruption is None)
    return np.array(odds), np.array(right)


def _groups(exercises: Sequence[Exercise]) -> Any:
    from catboost import Pool

    used = [one for one in exercises if one.right.any() and len(one.candidates) > 1]
    return Pool(
        np.concatenate([one.features for one in used]),
        label=np.concatenate([one.right for one in used]),
        group_id=np.repeat(np.arange(len(used)), [len(one.candidates) for one in used]),
    )


def _support_pool(exercises: Sequence[Exercise], ranking: BoostedTrees) -> Any:
    from catboost import Pool

    right = [one.corruption is None for one in exercises]
    return Pool(support_rows(exercises, ranking), label=right, weight=weights_of(exercises))
