"""How dates fade the scores of pairs: exp(-|days apart| / tau)."""

from dataclasses import replace
from typing import Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.pairs.scorer import PairScorer, ScorePart

TAU_DAYS: Final = {"help": "days after which a similarity has faded to 37 %", "low": 0.01, "high": 10_000.0}
_APART: Final = "headlines further apart than this are never compared"
WINDOW_DAYS: Final = {"help": _APART, "low": 0.0, "high": 100_000.0}

TAUS: Final = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Time decays in days that are tried on training pairs; the paper tunes them the same way."""


def time_factor(days_apart: FloatArray, tau_days: float) -> Float32Array:
    """What a distance in time leaves of a similarity: exp(-|days| / tau)."""
    factor = np.abs(days_apart).astype(np.float32)
    factor /= np.float32(-tau_days)
    np.exp(factor, out=factor)
    return np.fmin(factor, np.float32(1.0), out=factor)  # takes the 1 beside a NaN


def time_part(days_apart: float, tau_days: float) -> ScorePart:
    """The time factor of one pair, in words; days_apart may be NaN."""
    factor = float(time_factor(np.array([days_apart]), tau_days)[0])
    if np.isnan(days_apart):
        return ScorePart("a date is missing, so time does not count", factor, multiplies=True)
    days = round(abs(days_apart))
    words = "the same day" if days == 0 else f"{days} day{'s' if days > 1 else ''} apart"
    return ScorePart(words, factor, multiplies=True)


def tau_variants(scorer: PairScorer) -> list[PairScorer]:
    """A scorer with the field `tau_days` once with each time decay of `TAUS`."""
    return [replace(scorer, tau_days=tau) for tau in TAUS]  # type: ignore[type-var]
