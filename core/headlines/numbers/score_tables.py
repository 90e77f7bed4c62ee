"""The scores of checked headlines as text, CSV, LaTeX and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from core import __version__, files
from core.headlines.comparison.shown import SCALE_NOTE, number
from core.headlines.metrics.metric import Column
from core.headlines.numbers.scored import NumeralScores, OperatorConfusion
from core.results.delimited import delimited
from core.results.forms import footnotes, latex_marked, marked
from core.results.render import aligned
from core.results.text import escape_latex
from core.statistics.figure import Figure

WRITTEN: Final = ("systems.csv", "systems.tex", "parts.csv", "contradictions.csv", "scores.json")
"""Files of `write_folder`."""
LAYOUT: Final = 1
"""Version of the JSON."""

SHARE: Final = Column(name="share", label="Share", help="share of the numerals", higher_is_better=None)
"""How shares of kinds and operators are shown."""


def as_text(scores: NumeralScores) -> str:
    """All tables for a terminal, one below the other; contradictions are told by their number alone."""
    header = ["", *(one.system for one in scores.systems)]
    body = [
        [column.label, *(spanned(column, one.figures[column.name]) for one in scores.systems)]
        for column in scores.columns
    ]
    body.append(["Numerals", *(f"{one.numerals:,}" for one in scores.systems)])
    parts = [_ruled(header, body)]
    if scores.kinds:
        parts.append(_ruled(*kind_rows(scores)))
    if scores.operators:
        parts.append(_ruled(*operator_rows(scores)))
    for one in scores.confusions:
        told = f"{one.system}: gold operators (rows) and ours, {spanned(SHARE, one.agreed)} the same."
        parts.append("\n".join([told, _ruled(*confusion_rows(one)), *confusion_notes(one)]))
    parts.append("\n".join(notes(scores)))
    return "\n\n".join(parts)


def notes(scores: NumeralScores) -> list[str]:
    """What a reader of the tables must know, a sentence or two each."""
    return [
        f"{scores.articles:,} articles. {SCALE_NOTE} Brackets: 95 % intervals, {scores.resamples:,} "
        f"bootstrap resamples of {scores.units}, seed {scores.seed}.",
        f"{len(scores.contradictions):,} numerals are contradicted by their articles.",
        f"Checked by {'; '.join(scores.checkers)}.",
        *footnotes([scores.warning]),
    ]


def kind_rows(scores: NumeralScores) -> tuple[list[str], list[list[str]]]:
    """Header and lines of the table by kind of numeral."""
    return ["system, kind", "numerals", "supported", "contradicted", "unsupported"], [
        [
            f"{one.system}, {one.kind.value}",
            f"{one.numerals:,}",
            *(spanned(SHARE, figure) for figure in (one.supported, one.contradicted, one.unsupported)),
        ]
        for one in scores.kinds
    ]


def operator_rows(scores: NumeralScores) -> tuple[list[str], list[list[str]]]:
    """Header and lines of the table of operators by system."""
    return ["system, operator", "numerals", "share of the supported"], [
        [f"{one.system}, {one.operator}", f"{one.numerals:,}", spanned(SHARE, one.share)]
        for one in scores.operators
    ]


def confusion_rows(one: OperatorConfusion) -> tuple[list[str], list[list[str]]]:
    """Header and lines of a confusion: operators that neither side has are left out."""
    columns = [at for at in range(len(one.found)) if any(line[at] for line in one.counts)]
    return ["gold", *(one.found[at] for at in columns), "all"], [
        [name, *(f"{line[at]:,}" for at in columns), f"{sum(line):,}"]
        for name, line in zip(one.gold, one.counts, strict=True)
        if any(line)
    ]


def confusion_notes(one: OperatorConfusion) -> list[str]:
    """What a confusion leaves out, a sentence each."""
    told = (
        (one.without_number, "headlines lack the gold number or hold it more than once"),
        (one.not_read, "annotations are no expression"),
    )
    return [f"{count:,} {words}." for count, words in told if count]


def as_csv(scores: NumeralScores) -> str:
    """One line a system, as stored (not times 100): numerals, verdicts, and every value with its interval."""
    ends = ("", "_low", "_high", "_warning")
    statuses = [status.value for status in scores.systems[0].statuses]
    names = [f"{column.name}{end}" for column in scores.columns for end in ends]
    header = ["system", "headlines", "with_numerals", "numerals", *statuses, *names]
    return _csv(
        header,
        (
            [
                *(one.system, one.headlines, one.with_numerals, one.numerals),
                *one.statuses.values(),
                *(text for column in scores.columns for text in _cells(one.figures[column.name])),
            ]
            for one in scores.systems
        ),
    )


def parts_csv(scores: NumeralScores) -> str:
    """Kinds, operators and confusions: one line a value, the table it is of in the first column."""
    lines: list[list[str | int]] = []
    for kind in scores.kinds:
        for name in ("supported", "contradicted", "unsupported"):
            figure = _cells(getattr(kind, name))
            lines.append(["kind", kind.system, kind.kind.value, name, kind.numerals, *figure])
    lines += [
        [
            "operator",
            one.system,
            one.operator,
            "share of supported",
            one.numerals,
            *_cells(one.share),
        ]
        for one in scores.operators
    ]
    lines += [
        ["confusion", one.system, gold, found, count, "", "", "", ""]
        for one in scores.confusions
        for gold, row in zip(one.gold, one.counts, strict=True)
        for found, count in zip(one.found, row, strict=True)
        if count
    ]
    return _csv(["table", "system", "name", "of", "numerals", "value", "low", "high", "warning"], lines)


def contradictions_csv(scores: NumeralScores) -> str:
    """One line a contradicted numeral, the least supported first."""
    return _csv(
        [
            *("row", "system", "headline", "numeral", "start", "end", "kind", "support"),
            *("article_numeral", "article_sentence", "reason"),
        ],
        (
            [
                *(one.row, one.system, one.headline, one.text),
                *(one.start, one.end, one.kind.value, f"{one.support:.6g}"),
                *(one.rival, one.rival_sentence, one.reason),
            ]
            for one in scores.contradictions
        ),
    )


def as_latex(scores: NumeralScores) -> str:
    r"""The table by system for a paper, in booktabs form: intervals below the values, the best in bold."""
    shown = [
        column
        for column in scores.columns
        if any(one.figures[column.name].value is not None for one in scores.systems)
    ]
    lines = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{l{'r' * len(shown)}}}",
        r"\toprule",
        " & ".join(["System", *(escape_latex(column.label) for column in shown)]) + r" \\",
        r"\midrule",
    ]
    for one in scores.systems:
        figures = [one.figures[column.name] for column in shown]
        values = [_latex(scores, *pair) for pair in zip(shown, figures, strict=True)]
        spans = [_latex_span(*pair) for pair in zip(shown, figures, strict=True)]
        lines.append(" & ".join([escape_latex(one.system), *values]) + r" \\")
        lines.append(" & ".join(["", *spans]) + r" \\[2pt]")
    lines += [r"\bottomrule", r"\end{tabular}", *(f"% {' '.join(line.split())}" for line in notes(scores))]
    return "\n".join(lines) + "\n"


def as_json(scores: NumeralScores) -> str:
    """Everything in one object."""
    told: dict[str, Any] = {"layout": LAYOUT, "program": f"headline-lab {__version__}", **asdict(scores)}
    return json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def write_folder(folder: Path, scores: NumeralScores) -> None:
    """Writes `WRITTEN` into a folder that exists.

    Raises:
        DataSourceError: A file cannot be written.
    """
    for name, make in zip(WRITTEN, (as_csv, as_latex, parts_csv, contradictions_csv, as_json), strict=True):
        files.write(folder / name, make(scores).encode())


def spanned(column: Column, figure: Figure) -> str:
    """A value with its interval; a dash where there is none."""
    value = number(column, figure.value)
    if figure.value is None:
        return value
    if figure.low is None or figure.high is None:
        return marked(value, figure.warning)
    ends = f"[{number(column, figure.low)}, {number(column, figure.high)}]"
    return marked(f"{value} {ends}", figure.warning)


def _cells(figure: Figure) -> list[str]:
    values = ["" if one is None else f"{one:.6g}" for one in (figure.value, figure.low, figure.high)]
    return [*values, figure.warning]


def _csv(header: Sequence[str], lines: Iterable[Sequence[str | int]]) -> str:
    return delimited([header, *lines])


def _latex(scores: NumeralScores, column: Column, figure: Figure) -> str:
    values = [one.figures[column.name].value for one in scores.systems]
    known = [value for value in values if value is not None]
    text = escape_latex(number(column, figure.value))
    if column.higher_is_better is None or len(known) < 2 or figure.value is None:
        return text
    best = max(known) if column.higher_is_better else min(known)
    return rf"\textbf{{{text}}}" if figure.value == best else text


def _latex_span(column: Column, figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    ends = f"[{number(column, figure.low)}, {number(column, figure.high)}]"
    return rf"{{\scriptsize {latex_marked(ends, figure.warning)}}}"


def _ruled(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = aligned([header, *body])
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
