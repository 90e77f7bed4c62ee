"""Systems by columns: values with intervals, the best, and how sure it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.comparison.duels import difference
from core.headlines.metrics import Column
from core.results import number_forms
from core.results import table as tables
from core.statistics.bootstrap import Figure, holm

NUMBERS: Final = ("headlines_passing", "numbers_in_article")
"""Keys of the columns that stand first; systems are ranked by the first of them where it was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonTable:
    systems: tuple[str, ...]  # one a row
    places: tuple[ComparisonColumn, ...]  # one a column
    # by row and column; `count` is of headlines with a value, and `p` is against `against`, corrected by Holm
    # for all systems of the column
    entries: tuple[tuple[Figure, ...], ...]
    empty: tuple[int, ...]  # how many headlines of each system are empty
    articles: int  # how many there are
    against: str = ""  # system that the others are tested against; "" for none
    differences: tuple[tuple[Figure, ...], ...] = ()  # of each entry from `against`; () without one

    def column(self, at: int) -> list[Figure]:
        return [row[at] for row in self.entries]

    def measured(self) -> list[int]:
        """Columns in which any system has a value."""
        columns = [[figure.value for figure in self.column(at)] for at in range(len(self.places))]
        return [at for at, values in enumerate(columns) if any(value is not None for value in values)]

    def best(self, at: int) -> float | None:
        """The best value of a column; None where no value is better than another, or there is only one."""
        values = [figure.value for figure in self.column(at) if figure.value is not None]
        higher = self.places[at].column.higher_is_better
        if higher is None or len(values) < 2:
            return None
        return max(values) if higher else min(values)


def comparison_table(comparison: Comparison, *, against: str = "") -> ComparisonTable:
    """The table of a comparison; quick, because all resamples are there."""
    columns = [_column(comparison, place) for place in comparison.places]
    differences: list[list[Figure]] = []
    if against:
        rival = comparison.system(against)
        differences = [differences_from(comparison, place, rival) for place in comparison.places]
        for at, apart in enumerate(differences):
            corrected = holm([figure.p for figure in apart])
            columns[at] = [replace(fig, p=p) for fig, p in zip(columns[at], corrected, strict=True)]
    return ComparisonTable(
        systems=comparison.systems,
        places=comparison.places,
        entries=tuple(tuple(column[row] for column in columns) for row in range(len(comparison.outputs))),
        empty=tuple(
            sum(not headline.strip() for headline in output.headlines) for output in comparison.outputs
        ),
        articles=len(comparison.articles),
        against=against,
        differences=tuple(zip(*differences, strict=True)),
    )


def _column(comparison: Comparison, place: ComparisonColumn) -> list[Figure]:
    measured = comparison.measured[place.metric]
    values, drawn = measured.values[:, place.at], measured.resampled[:, :, place.at]
    defined = (~np.isnan(measured.scores[:, :, place.at])).sum(axis=1).tolist()
    units, unit = int(comparison.units.max()) + 1, comparison.resampled_units
    return [
        Figure(None, comparison.why_undefined(place))
        if np.isnan(value)
        else Figure.resampled(value, drawn[:, row], units=units, unit=unit, count=defined[row])
        for row, value in enumerate(values.tolist())
    ]


def differences_from(comparison: Comparison, place: ComparisonColumn, rival: int) -> list[Figure]:
    """The difference of each system from one of them, with its test; nothing for that one itself."""
    rows = range(len(comparison.outputs))
    return [Figure(None) if row == rival else difference(comparison, place, row, rival) for row in rows]


def form_of(column: Column) -> number_forms.Form:
    """How values of a column are written: times 100 where they go from 0 to 1."""
    return number_forms.percent(2) if column.high == 1 else number_forms.decimals(2)


def number(column: Column, value: float | None) -> str:
    return number_forms.written(value, form_of(column))


def spanned(column: Column, figure: Figure) -> str:
    return number_forms.spanned(figure, form_of(column))


def shown_column(
    column: Column, key: str = "", parts: Sequence[tuple[str, str]] = tables.WARNED
) -> tables.TableColumn:
    better = {True: "higher", False: "lower", None: ""}[column.higher_is_better]
    return tables.TableColumn(
        column.label,
        key=key or column.name,
        form=form_of(column),
        better=better,  # type: ignore[arg-type]
        parts=tuple(parts),
    )


def main_place(comparison: Comparison) -> ComparisonColumn | None:
    """The column that ranks systems, by `Column.rank`; None where no column with a better end does."""
    able = [place for place in in_order(comparison) if place.column.higher_is_better is not None]
    if len(comparison.systems) > 1:
        able = [place for place in able if _tells_apart(comparison, place)]
    ranks = {place.key: place.column.rank or math.inf for place in able} | {NUMBERS[0]: 0}
    return min(able, key=lambda place: ranks[place.key], default=None)


def in_order(comparison: Comparison) -> list[ComparisonColumn]:
    """The columns with a value: numbers first, those in which all systems are equal last."""
    defined = [place for place in comparison.places if not all_missing(comparison, place)]
    return sorted(defined, key=lambda place: (not _tells_apart(comparison, place), place.key not in NUMBERS))


def all_missing(comparison: Comparison, place: ComparisonColumn) -> bool:
    values = comparison.measured[place.metric].values[:, place.at]
    return bool(np.isnan(values).all())


def _tells_apart(comparison: Comparison, place: ComparisonColumn) -> bool:
    values = comparison.measured[place.metric].values[:, place.at]
    return len(np.unique(values[~np.isnan(values)])) > 1
