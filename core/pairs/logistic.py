"""A logistic curve through labelled numbers, as Platt fits it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.errors import InputError

Floats = npt.NDArray[np.float64]


def logistic(values: npt.NDArray[np.floating]) -> Floats:
    """1 / (1 + exp(-values)), without overflow."""
    from scipy.special import expit

    return np.asarray(expit(np.asarray(values, dtype=np.float64)))


def fit_logistic(
    values: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[float, float]:
    """Slope and intercept of P(label is 1) = logistic(intercept + slope * value), by greatest likelihood.

    The labels are drawn in by Platt's rule, (N1 + 1) / (N1 + 2) and 1 / (N0 + 2), so that the curve
    stays finite where the two kinds do not overlap.

    Args:
        values: Finite numbers, [m].
        labels: 1 or 0, [m].
        weights: What each counts, at least 0, [m]; 1 if None.

    Raises:
        InputError: All labels are the same, a value is not finite, or the lengths differ.

    Source: Platt (1999), "Probabilistic outputs for support vector machines"; without weights and on
    many rows it is plain logistic regression.
    """
    x, y = np.asarray(values, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    counts = np.ones_like(x) if weights is None else np.asarray(weights, dtype=np.float64)
    if not x.shape == y.shape == counts.shape or not np.isfinite(x).all():
        raise InputError(
            "A curve needs one finite number for each label.", hint="Leave pairs without a score out."
        )
    if not np.isin(y, (0, 1)).all() or len(np.unique(y[counts > 0])) < 2:
        raise InputError(
            "A curve needs pairs of both kinds, labelled 1 and 0.", hint="Fit it on pairs of both kinds."
        )
    positive, negative = counts[y == 1].sum(), counts[y == 0].sum()
    target = np.where(y == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    return _descend(x, target, counts / counts.sum())


def _descend(x: Floats, target: Floats, weights: Floats) -> tuple[float, float]:
    from scipy.optimize import minimize

    middle, spread = float(weights @ x), float(np.sqrt(weights @ (x - weights @ x) ** 2)) or 1.0
    scaled = (x - middle) / spread

    def loss(point: Floats) -> tuple[float, Floats]:
        z = point[0] * scaled + point[1]
        gap = weights * (logistic(z) - target)
        value = float(weights @ (np.logaddexp(0, z) - target * z))
        return value, np.array([gap @ scaled, gap.sum()])

    slope, intercept = minimize(loss, np.zeros(2), jac=True, method="BFGS", options={"gtol": 1e-9}).x
    return float(slope / spread), float(intercept - slope * middle / spread)
