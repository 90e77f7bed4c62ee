"""Fits sums of features whose weights have known signs."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from core.arrays import BoolArray, Float32Array, FloatArray
from core.pairs.features.additive import Additive

PENALTY: Final = 1e-3
"""Ridge penalty on weights of standardised features, against a log loss in which positives weigh a half."""


def fit_additive(
    signs: Mapping[str, int],
    values: Float32Array,
    labels: BoolArray,
    weights: FloatArray,
    offsets: FloatArray,
) -> Additive:
    """Weights of the greatest penalised likelihood, a convex problem with bounds.

    `signs` are 1 for features that only raise the odds, -1 for those that only lower them, else 0. Of m rows:
    values [m, f], whether of one event [m], what each counts [m], and log odds that are added to its sum [m].
    """
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: FloatArray) -> tuple[float, FloatArray]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        free = point[1:]
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(free @ free)
        slope = errors.astype(np.float32) @ rows + 2 * PENALTY * free
        return value, np.concatenate([[errors.sum()], slope])

    either = {1: (0, None), -1: (None, 0), 0: (None, None)}
    bounds = [either[0], *(either[sign] for sign in signs.values())]
    start, options = np.zeros(len(names) + 1), {"maxiter": 2_000, "ftol": 1e-14, "gtol": 1e-8}
    fitted = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    scaled = (fitted.x[1:] / spread).tolist()
    usual = dict(zip(names, mean.tolist(), strict=True))
    return Additive(dict(zip(names, scaled, strict=True)), usual, float(fitted.x[0]))
