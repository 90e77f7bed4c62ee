"""The table of a comparison as text, CSV and LaTeX."""

from __future__ import annotations

from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.shown import (
    MARKS,
    SCALE_NOTE,
    mark,
    number,
    spanned,
)
from core.headlines.comparison.table import Entry, Table
from core.results.delimited import delimited
from core.results.forms import footnotes, latex_marked
from core.results.render import aligned
from core.results.text import escape_latex
from core.statistics.few_units import ENOUGH


def as_text(comparison: Comparison, found: Table) -> str:
    """The table for a terminal, one line a column of a metric; systems stand side by side."""
    header = ["", *found.systems]
    body = [
        [place.column.label, *(spanned(place.column, row[at]) + mark(row[at].p) for row in found.entries)]
        for at, place in enumerate(found.places)
        if any(row[at].value is not None for row in found.entries)
    ]
    lines = aligned([header, *body])
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join([*lines, "", *notes(comparison, found)])


def notes(comparison: Comparison, found: Table) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    told = [
        f"{found.articles:,} articles, language {comparison.language}. {SCALE_NOTE} "
        f"Brackets: 95 % intervals, {comparison.resamples:,} bootstrap resamples of "
        f"{comparison.resampled_units}, seed {comparison.seed}."
    ]
    if any(entry.p is not None for row in found.entries for entry in row):
        levels = ", ".join(f"{sign} below {level:g}" for level, sign in reversed(MARKS))
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
    told += footnotes(entry.warning for row in found.entries for entry in row)
    told += [
        f"{system}: {count:,} of {found.articles:,} headlines are empty."
        for system, count in zip(found.systems, found.empty, strict=True)
        if count
    ]
    return told + missing(found)


def missing(found: Table) -> list[str]:
    """Why columns have no value, one line a reason."""
    reasons: dict[str, list[str]] = {}
    for at, place in enumerate(found.places):
        entries = [row[at] for row in found.entries]
        if all(one.value is None for one in entries):
            reasons.setdefault(entries[0].reason, []).append(place.column.label)
    return [f"No {', '.join(labels)}: {reason}" for reason, labels in reasons.items()]


def as_csv(comparison: Comparison, found: Table) -> str:
    """One line a system, as stored (not times 100): value, ends of its interval, p and headlines a column.

    The signature, at the end of every line, is that of the whole comparison.
    """
    lines: list[list[object]] = []
    ends = ("", "_low", "_high", "_warning", "_headlines", *(("_p_holm",) if found.against else ()))
    names = [f"{place.key}{end}" for place in found.places for end in ends]
    lines.append(["system", "source", "articles", "empty", *names, "signature"])
    for row, entries in enumerate(found.entries):
        cells = [_cells(entry, bool(found.against)) for entry in entries]
        lines.append(
            [
                found.systems[row],
                comparison.outputs[row].source,
                found.articles,
                found.empty[row],
                *(text for one in cells for text in one),
                comparison.signature,
            ]
        )
    return delimited(lines)


def _cells(entry: Entry, tested: bool) -> list[str]:
    plain = ["" if one is None else f"{one:.6g}" for one in (entry.value, entry.low, entry.high)]
    return [
        *plain,
        entry.warning,
        str(entry.headlines),
        *(["" if entry.p is None else f"{entry.p:.6g}"] if tested else []),
    ]


def as_latex(comparison: Comparison, found: Table) -> str:
    r"""The table for a paper, in booktabs form: intervals below the values, the best in bold, marks.

    Columns without any value are left out and told in a comment.
    """
    shown = [at for at in range(len(found.places)) if any(row[at].value is not None for row in found.entries)]
    lines = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{l{'r' * len(shown)}}}",
        r"\toprule",
        " & ".join(["System", *(escape_latex(found.places[at].column.label) for at in shown)]) + r" \\",
        r"\midrule",
    ]
    for row, entries in enumerate(found.entries):
        values = [_latex_value(found, entries[at], at) for at in shown]
        spans = [_latex_span(found, entries[at], at) for at in shown]
        lines.append(" & ".join([escape_latex(found.systems[row]), *values]) + r" \\")
        lines.append(" & ".join(["", *spans]) + r" \\[2pt]")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {' '.join(one.split())}" for one in [*notes(comparison, found), comparison.signature]]
    return "\n".join(lines) + "\n"


def _latex_value(found: Table, entry: Entry, at: int) -> str:
    value = escape_latex(number(found.places[at].column, entry.value))
    stars = mark(entry.p)
    bold = rf"\textbf{{{value}}}" if entry.best else value
    if entry.low is None and entry.value is not None:
        # Without an interval below it the value itself carries the mark; where it does, nothing is tested.
        return latex_marked(bold, entry.warning)
    return f"{bold}$^{{{stars}}}$" if stars else bold


def _latex_span(found: Table, entry: Entry, at: int) -> str:
    if entry.value is None or entry.low is None or entry.high is None:
        return ""
    column = found.places[at].column
    ends = f"[{number(column, entry.low)}, {number(column, entry.high)}]"
    return rf"{{\scriptsize {latex_marked(ends, entry.warning)}}}"
