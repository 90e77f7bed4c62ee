"""A mean of what people say, from few answers of theirs and many of a model that they correct."""

import math
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.statistics.bootstrap import Figure, interval_over


class Corrected(NamedTuple):
    people: Figure  # the mean of people's answers alone
    corrected: Figure  # with the model's answers on all articles, corrected by people's
    worth: float | None  # articles that people alone would have to answer for as narrow an interval


def corrected_mean(people: FloatArray, model: FloatArray, *, unit: str) -> Corrected:
    """Means with 95 % intervals over other units, from float64 [n] each; NaN where people or model say none.

    People's answers are those of a random part. The weight of the model is what its answers are worth there:
    0 for one that says nothing of people's, and then the mean is theirs alone. Where the model has no answer,
    the mean of its answers stands in, which is as valid as any guess.

    Source: Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient Prediction-Powered Inference".
    """
    asked = ~np.isnan(people)
    said, many = int(asked.sum()), int((~asked).sum())
    guess = np.where(np.isnan(model), np.nanmean(model) if not np.isnan(model).all() else 0.0, model)
    if said < 2:
        none = Figure(None, "people answered too few")
        return Corrected(none, none, None)
    own, its, other = people[asked], guess[asked], guess[~asked]
    spread, alone = float(np.var(guess, ddof=1)), float(np.var(own, ddof=1)) / said
    people_alone = _figure(float(own.mean()), alone, said, unit)
    if many < 2 or spread == 0:
        return Corrected(people_alone, people_alone, said if alone else None)
    weight = float(np.cov(own, its)[0, 1]) / ((1 + said / many) * spread)
    rest = own - weight * its
    both = float(np.var(rest, ddof=1) / said + weight**2 * np.var(other, ddof=1) / many)
    corrected = _figure(float(rest.mean() + weight * other.mean()), both, said, unit)
    return Corrected(people_alone, corrected, said * alone / both if both else None)


def _figure(mean: float, variance: float, count: int, unit: str) -> Figure:
    from scipy.special import stdtrit

    half = float(stdtrit(count - 1, 0.975)) * math.sqrt(variance)
    (low, high), warning = interval_over((mean - half, mean + half), count, unit)
    return Figure(mean, "", low, high, warning, count=count, unit=unit)
