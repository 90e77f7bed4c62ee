"""Which item a person is asked next: the one of whose label their answer is expected to tell most."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.people.gold import posterior

ENOUGH: Final = 0.99
"""Probability of a label from which on its item is not asked any more."""
FEWEST: Final = 2  # answers without which no item is settled: nobody decides alone


def information(labels: FloatArray, confusion: FloatArray) -> FloatArray:
    """Bits that one person's answer is expected to tell of each item's label, float64 [n].

    It is the mutual information of label and answer: `labels` are the probabilities, float64 [n, answers],
    `confusion` what the person answers where each is right, float64 [right, answered].
    """
    from scipy.special import entr

    answered = labels @ confusion
    unsure = labels @ entr(confusion).sum(axis=1)
    return np.asarray((entr(answered).sum(axis=1) - unsure) / np.log(2))


def telling(codes: IntArray, answers: int, person: int) -> list[int]:
    """The items that a person should be asked, what their answer tells most of first.

    `codes` are the answers so far, int64 [n, m], -1 for none. Items that the person answered are left out, as
    are those that at least `FEWEST` people answered and of which one answer is likely `ENOUGH`.
    """
    fit = posterior(codes, answers)
    told = information(fit.labels, fit.confusions[person])
    settled = (fit.labels.max(axis=1) >= ENOUGH) & ((codes >= 0).sum(axis=1) >= FEWEST)
    order = np.argsort(-told, kind="stable").tolist()
    left = (codes[:, person] < 0) & ~settled
    return [row for row in order if left[row]]
