"""Logistic regression whose weights may not have the wrong sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from core.pairs.features.additive import Additive

PENALTY: Final = 1e-3
"""Ridge penalty on the weights of standardised features, against a log loss in which
positives weigh a half."""

_STEPS: Final = 2_000


def fit_additive(
    signs: Mapping[str, int],
    values: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.float64],
) -> Additive:
    """Weights of the greatest penalised likelihood.

    The problem is convex with bounds, so the result does not depend on where the search starts.

    Args:
        signs: By name, in the order of the f features: 1 where one may only raise the odds, -1 where it may
            only lower them, else 0.
        values: float32 [m, f].
        labels: Same event, bool [m].
        weights: What each row counts, float64 [m]; both labels weigh something.
        offsets: Known log odds that are added to the sum of each row, float64 [m].
    """
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(
            point[1:] @ point[1:]
        )
        return value, np.concatenate(
            [[errors.sum()], errors.astype(np.float32) @ rows + 2 * PENALTY * point[1:]]
        )

    bounds = [
        (None, None),
        *((0, None) if signs[n] > 0 else (None, 0) if signs[n] < 0 else (None, None) for n in names),
    ]
    found = minimize(
        loss,
        np.zeros(len(names) + 1),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": _STEPS, "ftol": 1e-14, "gtol": 1e-8},
    )
    scaled = found.x[1:] / spread
    return Additive(
        weights=dict(zip(names, scaled.tolist(), strict=True)),
        usual=dict(zip(names, mean.tolist(), strict=True)),
        bias=float(found.x[0]),
    )
