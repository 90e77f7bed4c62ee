"""Candidates as derivations, likeliest first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.numerals.derivations.candidate import Candidate
from core.numerals.provenance import MOST_DERIVATIONS, Derivation
from core.numerals.shares import shares_of


def ranked(
    candidates: Sequence[Candidate], scores: npt.NDArray[np.float64], probability: float
) -> tuple[Derivation, ...]:
    """The likeliest `MOST_DERIVATIONS` ways; a probability is divided among all by a softmax.

    Args:
        candidates: m ways to one number; () where there is none.
        scores: Their sums of trees, float64 [m].
        probability: Of the number.
    """
    shares = shares_of(scores) * probability
    order = np.argsort(-scores, kind="stable")[:MOST_DERIVATIONS]
    return tuple(Derivation(candidates[row], float(shares[row])) for row in order.tolist())
