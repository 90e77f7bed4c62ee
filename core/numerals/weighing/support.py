"""Features of the support of a number, and its derivations in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.numerals.attachment import Attachment, shares_of
from core.numerals.derivations.candidate import DerivationCandidate
from core.numerals.derivations.features import NAMES
from core.numerals.derivations.operands import FloatArray
from core.numerals.provenance import MOST_DERIVATIONS, Derivation

_ADDED: Final = (
    "best",
    "second",
    "margin",
    "candidates",
    "single_candidates",
    "numerals",
    "mass",
    "single_mass",
    "rival_share",
    "entropy",
    "rank",
)
SUPPORT_NAMES: Final = (*NAMES, *_ADDED)
NOTHING: Final = -20.0
"""Stands for a score where there is no candidate: below all that occur."""
SINGLE: Final = frozenset({"copy", "trans", "paraphrase", "round"})
"""Ways with one numeral of the article."""


def support_features(
    attachment: Attachment,
    candidates: Sequence[DerivationCandidate],
    features: FloatArray,
    ranks: FloatArray,
) -> FloatArray:
    """Numbers on one place, float64 [len(SUPPORT_NAMES)].

    Args:
        attachment: What belongs at the place.
        candidates: Derivations of the number that stands there, m of them, 0 allowed.
        features: Their features, float64 [m, f].
        ranks: Sums of the trees that rank them, float64 [m].
    """
    shares = shares_of(attachment.numerals)
    n = len(shares)
    added = dict.fromkeys(_ADDED, 0.0)
    added |= {"numerals": float(n), "candidates": float(len(candidates))}
    added["entropy"] = float(-(shares * np.log(shares + 1e-12)).sum()) if n else 0.0
    if not candidates:
        added |= {"best": NOTHING, "second": NOTHING, "mass": 0.0, "rank": float(n)}
        added["rival_share"] = float(shares.max(initial=0.0))
        top = np.zeros(len(NAMES))
    else:
        order = np.argsort(-ranks, kind="stable")
        top = features[order[0]]
        single = sorted({row for one in candidates if one.way in SINGLE for row in one.sources})
        used = np.array(single, dtype=np.int64)
        others = np.delete(shares, used)
        added["best"] = float(ranks[order[0]])
        added["second"] = float(ranks[order[1]]) if len(order) > 1 else NOTHING
        added["margin"] = added["best"] - added["second"]
        added["single_candidates"] = float(sum(one.way in SINGLE for one in candidates))
        added["mass"] = float(shares[list(candidates[order[0]].sources)].sum())
        added["single_mass"] = float(shares[used].sum())
        added["rival_share"] = float(others.max(initial=0.0))
        added["rank"] = float((shares > shares[used].max(initial=0.0)).sum())
    return np.concatenate([top, [added[name] for name in _ADDED]])


def ranked(
    candidates: Sequence[DerivationCandidate], scores: npt.NDArray[np.float64], probability: float
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
