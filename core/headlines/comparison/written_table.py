"""The table of a comparison as text, CSV and LaTeX, with what its reader must know."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from core.data.timelines.raw import listing
from core.headlines.comparison.anchors import failing_anchors
from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.comparison.comparison import order as order_of
from core.headlines.comparison.duels import duels_of_column
from core.headlines.comparison.table import (
    ComparisonTable,
    differences_from,
    form_of,
    in_order,
    main_place,
    shown_column,
)
from core.results import number_forms, table_files, ties
from core.results import table as tables
from core.statistics.bootstrap import ENOUGH, Figure, holm
from core.text.language import MIXED

SCALE_NOTE: Final = "Values from 0 to 1 are shown times 100."
_GAP: Final = (
    *(("{}_difference", "value"), ("{}_difference_low", "low"), ("{}_difference_high", "high")),
    *(("{}_difference_warning", "warning"), ("{}_p", "p")),
)


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
    said = ties.tie_notes(place.column.label, gaps, form_of(place.column))
    if not said:
        return whole
    letters = ties.tie_letters(ranked, ties.differing(gaps))
    return replace(
        whole,
        columns=(*whole.columns[:2], tables.TableColumn("Ties"), *whole.columns[2:]),
        rows=tuple((*row[:2], letters[at], *row[2:]) for at, row in enumerate(whole.rows)),
        notes=(*said, *whole.notes),
    )


def as_table(comparison: Comparison, table: ComparisonTable, *, title: str = "System") -> tables.Table:
    """The columns that have a value, as `in_order` has them; for files the differences behind them."""
    shown = [table.places.index(place) for place in in_order(comparison)]
    warned, places = tables.WARNED + _holm(table), [table.places[at] for at in shown]
    columns = (
        replace(shown_column(place.column, place.key, warned), marked=_stands_out(comparison, place))
        for place in places
    )
    return tables.Table(
        columns=(tables.TableColumn(title), *columns, *_gap_columns(table, shown)),
        rows=tuple(
            (system, *(row[at] for at in shown), *gaps)
            for system, row, gaps in zip(table.systems, table.entries, _gaps(table, shown), strict=True)
        ),
        notes=tuple(notes(comparison, table)),
    )


def _stands_out(comparison: Comparison, place: ComparisonColumn) -> bool:
    """Whether the best system of a column differs from every other, by Holm, or nothing could be tested."""
    higher = bool(place.column.higher_is_better)
    best = int(order_of(comparison.measured[place.metric].values[:, place.at], descending=higher)[0])
    corrected = holm([figure.p for figure in differences_from(comparison, place, best)])
    return all(p is None or p < ties.LEVEL for p in corrected)


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


def notes(comparison: Comparison, table: ComparisonTable) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    sentences = [
        f"{table.articles:,} articles, language {comparison.language}. {SCALE_NOTE} "
        f"Brackets: 95 % intervals, {comparison.resamples:,} bootstrap resamples of "
        f"{comparison.resampled_units}, seed {comparison.seed}."
    ]
    if comparison.language == MIXED:
        sentences.append("The texts are in several languages, or too short to tell: words are not stemmed.")
    sentences += failing_anchors(comparison)
    if any(entry.p is not None for row in table.entries for entry in row):
        levels = ", ".join(f"{sign} below {level:g}" for level, sign in reversed(number_forms.STARS))
        count = len(table.systems) - 1
        sentences.append(
            f"Marks: differs from {table.against} (corrected p {levels}; paired bootstrap, Holm over "
            f"{count:,} comparison{'s' * (count != 1)} in each metric)."
        )
    elif table.against:
        sentences.append(
            f"Nothing is tested against {table.against}: that takes at least {ENOUGH} "
            f"{comparison.resampled_units}."
        )
    unused = {output.source: output.unused for output in comparison.outputs if output.unused}
    sentences += [f"{source}: not used: {listing(columns)}." for source, columns in unused.items()]
    marked = zip(table.systems, (output.marked_note for output in comparison.outputs), strict=True)
    sentences += [f"{system}: {note}" for system, note in marked if note]
    sentences += number_forms.footnotes(entry.warning for row in table.entries for entry in row)
    empty, of = zip(table.systems, table.empty, strict=True), f"of {table.articles:,} headlines are empty."
    sentences += [f"{system}: {count:,} {of}" for system, count in empty if count]
    return sentences + _missing(table)


def _missing(table: ComparisonTable) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for at in sorted(set(range(len(table.places))) - set(table.measured())):
        reasons.setdefault(table.entries[0][at].reason, []).append(table.places[at].column.label)
    return [f"Not measured: {'; '.join(labels)}. {reason}" for reason, labels in reasons.items()]
