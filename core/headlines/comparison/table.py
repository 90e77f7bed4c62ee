"""Systems by columns: values with intervals, the best of each column, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.headlines.comparison.comparison import Comparison, Place
from core.statistics.bootstrap import interval
from core.statistics.few_units import interval_over
from core.statistics.paired import holm, paired_bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One system in one column.

    Attributes:
        value: None where undefined.
        reason: Why it is None; "" otherwise.
        low: Lower end of the 95 % interval; None where there is none.
        high: Upper end.
        headlines: How many headlines have a value.
        best: No other system is better in this column.
        p: Against `Table.against`, two-sided paired bootstrap, corrected by Holm for all systems of the
            column; None where there is nothing to test.
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
    """

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    headlines: int = 0
    best: bool = False
    p: float | None = None
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table.

    Attributes:
        systems: One a row.
        places: One a column.
        entries: By row and column.
        empty: How many headlines of each system are empty.
        articles: How many there are.
        against: System that the others are tested against; "" for none.
    """

    systems: tuple[str, ...]
    places: tuple[Place, ...]
    entries: tuple[tuple[Entry, ...], ...]
    empty: tuple[int, ...]
    articles: int
    against: str = ""


def table(comparison: Comparison, *, against: str = "") -> Table:
    """The table of a comparison; quick, because all resamples are there.

    Args:
        comparison: The comparison.
        against: System that every other is tested against, column by column; "" for no test.

    Raises:
        UnknownNameError: No system is called so.
    """
    rival = comparison.system(against) if against else None
    columns = [_column(comparison, place, rival) for place in comparison.places]
    return Table(
        systems=comparison.systems,
        places=comparison.places,
        entries=tuple(tuple(column[row] for column in columns) for row in range(len(comparison.outputs))),
        empty=tuple(sum(not headline.strip() for headline in one.headlines) for one in comparison.outputs),
        articles=len(comparison.articles),
        against=against,
    )


def _column(comparison: Comparison, place: Place, rival: int | None) -> list[Entry]:
    one = comparison.measured[place.metric]
    values, drawn = one.values[:, place.at], one.resampled[:, :, place.at]
    defined = (~np.isnan(one.scores[:, :, place.at])).sum(axis=1)
    best = _best(values, place.column.higher_is_better)
    units, name = int(comparison.units.max()) + 1, comparison.resampled_units
    corrected: list[float | None] = [None] * len(values)
    if rival is not None:
        gaps = [float(value - values[rival]) for value in values]
        corrected = holm(
            [
                None
                if row == rival or np.isnan(gap)
                else paired_bootstrap(drawn[:, row], drawn[:, rival], gap, count=units, units=name).p
                for row, gap in enumerate(gaps)
            ]
        )
    entries = []
    for row, value in enumerate(values.tolist()):
        if np.isnan(value):
            entries.append(Entry(value=None, reason=comparison.why_undefined(place)))
            continue
        (low, high), warning = interval_over(interval(drawn[:, row]), units, name)
        entries.append(
            Entry(
                value=value,
                low=low,
                high=high,
                headlines=int(defined[row]),
                best=best is not None and value == best,
                p=corrected[row],
                warning=warning,
            )
        )
    return entries


def _best(values: np.ndarray[tuple[int], np.dtype[np.float64]], higher: bool | None) -> float | None:
    """The best value; None where no value is better than another, or there is only one."""
    if higher is None or int((~np.isnan(values)).sum()) < 2:
        return None
    return float(np.nanmax(values) if higher else np.nanmin(values))
