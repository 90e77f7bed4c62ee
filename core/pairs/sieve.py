"""Similarities of many pairs of vectors: which reach a cosine, and how they fade with the days between."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.models.networks.batches import in_half
from core.pairs.scorer import PairScorer, ScorePart
from core.runtime import Runtime

if TYPE_CHECKING:
    import torch

HALF_ERROR = 2.0**-8 + 2.0**-9 + 2.0**-12
"""Most by which a cosine of unit vectors may differ in bfloat16: each factor is off by at most 2^-9 of
itself, so the sum of products by 2^-8 (Cauchy and Schwarz), the result once more by 2^-9 of itself; the
last term is room for sums in float32 and for squares of these errors."""

SINGLE_ERROR = 1e-5
"""The same in float32: sums of some hundred products in another order."""

_PAIRS_AT_ONCE = 2_048  # their rows stay in the processor's cache: five times as fast as 16,384


class Sieve:
    """Finds the pairs of rows whose cosine reaches a floor."""

    def __init__(self, vectors: Float32Array, runtime: Runtime) -> None:
        import torch

        self._vectors = vectors
        half = in_half(runtime)
        self._error = HALF_ERROR if half else SINGLE_ERROR
        kind = torch.bfloat16 if half else torch.float32
        self._fast = torch.from_numpy(vectors).to(device=runtime.device, dtype=kind)

    def may_reach(self, rows: slice, columns: slice, floor: float) -> tuple[IntArray, IntArray]:
        """The pairs of two ranges of rows that could reach a least cosine: all that do, and a few more."""
        import torch

        with torch.inference_mode():
            products = self._fast[rows] @ self._fast[columns].T
            left, right = _at_least(products, floor - self._error)
        return left + rows.start, right + columns.start

    def reach(self, left: IntArray, right: IntArray, floor: float) -> tuple[IntArray, IntArray, Float32Array]:
        """Those of some pairs that reach a least cosine, and their cosines in float32."""
        cosines = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            cosines[part] = np.einsum("md,md->m", self._vectors[left[part]], self._vectors[right[part]])
        kept = cosines >= np.float32(floor)
        return left[kept], right[kept], cosines[kept]


def _at_least(products: torch.Tensor, least: float) -> tuple[IntArray, IntArray]:
    import torch

    if products.device.type != "cpu":
        left, right = torch.nonzero(products >= least, as_tuple=True)
        return left.cpu().numpy(), right.cpu().numpy()
    places = np.flatnonzero(_mask(products, least))
    width = products.shape[1]
    return places // width, places % width


def _mask(products: torch.Tensor, least: float) -> np.ndarray:
    import torch

    if products.dtype != torch.bfloat16 or least <= 0:
        return np.asarray((products >= least).numpy())
    # Bits of positive bfloat16 numbers are in the order of the numbers, and negative ones are negative
    # as integers, too: numpy compares integers several times as fast.
    bits = int(np.float32(least).view(np.int32)) >> 16
    return products.view(torch.int16).numpy() >= np.int16(bits)


TAU_DAYS: Final = {"help": "days after which a similarity has faded to 37 %", "low": 0.01, "high": 10_000.0}
WINDOW_DAYS: Final = {
    "help": "headlines further apart than this are never compared",
    "low": 0.0,
    "high": 100_000.0,
}
"""What a recipe says of its fields `tau_days` and `window_days`; the defaults are the recipe's."""

TAUS: Final = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Time decays in days that are tried on training pairs; the paper tunes them the same way."""


def time_factor(days_apart: npt.NDArray[np.float64], tau_days: float) -> Float32Array:
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
