"""The table of the benchmark for reading: as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.headlines.benchmark.published import published_for
from core.headlines.benchmark.results import (
    Cell,
    ColumnFacts,
    HeadlineBenchmark,
    RowFacts,
    SetFacts,
)
from core.results.delimited import delimited
from core.results.forms import footnotes, marked
from core.results.render import SIGNATURES, aligned, latex_signatures
from core.results.text import escape_latex
from core.statistics.figure import Figure

FIRST: Final = ("rouge1", "rouge2", "rougeL", "rouge_mean")
"""Columns of the first table; the pages of the sets hold all."""
_NOTHING: Final = "–"


def as_text(benchmark: HeadlineBenchmark) -> str:
    """The table for a terminal: a block a set, and why systems have no figures."""
    parts = []
    for one in benchmark.sets:
        parts.append(_title(one))
        if one.why_not:
            parts.append(one.why_not)
            continue
        header = ["", *(column.label for column in _first(one)), "seconds", "p (Holm)"]
        body = []
        reasons: dict[str, list[str]] = {}
        for row in benchmark.rows:
            cell = benchmark.cell(one.key, row.key)
            if cell is None:
                continue
            if cell.why_not:
                reasons.setdefault(cell.why_not, []).append(row.name)
                continue
            values = [spanned(column, cell.figures.get(column.key)) for column in _first(one)]
            body.append([row.name, *values, seconds(cell.seconds), chance(cell.against_baseline)])
        parts.append(_ruled(header, body))
        parts += [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
        parts += [*_tested(benchmark, one), *warnings(benchmark, one), ""]
    return "\n".join([*parts, _provenance(benchmark), SIGNATURES])


def as_markdown(benchmark: HeadlineBenchmark) -> str:
    """The whole benchmark as a page: systems, every set, and the papers' tables."""
    parts = [
        "## Results",
        "Written by `headline-lab benchmark headlines`. Values from 0 to 1 are shown times 100; brackets "
        f"hold 95 % intervals over {benchmark.resamples:,} bootstrap resamples of the articles.",
        "### Systems",
        _systems(benchmark),
    ]
    for one in benchmark.sets:
        parts += [f"### {one.name}", *_set_page(benchmark, one)]
    parts += ["## As published", "Figures of the papers, on their own data.", *_papers(benchmark)]
    return "\n\n".join([*parts, f"*{_provenance(benchmark)}*"]) + "\n"


def as_csv(benchmark: HeadlineBenchmark) -> str:
    """One line a set, system and column, as stored: value, interval, metric, signature, or the reason."""
    lines: list[Sequence[object]] = []
    lines.append(
        [
            *("set", "row", "name", "kind", "column", "value", "low", "high"),
            *("warning", "p_holm_first_sentence", "articles"),
            *("seconds", "parameters", "training_seconds", "chosen_on", "why_not", "metric", "signature"),
        ]
    )
    sets = {one.key: one for one in benchmark.sets}
    rows = {one.key: one for one in benchmark.rows}
    for cell in benchmark.cells:
        one, row = sets[cell.set], rows[cell.row]
        about = [
            _plain(cell.seconds),
            _parameters(row) or "",
            _plain(row.model.seconds if row.model else None),
            row.chosen_on,
        ]
        columns: Sequence[ColumnFacts | None] = one.columns if cell.figures else (None,)
        for column in columns:
            figure = cell.figures.get(column.key, Figure(None)) if column else Figure(None)
            p = cell.against_baseline if column and column.key == one.main else None
            lines.append(
                [
                    *(cell.set, cell.row, row.name, row.kind, column.key if column else ""),
                    *(_plain(value) for value in (figure.value, figure.low, figure.high)),
                    *(figure.warning, _plain(p)),
                    one.articles,
                    *about,
                    cell.why_not or figure.reason,
                    column.metric if column else "",
                    cell.signature,
                ]
            )
    return delimited(lines)


def as_latex(benchmark: HeadlineBenchmark) -> str:
    """ROUGE of every system on every set for a paper, in booktabs form, the best in bold."""
    shown = [one for one in benchmark.sets if not one.why_not]
    heads = [(one, column) for one in shown for column in _first(one)]
    lines = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join(
            [
                "",
                *(
                    rf"\multicolumn{{{len(_first(one))}}}{{c}}{{{escape_latex(one.name)}}}"
                    for one in shown
                    if _first(one)
                ),
            ]
        )
        + r" \\",
        " & ".join(["System", *(escape_latex(column.label) for _, column in heads)]) + r" \\",
        r"\midrule",
    ]
    best = {(one.key, column.key): _best(benchmark, one, column) for one, column in heads}
    for row in benchmark.rows:
        cells = [benchmark.cell(one.key, row.key) for one, _ in heads]
        if not any(cell and cell.figures for cell in cells):
            continue
        values = []
        for (one, column), cell in zip(heads, cells, strict=True):
            figure = cell.figures.get(column.key, Figure(None)) if cell else Figure(None)
            value = escape_latex(number(column, figure.value))
            bold = figure.value is not None and figure.value == best[one.key, column.key]
            values.append(rf"\textbf{{{value}}}" if bold else value)
        lines.append(" & ".join([escape_latex(row.name), *values]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", f"% {_provenance(benchmark)}"]
    lines += latex_signatures(
        (f"{cell.set}, {cell.row}", cell.signature) for cell in benchmark.cells if cell.figures
    )
    return "\n".join(lines) + "\n"


def number(column: ColumnFacts, value: float | None) -> str:
    """A value for people; a dash where there is none."""
    if value is None:
        return _NOTHING
    return f"{100 * value:.2f}" if column.percent else f"{value:.2f}"


def spanned(column: ColumnFacts, figure: Figure | None) -> str:
    """A value with its interval."""
    if figure is None or figure.value is None:
        return _NOTHING
    value = number(column, figure.value)
    if figure.low is None or figure.high is None:
        return marked(value, figure.warning)
    return marked(f"{value} [{number(column, figure.low)}, {number(column, figure.high)}]", figure.warning)


def seconds(value: float | None) -> str:
    """A time for people."""
    if value is None:
        return _NOTHING
    if value < 120:
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 7200 else f"{value / 3600:.1f} h"


def chance(p: float | None) -> str:
    """A p-value for people."""
    if p is None:
        return _NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def paper_words(row: RowFacts) -> str:
    """What the papers say of a row, with where, in one line; a dash where they say nothing."""
    told = [
        ", ".join(f"{name} {value:g}" for name, value in one.figures.items() if "ROUGE" in name)
        + f" ({_SHORT[one.source]})"
        for one in published_for(row.key)
        if one.source in _SHORT
    ]
    return "; ".join(told) or _NOTHING


_SHORT: Final = {
    "numhg": "NumHG",
    "dialogue2021": "Dialogue 2021",
    "dialogue2019": "Dialogue 2019",
    "ria": "RIA",
}
"""Tables that have ROUGE."""


def training_words(row: RowFacts) -> str:
    """How long a system learned, and on what; a dash where it did not or nothing says it."""
    if row.model is None or row.model.seconds is None:
        return _NOTHING
    took = seconds(row.model.seconds) + (f" ({row.model.device})" if row.model.device else "")
    return took + (f", from the weights of {row.model.started_from}" if row.model.started_from else "")


def parameter_words(row: RowFacts) -> str:
    """How many parameters a system has, those of its base apart; a dash where it has none."""
    own = row.model.parameters if row.model else 0
    if row.base_parameters and own:
        return f"{row.base_parameters / 1e6:.0f} M + {own / 1e6:.1f} M"
    whole = row.base_parameters or own
    return f"{whole / 1e6:.1f} M" if whole else _NOTHING


def _first(one: SetFacts) -> list[ColumnFacts]:
    """The first table's columns of a set; its first two where ROUGE was not asked for."""
    return [column for column in one.columns if column.key in FIRST] or list(one.columns[:2])


def _title(one: SetFacts) -> str:
    sample = one.note or f"{one.articles:,} articles."
    return f"{one.name}: {one.why_not or sample}" if not one.why_not else one.name


def _systems(benchmark: HeadlineBenchmark) -> str:
    header = ["system", "kind", "papers", "parameters", "training", "weights chosen on"]
    body = [
        [
            row.name,
            row.kind,
            paper_words(row),
            parameter_words(row),
            training_words(row),
            row.chosen_on or _NOTHING,
        ]
        for row in benchmark.rows
    ]
    return _markdown(header, body)


def _set_page(benchmark: HeadlineBenchmark, one: SetFacts) -> list[str]:
    if one.why_not:
        return [" ".join([one.about, one.why_not])]
    parts = [" ".join(filter(None, [one.about, f"{one.articles:,} articles, {one.language}.", one.note]))]
    cells = [(row, benchmark.cell(one.key, row.key)) for row in benchmark.rows]
    ran = [(row, cell) for row, cell in cells if cell is not None and not cell.why_not]
    columns = [
        column
        for column in one.columns
        if any(cell.figures.get(column.key, Figure(None)).value is not None for _, cell in ran)
    ]
    header = ["system", *(column.label for column in columns), "writing", "p (Holm)"]
    body = [[row.name, *_line(columns, cell)] for row, cell in ran]
    parts.append(_markdown(header, body))
    parts += [*_tested(benchmark, one), *warnings(benchmark, one)]
    reasons: dict[str, list[str]] = {}
    for row, cell in cells:
        if cell is not None and cell.why_not:
            reasons.setdefault(cell.why_not, []).append(row.name)
    if reasons:
        told = [f"- {', '.join(names)}: {reason}" for reason, names in reasons.items()]
        parts.append("No figures:\n\n" + "\n".join(told))
    parts.append("\n".join(f"- `{name}`: {library}" for name, library in one.metrics.items()))
    return parts


def _tested(benchmark: HeadlineBenchmark, one: SetFacts) -> list[str]:
    """What the p-values of a set are of, in a sentence; none where nothing was tested."""
    main = next((column.label for column in one.columns if column.key == one.main), "")
    count = sum(cell.set == one.key and cell.against_baseline is not None for cell in benchmark.cells)
    if not main or not count:
        return []
    return [
        f"p (Holm): of no difference from the first sentence in {main}, two-sided paired bootstrap, "
        f"corrected for {count:,} comparison{'s' * (count != 1)} with the first sentence."
    ]


def warnings(benchmark: HeadlineBenchmark, one: SetFacts) -> list[str]:
    """What is wrong with the intervals of a set, one line each."""
    cells = [cell for cell in benchmark.cells if cell.set == one.key]
    return footnotes(figure.warning for cell in cells for figure in cell.figures.values())


def _line(columns: Sequence[ColumnFacts], cell: Cell) -> list[str]:
    return [
        *(spanned(column, cell.figures.get(column.key)) for column in columns),
        seconds(cell.seconds),
        chance(cell.against_baseline),
    ]


def _papers(benchmark: HeadlineBenchmark) -> list[str]:
    parts = []
    for source in benchmark.sources:
        lines = [one for one in benchmark.published if one.source == source.key]
        names = list(dict.fromkeys(name for one in lines for name in one.figures))
        body = [
            [
                one.system,
                *(f"{one.figures[name]:g}" if name in one.figures else _NOTHING for name in names),
                one.note,
            ]
            for one in lines
        ]
        parts += [
            " ".join(filter(None, [f"{source.paper}, {source.table}.", source.data, source.here])),
            _markdown(["system", *names, "note"], body),
        ]
    return parts


def _best(benchmark: HeadlineBenchmark, one: SetFacts, column: ColumnFacts) -> float | None:
    """The highest value of one of the `FIRST` columns, of which more is better."""
    cells = [cell for cell in benchmark.cells if cell.set == one.key]
    values = [cell.figures[column.key].value for cell in cells if column.key in cell.figures]
    return max((value for value in values if value is not None), default=None)


def _parameters(row: RowFacts) -> int:
    return row.base_parameters + (row.model.parameters if row.model else 0)


def _provenance(benchmark: HeadlineBenchmark) -> str:
    machine = benchmark.machine
    return (
        f"{benchmark.date}, {benchmark.program}, {machine.get('cores')} cores ({machine.get('processor')}), "
        f"seed {benchmark.seed}, {benchmark.resamples:,} resamples."
    )


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _ruled(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = aligned([header, *body])
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _markdown(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |" for line in lines)
