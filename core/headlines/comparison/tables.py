"""The table of a comparison as text, CSV and LaTeX."""

from __future__ import annotations

from core.data.timelines.raw import listing
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import SCALE_NOTE, ComparisonTable, in_order, shown_column
from core.results import render
from core.results.forms import STARS, footnotes
from core.results.table import WARNED, Row, Table, TableColumn
from core.results.text import comment
from core.statistics.few_units import ENOUGH


def as_text(comparison: Comparison, found: ComparisonTable) -> str:
    """The table for a terminal, one line a column of a metric; systems stand side by side."""
    return render.as_text(as_table(comparison, found, title=""), turned=True)


def as_csv(comparison: Comparison, found: ComparisonTable) -> str:
    """One line a system, as stored (not times 100): value, ends of its interval, p and headlines a column.

    The signature, at the end of every line, is that of the whole comparison.
    """
    parts = (*WARNED, ("{}_headlines", "count"), *((("{}_p_holm", "p"),) if found.against else ()))
    columns = (shown_column(place.column, place.key, parts) for place in found.places)
    about = zip(found.systems, comparison.outputs, found.empty, found.entries, strict=True)
    rows: list[Row] = [
        (system, one.source, found.articles, empty, *entries, comparison.signature)
        for system, one, empty, entries in about
    ]
    names = map(TableColumn, ("system", "source", "articles", "empty"))
    return render.as_csv(Table(columns=(*names, *columns, TableColumn("signature")), rows=tuple(rows)))


def as_latex(comparison: Comparison, found: ComparisonTable) -> str:
    r"""The table for a paper, in booktabs form: intervals below the values, the best in bold, marks.

    Columns without any value are left out and told in a comment.
    """
    return f"{render.as_latex(as_table(comparison, found))}{comment(comparison.signature)}\n"


def notes(comparison: Comparison, found: ComparisonTable) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    told = [
        f"{found.articles:,} articles, language {comparison.language}. {SCALE_NOTE} "
        f"Brackets: 95 % intervals, {comparison.resamples:,} bootstrap resamples of "
        f"{comparison.resampled_units}, seed {comparison.seed}."
    ]
    if any(entry.p is not None for row in found.entries for entry in row):
        levels = ", ".join(f"{sign} below {level:g}" for level, sign in reversed(STARS))
        count = len(found.systems) - 1
        told.append(
            f"Marks: differs from {found.against} (corrected p {levels}; paired bootstrap, Holm over "
            f"{count:,} comparison{'s' * (count != 1)} in each metric)."
        )
    elif found.against:
        told.append(
            f"Nothing is tested against {found.against}: that takes at least {ENOUGH} "
            f"{comparison.resampled_units}."
        )
    unused = {one.source: one.unused for one in comparison.outputs if one.unused}
    told += [f"{source}: not used: {listing(columns)}." for source, columns in unused.items()]
    told += [
        f"{system}: {one.marked_note}"
        for system, one in zip(found.systems, comparison.outputs, strict=True)
        if one.marked_note
    ]
    told += footnotes(entry.warning for row in found.entries for entry in row)
    told += [
        f"{system}: {count:,} of {found.articles:,} headlines are empty."
        for system, count in zip(found.systems, found.empty, strict=True)
        if count
    ]
    return told + _missing(found)


def as_table(comparison: Comparison, found: ComparisonTable, *, title: str = "System") -> Table:
    """The columns that have a value, as `in_order` has them."""
    shown = [found.places.index(place) for place in in_order(comparison)]
    return Table(
        columns=(TableColumn(title), *(shown_column(found.places[at].column) for at in shown)),
        rows=tuple(
            (system, *(row[at] for at in shown))
            for system, row in zip(found.systems, found.entries, strict=True)
        ),
        notes=tuple(notes(comparison, found)),
    )


def _missing(found: ComparisonTable) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for at in sorted(set(range(len(found.places))) - set(found.measured())):
        reasons.setdefault(found.entries[0][at].reason, []).append(found.places[at].column.label)
    return [f"No {', '.join(labels)}: {reason}" for reason, labels in reasons.items()]
