"""Krippendorff's alpha, and its interval: what other items would give, answered by the same people."""

from collections.abc import Sequence, Set
from enum import StrEnum
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.statistics.bootstrap import ENOUGH, TIE, Figure, Interval, few_units

LEVEL: Final = 0.025  # beyond each end of an interval
SKEWNESS: Final = 0.4
"""The part of the skewness of few items that is taken for that of all: with all of it the intervals of few
people cover too much, without it those of many people too little (`python -m benchmarks alpha`)."""


MOST_IN_A_SET: Final = 32


class Scale(StrEnum):
    NOMINAL = "nominal"  # the same or not
    ORDINAL = "ordinal"  # by how many answers lie between them
    INTERVAL = "interval"  # by their difference, squared
    SETS = "sets"  # by the MASI distance of sets, each a number whose bits are what it holds


def alpha_of(
    values: FloatArray,
    scale: Scale,
    *,
    units: IntArray | None = None,
    unit: str = "items",
    interval: bool = True,
) -> Figure:
    """Agreement on items, float64 [n, m], NaN for none: 1 in all, 0 as by chance, below 0 less than that.

    Items with a single answer are left out. The interval, from ten items on, is a jackknife's: what alpha
    would be without each item in turn. Items that hang together, as those of one article do, have one number
    in `units`, int64 [n], and are left out together; `unit` is what these are, in the plural.

    Source: Krippendorff (2018), Content Analysis, chapter 12.
    """
    answered = ~np.isnan(values)
    twice = answered.sum(axis=1) >= 2
    values, answered = values[twice], answered[twice]
    unit_of = np.unique((np.arange(len(twice)) if units is None else units)[twice], return_inverse=True)[1]
    items, count = int(unit_of.max(initial=-1)) + 1, int(answered.sum())
    if not items:
        return Figure(None, "no item has two answers", count=0)
    places, codes = np.unique(values[answered], return_inverse=True)
    if len(places) < 2:
        return Figure(None, "all answers are the same, so chance alone agrees in full", count=count)
    cells = np.nonzero(answered)[0] * len(places) + codes
    counts = np.bincount(cells, minlength=len(values) * len(places)).reshape(-1, len(places))
    alphas = _without_each(counts.astype(np.float64), unit_of, places, scale)
    value = float(alphas[0])
    if not np.isfinite(value):
        return Figure(None, "the answers lie too far apart to be compared", count=count)
    if not interval:
        return Figure(value, count=count)
    if items < ENOUGH:
        return Figure(value, warning=few_units(items, unit), count=count)
    fewest = int(answered.sum(axis=1).min())
    (low, high), warning = _interval(alphas, -1 / (fewest - 1), unit)
    return Figure(value, "", low, high, warning, count=count, unit=unit)


def _without_each(counts: FloatArray, unit_of: IntArray, places: FloatArray, scale: Scale) -> FloatArray:
    units = int(unit_of.max()) + 1
    out = np.zeros((1 + units, counts.shape[1]))
    np.add.at(out, 1 + unit_of, counts)
    left = counts.sum(axis=0) - out
    many, each = left.sum(axis=1), counts.sum(axis=1)
    if scale is Scale.NOMINAL:
        own = (each**2 - (counts**2).sum(axis=1)) / (each - 1)
        expected = many**2 - (left**2).sum(axis=1)
        whole: FloatArray | float = own.sum()
    elif scale is Scale.SETS:
        apart = masi(places)
        own = ((counts @ apart) * counts).sum(axis=1) / (each - 1)
        expected, whole = ((left @ apart) * left).sum(axis=1), own.sum()
    else:
        # Squared distances of the answers, or of their middle ranks among those that are left.
        if scale is Scale.ORDINAL:
            x = (np.cumsum(left, axis=1) - left / 2) / np.maximum(many, 1)[:, None] - 0.5
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                x = np.broadcast_to((places - places.mean()) / (places[-1] - places[0]), left.shape)
        share = counts / np.sqrt(each - 1)[:, None]
        mean = ((counts * (each / (each - 1))[:, None]).sum(axis=0) * x**2).sum(axis=1)
        whole = 2 * (mean - ((x @ (share.T @ share)) * x).sum(axis=1))
        near = x[1 + unit_of]
        own = 2 * (each * (counts * near**2).sum(axis=1) - (counts * near).sum(axis=1) ** 2) / (each - 1)
        expected = 2 * (many * (left * x**2).sum(axis=1) - (left * x).sum(axis=1) ** 2)
    observed = whole - np.bincount(1 + unit_of, weights=own, minlength=1 + units)
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas = 1 - (many - 1) * observed / expected
    return np.where((left > 0).sum(axis=1) > 1, alphas, np.nan)


def set_numbers(sets: Sequence[Set[str]]) -> list[int]:
    """Sets as the numbers whose bits are what they hold."""
    held = sorted(frozenset().union(*sets))
    if len(held) > MOST_IN_A_SET:
        said = f"The sets hold {len(held):,} different answers; at most {MOST_IN_A_SET} are compared."
        raise InputError(said, hint="Check which column holds the answers.")
    return [sum(1 << held.index(each) for each in own) for own in sets]


def masi(sets: FloatArray) -> FloatArray:
    """Distances of sets, float64 [k, k]: 1 less the Jaccard index by how one holds the other.

    Source: Passonneau (2006), Measuring Agreement on Set-Valued Items.
    """
    held = sets.astype(np.int64)[:, None] >> np.arange(MOST_IN_A_SET) & 1
    sizes, shared = held.sum(axis=1), held @ held.T
    either = sizes[:, None] + sizes - shared
    least, equal = np.minimum(sizes[:, None], sizes), np.equal.outer(sets, sets)
    monotone = np.select([equal, shared == 0, shared == least], [1.0, 0.0, 2 / 3], 1 / 3)
    return np.where(equal, 0.0, 1 - monotone * shared / np.maximum(either, 1))


def _interval(alphas: FloatArray, least: float, unit: str) -> tuple[Interval, str]:
    """Student's interval of jackknife pseudo-values, turned by a part of their skewness (Hall 1992)."""
    # Where all agree, as few items as they exclude may be answered as by chance. No alpha of a population is
    # below -1 / (m - 1) for m answers an item.
    from scipy.special import stdtrit

    value, count = alphas[0], len(alphas) - 1
    if value > 1 - TIE:
        return (LEVEL ** (1 / count), 1.0), ""
    if np.isnan(alphas).any():
        return (None, None), f"All answers are the same but for one of {count} {unit}: no interval."
    pseudo = count * value - (count - 1) * alphas[1:]
    middle, spread = pseudo.mean(), pseudo.std()
    if spread < TIE:
        return (None, None), f"All {count} {unit} are answered alike: no interval."
    skew = SKEWNESS * float((((pseudo - middle) / spread) ** 3).mean()) / np.sqrt(count)
    student = stdtrit(count - 1, LEVEL)
    ends = np.array([-student, student])
    if abs(skew) > TIE:
        ends = 3 / skew * (np.cbrt(1 + skew * (ends - skew / 6)) - 1)
    low, high = middle - spread / np.sqrt(count - 1) * ends
    return (float(min(max(low, least), value)), float(max(min(high, 1.0), value))), ""
