"""Logistic regression whose weights may not have the wrong sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.pairs.features.additive import Additive

PENALTY: Final = 1e-3
"""Ridge penalty on the weights of standardised features, against a mean log loss."""

_STEPS: Final = 2_000


def fit_additive(
    names: Sequence[str],
    signs: Mapping[str, int],
    values: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
) -> Additive:
    """Weights of the greatest penalised likelihood.

    The problem is convex with bounds, so the result does not depend on where the search starts.

    Args:
        names: Of the f features.
        signs: 1 where a feature may only raise the odds, -1 where it may only lower them, else 0.
        values: float32 [m, f].
        labels: Same event, bool [m].
        weights: What each row counts, float64 [m], above 0 in sum.
    """
    from scipy.optimize import minimize

    share = weights / weights.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2) + 1e-6
    rows = (values - mean) / spread

    def loss(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        odds = rows @ point[1:] + point[0]
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(
            point[1:] @ point[1:]
        )
        return value, np.concatenate([[errors.sum()], errors @ rows + 2 * PENALTY * point[1:]])

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
