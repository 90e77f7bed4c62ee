"""What items are by what people answered, and how far each of them can be trusted (Dawid and Skene 1979)."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray

_LEAST: Final = 1e-10  # no probability is below it, as in crowd-kit
_ITERATIONS: Final = 100
_TOLERANCE: Final = 1e-5
TRUST: Final = 4.0
"""Answers that each person is taken to have given as all others do, before their own count: a few answers
make nobody perfect."""
RIGHT: Final = 1.0  # right answers to each label that are taken to have been given, so that people know it
MOST_UNSEEN: Final = 0.9  # of the items of one kind


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    labels: FloatArray  # probability of each answer, float64 [n, answers]
    confusions: FloatArray  # share of what is answered where an answer is right, float64 [m, right, answered]
    accuracy: FloatArray  # expected share of right answers, float64 [m]; NaN for nobody's


def posterior(
    codes: IntArray,
    answers: int,
    *,
    weights: FloatArray | None = None,
    trust: float = TRUST,
    right: float = RIGHT,
    unseen: bool = False,
    start: FloatArray | None = None,
    iterations: int = _ITERATIONS,
    tolerance: float = _TOLERANCE,
) -> Posterior:
    """What n items are by what m people answered, int64 [n, m], -1 for none, by EM; items may have weights.

    Without anything taken for given (`trust` and `right` are 0) it is what crowd-kit finds. Where items to
    which everybody answers 0 are `unseen`, as many are added as the others let expect.

    Source: Dawid and Skene (1979).
    """
    from scipy.sparse import csr_array

    n, m = codes.shape
    weights = np.ones(n) if weights is None else weights
    items, people = np.nonzero(codes >= 0)
    columns = people * answers + codes[items, people]
    given = csr_array((np.ones(len(items)), (items, columns)), shape=(n, m * answers))
    asked = csr_array((np.ones(len(items)), (items, people)), shape=(n, m))
    if start is None:
        counts = given @ np.tile(np.eye(answers), (m, 1)) + _LEAST
        start = counts / counts.sum(axis=1, keepdims=True)
    labels, before, extra = start, -np.inf, np.zeros((n, answers))
    for _ in range(iterations):
        weighted = labels * weights[:, None]
        shares = (weighted + extra).sum(axis=0) + right
        shares = np.maximum(shares / shares.sum(), _LEAST)
        table = (given.T @ weighted).reshape(m, answers, answers).transpose(0, 2, 1)
        if unseen:
            table[:, :, 0] += asked.T @ extra
        alike = table.sum(axis=0) + right * np.eye(answers)
        alike /= np.maximum(alike.sum(axis=1, keepdims=True), _LEAST)
        confusions = np.maximum(table + trust * alike, _LEAST)
        confusions /= confusions.sum(axis=2, keepdims=True)
        logs = given @ np.log(confusions).transpose(0, 2, 1).reshape(m * answers, answers)
        logs += np.log(shares)
        top = logs.max(axis=1, keepdims=True)
        likely = np.exp(logs - top)
        labels = likely / likely.sum(axis=1, keepdims=True)
        now = float(weights @ (top[:, 0] + np.log(likely.sum(axis=1))))
        if unseen:
            none = np.minimum(np.exp(asked @ np.log(confusions[:, :, 0])), MOST_UNSEEN)
            extra = labels * weights[:, None] * none / (1 - none)
            now -= float(weights @ np.log(1 - none @ shares))
        if abs(now - before) < tolerance:
            break
        before = now
    with np.errstate(invalid="ignore"):
        accuracy = np.einsum("mrr->m", table) / table.sum(axis=(1, 2))
    return Posterior(labels, confusions, accuracy)


def information(labels: FloatArray, confusion: FloatArray) -> FloatArray:
    """Bits that a person's answer is expected to tell of each item's label: their mutual information, [n]."""
    # `labels` are the probabilities, float64 [n, answers], `confusion` what the person answers where each is
    # right.
    from scipy.special import entr

    answered = labels @ confusion
    unsure = labels @ entr(confusion).sum(axis=1)
    return np.asarray((entr(answered).sum(axis=1) - unsure) / np.log(2))
