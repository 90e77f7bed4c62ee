"""Grows the trees that weigh derivations, support and answers, and fits the constants beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.data.articles.sets import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import comparable, log_odds, single_sources
from core.numerals.filling import READ, answers_of, is_there, open_reader
from core.numerals.question import shares_of
from core.numerals.weighing.weights import Constants, support_features
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
                exercise.attachment,
                exercise.candidates,
                exercise.features,
                ranking.predict(exercise.features) if exercise.candidates else np.zeros(0),
            )
            for exercise in exercises
        ]
    )


def weights_of(exercises: Sequence[Exercise]) -> FloatArray:
    """What each exercise weighs, so that right numbers have the share `RIGHT`, float64 [n], mean 1."""
    right = np.array([exercise.corruption is None for exercise in exercises])
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
    for exercise in exercises:
        rows = single_sources(exercise.candidates)
        if rows and exercise.corruption in (None, Corruption.SWAP):
            odds.append(log_odds(float(shares_of(exercise.attachment.numerals)[rows].sum())))
            right.append(exercise.corruption is None)
    return np.array(odds), np.array(right)


def _groups(exercises: Sequence[Exercise]) -> Any:
    from catboost import Pool

    used = [exercise for exercise in exercises if exercise.right.any() and len(exercise.candidates) > 1]
    return Pool(
        np.concatenate([one.features for one in used]),
        label=np.concatenate([one.right for one in used]),
        group_id=np.repeat(np.arange(len(used)), [len(one.candidates) for one in used]),
    )


def _support_pool(exercises: Sequence[Exercise], ranking: BoostedTrees) -> Any:
    from catboost import Pool

    right = [exercise.corruption is None for exercise in exercises]
    return Pool(support_rows(exercises, ranking), label=right, weight=weights_of(exercises))


FLAGGED: Final = 0.02
"""Share of the validation part's right numbers that may fall below the threshold. The aim is 5 % on articles
that nobody has seen; 535 rows leave an error of more than one point, and the same rows stopped the trees."""
RIVALS_RIGHT: Final = 0.8
"""Share of rivals that must be the reference headline's own number, on validation rows with a wrong digit."""
LEAST_RIVAL: Final = 0.3
TRIED: Final = tuple(k / 20 for k in range(31))
"""Weights of the language model that are tried."""
SHARPNESSES: Final = tuple(k / 20 for k in range(10, 41))
READING: Final = "Reading filled headlines"


def constants_of(
    trees: tuple[BoostedTrees, BoostedTrees, BoostedTrees],
    numbers: Sequence[Exercise],
    fillings: Sequence[Exercise],
    blanks: Blanks,
    runtime: Runtime,
) -> Constants:
    """Constants for trees."""
    derivations, supports, answers = trees
    derivable = [one for one in numbers if one.candidates]
    right = np.array([exercise.corruption is None for exercise in derivable])
    sums = supports.predict(support_rows(derivable, derivations))
    slope, intercept = fit_logistic(sums, right, weights_of(derivable))
    support = 1 / (1 + np.exp(-(slope * sums + intercept)))
    originals = sum(one.corruption is None for one in numbers)
    # Numbers without any derivation have no support whatever the threshold.
    missed = originals - int(right.sum())
    allowed = max(0.0, FLAGGED * originals - missed) / max(int(right.sum()), 1)
    odds, same = same_thing_odds(numbers)
    same_slope, same_intercept = fit_logistic(odds, same, np.ones(len(odds)))
    sharpness = _sharpness(answers, fillings, blanks)
    return Constants(
        slope=slope,
        intercept=intercept,
        threshold=float(np.quantile(support[right], allowed)),
        rival=_rival(numbers),
        same_slope=same_slope,
        same_intercept=same_intercept,
        sharpness=sharpness,
        language_model=_language_model(answers, sharpness, fillings, blanks, runtime),
    )


def _rival(numbers: Sequence[Exercise]) -> float:
    gold = {one.row: set(single_sources(one.candidates)) for one in numbers if one.corruption is None}
    shares, hits = [], []
    for one in numbers:
        if one.corruption is not Corruption.DIGIT or one.candidates or one.question.numeral is None:
            continue
        each = shares_of(one.attachment.numerals)
        numerals = one.question.article.numerals
        rows = [row for row, other in enumerate(numerals) if comparable(one.question.numeral, other)]
        best = max(rows, key=lambda row: each[row], default=None)
        if best is not None:
            shares.append(float(each[best]))
            hits.append(best in gold.get(one.row, set()))
    order = np.argsort(-np.array(shares), kind="stable")
    running = np.cumsum(np.array(hits, dtype=np.float64)[order]) / np.arange(1, len(order) + 1)
    kept = np.flatnonzero(running >= RIVALS_RIGHT)
    least = shares[int(order[kept[-1]])] if len(kept) else 1.0
    return max(least, LEAST_RIVAL)


def _sharpness(trees: BoostedTrees, fillings: Sequence[Exercise], blanks: Blanks) -> float:
    def fit(sharpness: float) -> float:
        shares = [
            answers_of(exercise.candidates, sharpness * trees.predict(exercise.features)).get(
                blanks.answers[exercise.row], 0.0
            )
            for exercise in fillings
            if exercise.candidates
        ]
        return float(np.log(np.maximum(shares, 1e-3)).mean())

    return max(SHARPNESSES, key=fit)


def filled_rightly(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks
) -> float:
    """Share of blanks whose likeliest answer is the right one."""
    right = 0
    for exercise in fillings:
        answers = (
            answers_of(exercise.candidates, sharpness * trees.predict(exercise.features))
            if exercise.candidates
            else {}
        )
        right += max(answers, key=answers.__getitem__, default="") == blanks.answers[exercise.row]
    return right / max(len(fillings), 1)


def _language_model(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> float:
    if not is_there():
        return 0.0
    reader = open_reader(runtime)
    quiet = runtime.quietly()
    read: list[tuple[FloatArray, FloatArray, int]] = []
    for exercise in runtime.track(fillings, READING):
        if not exercise.candidates:
            continue
        answers = answers_of(exercise.candidates, sharpness * trees.predict(exercise.features))
        first = sorted(answers, key=lambda answer: -answers[answer])[:READ]
        texts = [exercise.question.holding(answer) for answer in first]
        likelihoods = reader.read(exercise.question.article.text, texts, quiet)
        gold = blanks.answers[exercise.row]
        place = first.index(gold) if gold in first else -1
        read.append((np.log([max(answers[answer], 1e-12) for answer in first]), likelihoods, place))

    def right(weight: float) -> float:
        # The log-likelihood breaks ties between weights with as many right answers.
        hits, fit = 0, 0.0
        for known, likelihoods, place in read:
            scores = known + weight * likelihoods
            hits += int(scores.argmax()) == place
            if place >= 0:
                fit += float(scores[place] - np.logaddexp.reduce(scores)) / len(read) / 100
        return hits + fit

    return max(TRIED, key=right)
