"""Grows the trees that weigh derivations and answers, and fits the constants beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.data.articles.sets import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.filling import READ, answers_of, is_there, open_reader
from core.numerals.weighing.weights import Constants
from core.runtime import Runtime
from research.runs.growing import TreeTraining, grow
from research.runs.run_folder import RunFolder
from research.training.numerals.corruptions import Exercise


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


def fit_logistic(
    values: FloatArray, right: npt.NDArray[np.bool_], weights: FloatArray
) -> tuple[float, float]:
    """Slope and intercept of a logistic curve by greatest likelihood.

    Source: Platt 1999, "Probabilistic Outputs for Support Vector Machines".
    """
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=1e6).fit(values[:, None], right, sample_weight=weights)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def _groups(exercises: Sequence[Exercise]) -> Any:
    from catboost import Pool

    used = [exercise for exercise in exercises if exercise.right.any() and len(exercise.candidates) > 1]
    return Pool(
        np.concatenate([one.features for one in used]),
        label=np.concatenate([one.right for one in used]),
        group_id=np.repeat(np.arange(len(used)), [len(one.candidates) for one in used]),
    )


TRIED: Final = tuple(k / 20 for k in range(31))
"""Weights of the language model that are tried."""
SHARPNESSES: Final = tuple(k / 20 for k in range(10, 41))
READING: Final = "Reading filled headlines"


def constants_of(
    answers: BoostedTrees, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> Constants:
    sharpness = _sharpness(answers, fillings, blanks)
    read = _language_model(answers, sharpness, fillings, blanks, runtime)
    return Constants(sharpness=sharpness, language_model=read)


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
