"""The table of the benchmark for reading: as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from core.headlines.comparison.table import SOURCES
from core.headlines.metrics import headline_metrics, in_order
from core.results import render
from core.results.render import SIGNATURES
from core.results.table import (
    LONG,
    NOTHING,
    Form,
    Row,
    Table,
    TableColumn,
    Value,
    chance,
    decimals,
    duration,
    percent,
)
from core.statistics.bootstrap import Figure
from research.benchmark.headlines.generation import HeadlineSystem
from research.benchmark.headlines.run import (
    ColumnFacts,
    HeadlineBenchmark,
    HeadlineCell,
    HeadlineSetFacts,
    against_baseline,
)


def as_text(benchmark: HeadlineBenchmark) -> str:
    """The table for a terminal: a block a set, and why systems have no figures."""
    parts = []
    for facts in benchmark.sets:
        if facts.why_not:
            parts += [facts.name, facts.why_not]
            continue
        table = _table(benchmark, facts, _first(facts), "seconds")
        parts += [
            f"{facts.name}: {' '.join(facts.notes) or f'{facts.count:,} articles.'}",
            render.as_text(table),
        ]
        parts += [*_reasons(benchmark, facts), *_tested(benchmark, facts), *benchmark.warnings(facts.key), ""]
    return "\n".join([*parts, benchmark.provenance(), SIGNATURES])


def as_markdown(
    benchmark: HeadlineBenchmark,
    *,
    sets: Sequence[HeadlineSetFacts] | None = None,
    columns: Sequence[str] = (),
) -> str:
    """A page: systems, every set, or these, and the papers' tables; `columns` narrows the page."""
    parts = [
        "## Results",
        "Written by `headline-lab benchmark headlines`. Values from 0 to 1 are shown times 100; brackets "
        f"hold 95 % intervals over {benchmark.resamples:,} bootstrap resamples of the articles.",
    ]
    if not columns:
        parts += ["### Systems", render.as_markdown(_systems(benchmark))]
    for dataset in benchmark.sets if sets is None else sets:
        parts += [f"### {dataset.name}", *_set_page(benchmark, dataset, columns)]
    parts += [
        "## As published",
        "Figures of the papers, on their own data.",
        *_papers(1 if columns else None),
    ]
    return "\n\n".join([*parts, f"*{benchmark.provenance()}*"]) + "\n"


def as_csv(benchmark: HeadlineBenchmark) -> str:
    """One line a set, system and column, as stored: value, interval, metric, signature, or the reason."""
    names = ["set", "row", "name", "kind", "column", "value", "p_holm_first_sentence", "articles", "seconds"]
    names += ["parameters", "training_seconds", "chosen_on", "why_not", "metric", "signature"]
    sets = {facts.key: facts for facts in benchmark.sets}
    lines = [
        _filed(benchmark, sets[cell.set], cell, column)
        for cell in benchmark.cells
        for column in (sets[cell.set].columns if cell.figures else (None,))
    ]
    columns = [TableColumn(name, parts=LONG if name == "value" else ()) for name in names]
    return render.as_csv(Table(columns=tuple(columns), rows=tuple(lines)))


def as_latex(benchmark: HeadlineBenchmark) -> str:
    """ROUGE of every system on every set for a paper, in booktabs form, the best in bold."""
    heads = [(facts, column) for facts in benchmark.sets if not facts.why_not for column in _first(facts)]
    lines: list[Row] = []
    for row in benchmark.systems:
        cells = [(benchmark.cell(facts.key, row.key), column) for facts, column in heads]
        if any(cell and cell.figures for cell, _ in cells):
            lines.append(
                (row.name, *(cell.figures.get(column.key) if cell else None for cell, column in cells))
            )
    table = Table(
        columns=(
            TableColumn("System"),
            *(TableColumn(c.label, form=form_of(c), better="higher", group=facts.name) for facts, c in heads),
        ),
        rows=tuple(lines),
        notes=(benchmark.provenance(),),
        signatures=tuple(
            (f"{cell.set}, {cell.system}", cell.signature) for cell in benchmark.cells if cell.figures
        ),
    )
    return render.as_latex(table, spans=False)


def paper_words(row: HeadlineSystem) -> str:
    """What the papers say of a row, with where, in one line; a dash where they say nothing."""
    told = [
        ", ".join(
            f"{name} {value:g}"
            for name, value in zip(source.measures, published.values, strict=True)
            if "ROUGE" in name
        )
        + f" ({_SHORT[source.key]})"
        for source in SOURCES
        if source.key in _SHORT
        for published in source.systems
        if published.row == row.key
    ]
    return "; ".join(told) or NOTHING


_SHORT: Final = {
    "numhg": "NumHG",
    "dialogue2021": "Dialogue 2021",
    "dialogue2019": "Dialogue 2019",
    "ria": "RIA",
}
"""Tables that have ROUGE."""


def training_words(row: HeadlineSystem) -> str:
    """How long a system learned, and on what; a dash where it did not or nothing says it."""
    if row.model is None or row.model.seconds is None:
        return NOTHING
    took = duration(row.model.seconds) + (f" ({row.model.device})" if row.model.device else "")
    return took + (f", from the weights of {row.model.started_from}" if row.model.started_from else "")


def parameter_words(row: HeadlineSystem) -> str:
    """How many parameters a system has, those of its base apart; a dash where it has none."""
    own = row.model.parameters if row.model else 0
    if row.base_parameters and own:
        return f"{row.base_parameters / 1e6:.0f} M + {own / 1e6:.1f} M"
    whole = row.base_parameters or own
    return f"{whole / 1e6:.1f} M" if whole else NOTHING


def _filed(
    benchmark: HeadlineBenchmark, one: HeadlineSetFacts, cell: HeadlineCell, column: ColumnFacts | None
) -> tuple[Value, ...]:
    row = benchmark.system(cell.system)
    figure = cell.figures.get(column.key, Figure(None)) if column else Figure(None)
    parameters = row.base_parameters + (row.model.parameters if row.model else 0)
    return (
        *(cell.set, cell.system, row.name, row.kind, column.key if column else "", figure),
        against_baseline(benchmark, one.key, row.key) if column and column.key == one.main else None,
        *(one.count, cell.seconds, parameters or None, row.model.seconds if row.model else None),
        *(row.chosen_on, cell.why_not or figure.reason, column.metric if column else "", cell.signature),
    )


def form_of(column: ColumnFacts) -> Form:
    """How the values of a column are written for people."""
    return percent(2) if column.percent else decimals(2)


def _first(one: HeadlineSetFacts) -> list[ColumnFacts]:
    first = {column.name for column in headline_metrics.parse(in_order()[0]).columns}
    return [column for column in one.columns if column.key in first] or list(one.columns[:2])


def _cells(
    benchmark: HeadlineBenchmark, one: HeadlineSetFacts
) -> Iterator[tuple[HeadlineSystem, HeadlineCell]]:
    for row in benchmark.systems:
        if (cell := benchmark.cell(one.key, row.key)) is not None:
            yield row, cell


def _table(
    benchmark: HeadlineBenchmark, one: HeadlineSetFacts, columns: Sequence[ColumnFacts], time: str
) -> Table:
    return Table(
        columns=(
            TableColumn("system"),
            *(TableColumn(column.label, form=form_of(column)) for column in columns),
            *(TableColumn(time, form=duration), TableColumn("p (Holm)")),
        ),
        rows=tuple(
            (
                *(row.name, *(cell.figures.get(column.key) for column in columns)),
                *(cell.seconds, chance(against_baseline(benchmark, one.key, row.key))),
            )
            for row, cell in _cells(benchmark, one)
            if not cell.why_not
        ),
    )


def _reasons(benchmark: HeadlineBenchmark, one: HeadlineSetFacts) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for row, cell in _cells(benchmark, one):
        if cell.why_not:
            reasons.setdefault(cell.why_not, []).append(row.name)
    return [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def _systems(benchmark: HeadlineBenchmark) -> Table:
    header = ("system", "kind", "papers", "parameters", "training", "weights chosen on")
    rows: tuple[Row, ...] = tuple(
        (
            *(row.name, row.kind, paper_words(row), parameter_words(row), training_words(row)),
            row.chosen_on or None,
        )
        for row in benchmark.systems
    )
    return Table(columns=tuple(map(TableColumn, header)), rows=rows)


def _set_page(benchmark: HeadlineBenchmark, one: HeadlineSetFacts, shown: Sequence[str]) -> list[str]:
    if one.why_not:
        return [f"{one.about} {one.why_not}"]
    parts = [" ".join(filter(None, [one.about, f"{one.count:,} articles, {one.language}.", *one.notes]))]
    measured = {
        key
        for _, cell in _cells(benchmark, one)
        for key, figure in cell.figures.items()
        if figure.value is not None and not cell.why_not
    }
    columns = [
        column for column in one.columns if column.key in measured and column.key in (shown or measured)
    ]
    parts.append(render.as_markdown(_table(benchmark, one, columns, "writing")))
    parts += [*_tested(benchmark, one), *benchmark.warnings(one.key)]
    if shown:
        return parts
    if reasons := _reasons(benchmark, one):
        parts.append("No figures:\n\n" + "\n".join(f"- {line}" for line in reasons))
    parts.append("\n".join(f"- `{name}`: {library}" for name, library in one.metrics.items()))
    return parts


def _tested(benchmark: HeadlineBenchmark, one: HeadlineSetFacts) -> list[str]:
    main = next((column.label for column in one.columns if column.key == one.main), "")
    count = sum(item.set == one.key and item.corrected is not None for item in benchmark.comparisons)
    if not main or not count:
        return []
    return [
        f"p (Holm): of no difference from the first sentence in {main}, two-sided paired bootstrap, "
        f"corrected for {count:,} comparison{'s' * (count != 1)} with the first sentence."
    ]


def _papers(most: int | None) -> list[str]:
    parts = []
    for source in SOURCES[:most]:
        table = Table(
            columns=(
                TableColumn("system"),
                *(TableColumn(name, form=lambda value: f"{value:g}") for name in source.measures),
                TableColumn("note"),
            ),
            rows=tuple((system.system, *system.values, system.note) for system in source.systems),
        )
        about = [f"{source.paper}, {source.table}.", source.data, source.here]
        parts += [" ".join(filter(None, about)), render.as_markdown(table)]
    return parts
