"""Systems by columns: values with intervals, the best of each column, how sure; the papers' figures."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.metrics.metric import Column
from core.results import table as tables
from core.results.table import WARNED, Form, TableColumn, decimals, percent, written
from core.statistics.bootstrap import Figure, holm, paired_bootstrap

PREDICTIONS: Final = Path("numeval2024") / "dev_headlines_two_systems.csv.gz"
"""Headlines of two participants of SemEval-2024 task 7, in the folder of data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    key: str
    paper: str
    table: str
    data: str
    here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    source: str  # key of the table
    system: str  # as the paper calls it
    row: str  # key of the row here; "" where the system has none
    figures: Mapping[str, float]  # by the measure's name, in percent
    note: str = ""  # what else the paper says of it


_TABLES: Final[list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("published.toml").read_text(encoding="utf-8")
)["tables"]
SOURCES: Final = tuple(
    PublishedTable(**{name: one[name] for name in ("key", "paper", "table", "data", "here") if name in one})
    for one in _TABLES
)
PUBLISHED: Final = tuple(
    Published(
        source=table["key"],
        system=one["system"],
        row=one["row"],
        figures=dict(zip(table["measures"], one["values"], strict=True)),
        note=one.get("note", ""),
    )
    for table in _TABLES
    for one in table["systems"]
)


def published_for(row: str) -> list[Published]:
    return [one for one in PUBLISHED if one.row == row]


NUMBERS: Final = ("headlines_passing", "numbers_in_article")
"""Keys of the columns that stand first; systems are ranked by the first of them where it was measured."""
SCALE_NOTE: Final = "Values from 0 to 1 are shown times 100."


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

    def column(self, at: int) -> list[Figure]:
        return [row[at] for row in self.entries]

    def measured(self) -> list[int]:
        """Columns in which any system has a value."""
        return [at for at in range(len(self.places)) if any(one.value is not None for one in self.column(at))]

    def best(self, at: int) -> float | None:
        """The best value of a column; None where no value is better than another, or there is only one."""
        values = [one.value for one in self.column(at) if one.value is not None]
        higher = self.places[at].column.higher_is_better
        if higher is None or len(values) < 2:
            return None
        return max(values) if higher else min(values)


def table(comparison: Comparison, *, against: str = "") -> ComparisonTable:
    """The table of a comparison; quick, because all resamples are there."""
    rival = comparison.system(against) if against else None
    columns = [_column(comparison, place, rival) for place in comparison.places]
    return ComparisonTable(
        systems=comparison.systems,
        places=comparison.places,
        entries=tuple(tuple(column[row] for column in columns) for row in range(len(comparison.outputs))),
        empty=tuple(sum(not headline.strip() for headline in one.headlines) for one in comparison.outputs),
        articles=len(comparison.articles),
        against=against,
    )


def _column(comparison: Comparison, place: ComparisonColumn, rival: int | None) -> list[Figure]:
    one = comparison.measured[place.metric]
    values, drawn = one.values[:, place.at], one.resampled[:, :, place.at]
    defined = (~np.isnan(one.scores[:, :, place.at])).sum(axis=1).tolist()
    units, unit = int(comparison.units.max()) + 1, comparison.resampled_units
    figures = [
        Figure(None, comparison.why_undefined(place))
        if np.isnan(value)
        else Figure.resampled(value, drawn[:, row], units=units, unit=unit, count=defined[row])
        for row, value in enumerate(values.tolist())
    ]
    if rival is None:
        return figures
    gaps = [float(value - values[rival]) for value in values]
    corrected = holm(
        [
            None
            if row == rival or np.isnan(gap)
            else paired_bootstrap(drawn[:, row], drawn[:, rival], gap, count=units, units=unit).p
            for row, gap in enumerate(gaps)
        ]
    )
    return [replace(figure, p=p) for figure, p in zip(figures, corrected, strict=True)]


def form_of(column: Column) -> Form:
    """How values of a column are written: times 100 where they go from 0 to 1."""
    return percent(2) if column.high == 1 else decimals(2)


def number(column: Column, value: float | None) -> str:
    return written(value, form_of(column))


def spanned(column: Column, figure: Figure) -> str:
    return tables.spanned(figure, form_of(column))


def shown_column(column: Column, key: str = "", parts: Sequence[tuple[str, str]] = WARNED) -> TableColumn:
    better = {True: "higher", False: "lower", None: ""}[column.higher_is_better]
    return TableColumn(
        column.label,
        key=key or column.name,
        form=form_of(column),
        better=better,  # type: ignore[arg-type]
        parts=tuple(parts),
    )


def main_place(comparison: Comparison) -> ComparisonColumn | None:
    """The column that ranks systems: headlines without doubt, a mean of ROUGE, or the first with an order.

    None where no column with a better end tells the systems apart.
    """
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
