"""A logistic curve through labelled numbers."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import InputError

Floats = FloatArray


def logistic(values: npt.NDArray[np.floating]) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(np.asarray(values, dtype=np.float64)))


def fit_logistic(
    values: npt.ArrayLike,
    labels: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    softened: bool = True,
    slopes: tuple[float | None, float | None] = (None, None),
    furthest: float | None = None,
) -> tuple[float, float]:
    """Slope and intercept of P(label is 1) = logistic(intercept + slope * value), by greatest likelihood.

    `softened` draws the labels in by Platt's rule, (N1 + 1) / (N1 + 2) and 1 / (N0 + 2), so that the curve
    stays finite where the two kinds do not overlap; values far out then pull it. `slopes` are the least and
    the greatest slope, and the intercept is no further from 0 than `furthest`.

    Source: Platt (1999), "Probabilistic outputs for support vector machines".
    """
    x, y = np.asarray(values, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    counts = np.ones_like(x) if weights is None else np.asarray(weights, dtype=np.float64)
    if not x.shape == y.shape == counts.shape or not np.isfinite(x).all():
        message = "A curve needs one finite number for each label."
        raise InputError(message, hint="Leave pairs without a score out.")
    if not np.isin(y, (0, 1)).all() or len(np.unique(y[counts > 0])) < 2:
        message = "A curve needs pairs of both kinds, labelled 1 and 0."
        raise InputError(message, hint="Fit it on pairs of both kinds.")
    positive, negative = counts[y == 1].sum(), counts[y == 0].sum()
    drawn_in = np.where(y == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    target, shares = drawn_in if softened else y, counts / counts.sum()

    def loss(point: Floats) -> tuple[float, Floats]:
        z = point[0] * x + point[1]
        gap = shares * (logistic(z) - target)
        return float(shares @ (np.logaddexp(0, z) - target * z)), np.array([gap @ x, gap.sum()])

    from scipy.optimize import minimize

    intercepts = (None, None) if furthest is None else (-furthest, furthest)
    fit = minimize(
        loss,
        np.zeros(2),
        jac=True,
        method="L-BFGS-B",
        bounds=(slopes, intercepts),
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 1000},
    )
    return float(fit.x[0]), float(fit.x[1])
