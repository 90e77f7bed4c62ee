"""Systems by columns as text, CSV and LaTeX: values with intervals, the best, and how sure it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.comparison.comparison import order as order_of
from core.headlines.comparison.duels import difference, duels_of_column
from core.headlines.comparison.table_notes import notes
from core.headlines.metrics import Column
from core.results import table as tables
from core.results import table_files
from core.statistics.bootstrap import Figure, holm

NUMBERS: Final = ("headlines_passing", "numbers_in_article")
"""Keys of the columns that stand first; systems are ranked by the first of them where it was measured."""
_GAP: Final = (
    *(("{}_difference", "value"), ("{}_difference_low", "low"), ("{}_difference_high", "high")),
    *(("{}_difference_warning", "warning"), ("{}_p", "p")),
)


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
        return [
            at
            for at in range(len(self.places))
            if any(figure.value is not None for figure in self.column(at))
        ]

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
        differences = [_differences(comparison, place, rival) for place in comparison.places]
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


def _differences(comparison: Comparison, place: ComparisonColumn, rival: int) -> list[Figure]:
    """The difference of each system from one of them, with its test; nothing for that one itself."""
    return [
        Figure(None) if row == rival else difference(comparison, place, row, rival)
        for row in range(len(comparison.outputs))
    ]


def _stands_out(comparison: Comparison, place: ComparisonColumn) -> bool:
    """Whether the best system of a column differs from every other, by Holm, or nothing could be tested."""
    higher = bool(place.column.higher_is_better)
    best = int(order_of(comparison.measured[place.metric].values[:, place.at], descending=higher)[0])
    corrected = holm([figure.p for figure in _differences(comparison, place, best)])
    return all(p is None or p < tables.LEVEL for p in corrected)


def form_of(column: Column) -> tables.Form:
    """How values of a column are written: times 100 where they go from 0 to 1."""
    return tables.percent(2) if column.high == 1 else tables.decimals(2)


def number(column: Column, value: float | None) -> str:
    return tables.written(value, form_of(column))


def spanned(column: Column, figure: Figure) -> str:
    return tables.spanned(figure, form_of(column))


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


def comparison_as_text(comparison: Comparison, table: ComparisonTable) -> str:
    """The table for a terminal, one line a column of a metric; systems stand side by side."""
    return tables.as_text(as_table(comparison, table, title=""), turned=True)


def as_csv(comparison: Comparison, table: ComparisonTable) -> str:
    """One line a system, as stored (not times 100): values, intervals, differences and their tests."""
    every, parts = range(len(table.places)), (*tables.WARNED, ("{}_headlines", "count"))
    shown = (shown_column(place.column, place.key, parts + _holm(table)) for place in table.places)
    about = zip(table.systems, comparison.outputs, table.empty, table.entries, strict=True)
    rows: list[tables.Row] = [
        (system, outputs.source, table.articles, empty, *entries, *gaps, comparison.signature)
        for (system, outputs, empty, entries), gaps in zip(about, _gaps(table, every), strict=True)
    ]
    names = map(tables.TableColumn, ("system", "source", "articles", "empty"))
    columns = (*names, *shown, *_gap_columns(table, every), tables.TableColumn("signature"))
    return table_files.as_csv(tables.Table(columns=columns, rows=tuple(rows)))


def _holm(table: ComparisonTable) -> tuple[tuple[str, str], ...]:
    return (("{}_p_holm", "p"),) if table.against else ()


def _gap_columns(table: ComparisonTable, shown: Sequence[int]) -> tuple[tables.TableColumn, ...]:
    """For files: how far each system is from the one that all are tested against, in these columns."""
    places = [table.places[at] for at in shown if table.against]
    return tuple(replace(shown_column(place.column, place.key, _GAP), files_only=True) for place in places)


def _gaps(table: ComparisonTable, shown: Sequence[int]) -> list[tuple[Figure, ...]]:
    if not table.against:
        return [()] * len(table.systems)
    return [tuple(row[at] for at in shown) for row in table.differences]


def as_latex(
    comparison: Comparison, table: ComparisonTable, *, columns: int | None = tables.MOST_COLUMNS
) -> str:
    r"""The first columns of the table for a paper, in booktabs form; the signature in a comment."""
    return table_files.as_latex(paper_form(comparison, table), columns=columns)


def paper_form(comparison: Comparison, table: ComparisonTable) -> tables.Table:
    """The column that systems are ranked by first, with letters for those that do not differ in it."""
    whole, place = as_table(comparison, table), main_place(comparison)
    whole = replace(whole, signatures=(("", comparison.signature),))
    if place is None or len(table.systems) < 2:
        return whole
    main = 1 + in_order(comparison).index(place)
    order = [0, main, *(at for at in range(1, len(whole.columns)) if at != main)]
    whole, values = whole.only(*order), comparison.measured[place.metric].values[:, place.at]
    ranked = order_of(values, descending=bool(place.column.higher_is_better)).tolist()
    pairs = combinations(range(len(ranked)), 2)
    duels = duels_of_column(comparison, place.key)
    gaps = {pair: duel.difference for pair, duel in zip(pairs, duels, strict=True)}
    said = tables.tie_notes(place.column.label, gaps, form_of(place.column))
    if not said:
        return whole
    letters = tables.tie_letters(ranked, tables.differing(gaps))
    return replace(
        whole,
        columns=(*whole.columns[:2], tables.TableColumn("Ties"), *whole.columns[2:]),
        rows=tuple((*row[:2], letters[at], *row[2:]) for at, row in enumerate(whole.rows)),
        notes=(*said, *whole.notes),
    )


def as_table(comparison: Comparison, table: ComparisonTable, *, title: str = "System") -> tables.Table:
    """The columns that have a value, as `in_order` has them; for files the differences behind them."""
    shown = [table.places.index(place) for place in in_order(comparison)]
    columns = (
        replace(
            shown_column(table.places[at].column, table.places[at].key, tables.WARNED + _holm(table)),
            marked=_stands_out(comparison, table.places[at]),
        )
        for at in shown
    )
    return tables.Table(
        columns=(tables.TableColumn(title), *columns, *_gap_columns(table, shown)),
        rows=tuple(
            (system, *(row[at] for at in shown), *gaps)
            for system, row, gaps in zip(table.systems, table.entries, _gaps(table, shown), strict=True)
        ),
        notes=tuple(notes(comparison, table)),
    )
