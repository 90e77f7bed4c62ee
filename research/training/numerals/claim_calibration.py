"""Fits the gates of a claim model on trials whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.numerals.entailing.calibration import WRONG as CLASSES
from core.numerals.entailing.calibration import GateCalibration, Line, least
from research.training.numerals.claim_trials import ORIGINAL, WRONG, ClaimTrial, FloatArray
from research.training.numerals.tree_training import fit_logistic


def calibration_of(trials: Sequence[ClaimTrial], log_probabilities: FloatArray) -> GateCalibration:
    """Lines that make log-odds right where right and wrong headlines are as many.

    Each class is fitted with all right headlines and those that are wrong in its way; the whole with all. All
    kinds of wrong headlines count alike, however many each has. A class without trials, or that is not told
    apart, gets no line.

    Args:
        trials: From `claim_trials`.
        log_probabilities: Of the classes, float64 [n, 7].
    """
    kinds = np.array([trial.kind for trial in trials])
    right = kinds == ORIGINAL
    gates = {}
    for at, one in enumerate(CLASSES):
        mine = np.isin(kinds, [kind for kind, (answer, _) in WRONG.items() if answer is one])
        if mine.any() and right.any():
            against = log_probabilities[:, 0] - log_probabilities[:, at + 1]
            line = _fitted(against, kinds, right | mine)
            if line.slope > 0:  # else it does not tell the class apart
                gates[one] = line
    loose = GateCalibration(gates)
    if not gates:
        return loose
    return GateCalibration(
        gates, _fitted(least(loose.gate_odds(log_probabilities)), kinds, np.full(len(kinds), True))
    )


def _fitted(values: FloatArray, kinds: npt.NDArray[np.str_], chosen: npt.NDArray[np.bool_]) -> Line:
    values, kinds = values[chosen], kinds[chosen]
    right = kinds == ORIGINAL
    weights = np.ones(len(kinds))
    for kind in set(kinds.tolist()) - {ORIGINAL}:
        weights[kinds == kind] /= (kinds == kind).sum()
    weights[~right] *= right.sum() / weights[~right].sum()
    return Line(*fit_logistic(values, right, weights))
