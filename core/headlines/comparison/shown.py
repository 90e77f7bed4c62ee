"""How values of headline metrics are written for people."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from core.headlines.comparison.comparison import Comparison, Place
from core.headlines.comparison.table import Entry
from core.headlines.metrics.metric import Column
from core.results.forms import marked

NOTHING: Final = "–"
SCALE_NOTE: Final = "Values from 0 to 1 are shown times 100."
MARKS: Final = ((0.01, "**"), (0.05, "*"))
"""Marks of corrected p-values below a level."""


def number(column: Column, value: float | None) -> str:
    """A value of a column: times 100 where the column goes from 0 to 1; a dash where there is none."""
    if value is None:
        return NOTHING
    return f"{100 * value:.2f}" if column.high == 1 else f"{value:.2f}"


def spanned(column: Column, entry: Entry) -> str:
    """A value with its interval."""
    value = number(column, entry.value)
    if entry.value is None:
        return value
    if entry.low is None or entry.high is None:
        return marked(value, entry.warning)
    return marked(f"{value} [{number(column, entry.low)}, {number(column, entry.high)}]", entry.warning)


def chance(p: float | None) -> str:
    """A p-value; a dash where there is none."""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def mark(p: float | None) -> str:
    """Stars of a corrected p-value; "" from 0.05."""
    return next((sign for level, sign in MARKS if p is not None and p < level), "")


def main_place(comparison: Comparison) -> Place | None:
    """The column that systems are ranked by: a mean of ROUGE, else the first with a better end.

    None where no column with a better end has a value.
    """
    able = [
        place
        for place in comparison.places
        if place.column.higher_is_better is not None and not comparison.measured[place.metric].why_not
    ]
    defined = [place for place in able if not all_missing(comparison, place)]
    return min(defined, key=lambda place: place.column.rank or math.inf, default=None)


def all_missing(comparison: Comparison, place: Place) -> bool:
    """No system has a value in the column."""
    values = comparison.measured[place.metric].values[:, place.at]
    return bool(np.isnan(values).all())
