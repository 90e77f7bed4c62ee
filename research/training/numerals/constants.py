"""Fits the constants of a numeral model on validation rows: calibration, thresholds, the language model's
weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.blanks import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import comparable, single_sources
from core.numerals.filling import READ, answers_of, is_there, open_reader
from core.numerals.question import shares_of
from core.numerals.weighing.weights import Constants
from core.runtime import Runtime
from research.training.numerals.corruptions import Corruption, Exercise
from research.training.numerals.tree_training import (
    fit_logistic,
    same_thing_odds,
    support_rows,
    weights_of,
)

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
    right = np.array([one.corruption is None for one in derivable])
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
            answers_of(one.candidates, sharpness * trees.predict(one.features)).get(
                blanks.answers[one.row], 0.0
            )
            for one in fillings
            if one.candidates
        ]
        return float(np.log(np.maximum(shares, 1e-3)).mean())

    return max(SHARPNESSES, key=fit)


def filled_rightly(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks
) -> float:
    """Share of blanks whose likeliest answer is the right one."""
    right = 0
    for one in fillings:
        answers = (
            answers_of(one.candidates, sharpness * trees.predict(one.features)) if one.candidates else {}
        )
        right += max(answers, key=answers.__getitem__, default="") == blanks.answers[one.row]
    return right / max(len(fillings), 1)


def _language_model(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> float:
    if not is_there():
        return 0.0
    reader = open_reader(runtime)
    quiet = runtime.quietly()
    read: list[tuple[FloatArray, FloatArray, int]] = []
    for one in runtime.track(fillings, READING):
        if not one.candidates:
            continue
        answers = answers_of(one.candidates, sharpness * trees.predict(one.features))
        first = sorted(answers, key=lambda answer: -answers[answer])[:READ]
        texts = [one.question.holding(answer) for answer in first]
        likelihoods = reader.read(one.question.article.text, texts, quiet)
        gold = blanks.answers[one.row]
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
