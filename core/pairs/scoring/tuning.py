"""What "+ Time" needs to know of labelled pairs: how fast a score should fade with the days between."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.pairs.fading import time_factor
from core.pairs.metrics.scores import best_f1

TAUS: tuple[float, ...] = tuple(float(tau) for tau in np.geomspace(0.25, 128.0, 19).round(2))
"""Candidates for tau in days: from fading within the day to hardly at all, each about 1.4 times the last."""


def fit_tau(scores: npt.ArrayLike, days_apart: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """The tau of `TAUS` whose faded scores separate labelled pairs best, by F1 at its own threshold.

    Of equally good ones the slowest fading is taken.

    Args:
        scores: Of training pairs without time, at least 0, [m].
        days_apart: Whole days between the headlines, [m]; NaN where a date is missing: not faded.
        labels: 1 same event, 0 different, [m].

    Raises:
        InputError: All labels are the same, a score is not a number, or the lengths differ.

    Source: HLGD (Laban et al. 2021), section 4: tau and threshold are chosen on training pairs.
    """
    values, apart = np.asarray(scores, dtype=np.float64), np.asarray(days_apart, dtype=np.float64)
    return max(reversed(TAUS), key=lambda tau: best_f1(labels, values * time_factor(apart, tau)))
