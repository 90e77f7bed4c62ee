"""The benchmark for reading: as text, CSV, LaTeX and a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.results import render
from core.results.render import SIGNATURES
from core.results.render import as_markdown as markdown
from core.results.table import LONG, MARK, Form, Row, Table, TableColumn, chance, decimals, percent
from core.statistics.bootstrap import ENOUGH, Figure
from research.benchmark.numerals.sets import TASKS, NumeralBenchmark, NumeralTask, Split
from research.benchmark.results import BenchmarkSet

ALL: Final = "all"
LABELS: Final = {
    "first": "gold expression first",
    "equivalent": "or an equivalent one",
    "first_three": "among the first three",
    "ece": "ECE",
    "brier": "Brier score",
    "right": "right",
    "equal": "equal in value",
}
LOWER: Final = ("ece", "brier")  # measures of which less is better
_UNITS: Final = ("ece", "brier")  # measures that are not shown times 100


TableMeasure = tuple[str, str, str]
"""What a column of a table over systems shows: its label, the name of the figure, the part."""


def _by_operation(name: str) -> tuple[TableMeasure, ...]:
    parts = ((one, name, Split.OPERATION.part(one)) for one in ("copy", "reasoning"))
    return (("all", name, ""), *parts)


MAIN: Final[dict[NumeralTask, tuple[TableMeasure, ...]]] = {
    NumeralTask.RANKING: (
        *_by_operation("first"),
        *((LABELS[name], name, "") for name in ("equivalent", "first_three")),
    ),
    NumeralTask.CALIBRATION: tuple((LABELS[name], f"{name} answer", "") for name in ("ece", "brier")),
    NumeralTask.FILLING: (*_by_operation("right"), ("equal in value", "equal", "")),
}
"""The columns of each task's table over systems."""
TITLES: Final = {
    NumeralTask.RANKING: "Gold derivation ranked first",
    NumeralTask.CALIBRATION: "Calibration",
    NumeralTask.FILLING: "Blanks filled",
}


def as_text(benchmark: NumeralBenchmark) -> str:
    parts = []
    for facts in benchmark.sets:
        if facts.why_not:
            parts += [f"{facts.name}: {facts.why_not}", ""]
            continue
        parts += [f"{facts.name}: {size_words(facts)}", ""]
        for task, table in main_tables(benchmark, facts):
            parts += [TITLES[task], render.as_text(table), ""]
        parts += warnings(benchmark, facts)
    return "\n".join([*parts, *reasons(benchmark), provenance(benchmark), SIGNATURES])


def as_csv(benchmark: NumeralBenchmark) -> str:
    names = ("set", "part", "task", "system", "name", "measure", "of", "split", "group", "rows")
    table = Table(
        columns=(
            *map(TableColumn, names),
            TableColumn("value", parts=(*LONG, ("reason", "reason"))),
            TableColumn("signature"),
        ),
        rows=tuple(
            (
                *(cell.set, str(benchmark.settings["part"])),
                *(next(task for task, own in TASKS.items() if measure in own).value, cell.system),
                *(
                    benchmark.names[cell.system],
                    measure,
                    of,
                    split or ALL,
                    group or ALL,
                    figure.count,
                    figure,
                ),
                signatures[cell.set, cell.system],
            )
            for signatures in [signature_of(benchmark)]
            for cell in benchmark.cells
            for split, _, group in [cell.part.partition(": ")]
            for name, figure in cell.figures.items()
            for measure, _, of in [name.partition(" ")]
        ),
    )
    return render.as_csv(table)


def as_latex(benchmark: NumeralBenchmark) -> str:
    lines = [render.BOOKTABS]
    for dataset in benchmark.sets:
        for task, table in main_tables(benchmark, dataset):
            titled = replace(table, title=f"{dataset.name}: {TITLES[task]}")
            lines += [*render.tabular(titled, spans=False), ""]
    signed = ((", ".join(key), one) for key, one in signature_of(benchmark).items())
    return "\n".join([*lines, f"% {provenance(benchmark)}", *render.latex_signatures(signed)]) + "\n"


def main_tables(benchmark: NumeralBenchmark, one: BenchmarkSet) -> Iterator[tuple[NumeralTask, Table]]:
    """The tables over systems of a set, those without a row left out."""
    for task, measures in MAIN.items():
        figures = {
            (cell.system, cell.part, name): figure
            for cell in benchmark.cells_of(one.key, None)
            for name, figure in cell.figures.items()
        }
        rows = []
        for system in benchmark.systems:
            own = [figures.get((system.key, part, name)) for _, name, part in measures]
            if any(own):
                rows.append((system.name, *own))
        columns = (
            TableColumn(
                label,
                form=form_of(name),
                better="lower" if name.partition(" ")[0] in LOWER else "higher",
            )
            for label, name, _ in measures
        )
        table = Table(columns=(TableColumn("System"), *columns), rows=tuple(rows))
        if table.rows and not one.why_not:
            yield task, table


def groups_table(benchmark: NumeralBenchmark, one: BenchmarkSet, name: str, split: Split) -> Table:
    by: dict[str, dict[str, Figure]] = {}
    for cell in benchmark.cells_of(one.key, None):
        if cell.part.startswith(split.part("")) and name in cell.figures:
            by.setdefault(cell.part.removeprefix(split.part("")), {})[cell.system] = cell.figures[name]
    systems = [system for system in benchmark.systems if any(system.key in own for own in by.values())]
    columns = (TableColumn(system.name, form=form_of(name)) for system in systems)
    return Table(
        columns=(TableColumn(str(split)), TableColumn("rows"), *columns),
        rows=tuple(
            (group, next(iter(own.values())).count, *(own.get(system.key) for system in systems))
            for group, own in by.items()
        ),
    )


def form_of(name: str) -> Form:
    return decimals(3) if name.partition(" ")[0] in _UNITS else percent()


def warnings(benchmark: NumeralBenchmark, one: BenchmarkSet) -> list[str]:
    """What is wrong with intervals of a set, in a line for all its parts; the CSV says it of each figure."""
    figures = (figure for cell in benchmark.cells_of(one.key, None) for figure in cell.figures.values())
    if not any(figure.warning for figure in figures):
        return []
    return [f"{MARK} Fewer than {ENOUGH} articles: too few for a reliable interval, and one for any."]


def size_words(one: BenchmarkSet) -> str:
    return " ".join(filter(None, [f"{one.count:,} rows, {one.units:,} articles.", *one.notes]))


def reasons(benchmark: NumeralBenchmark) -> list[str]:
    names = {system.key: system.name for system in benchmark.systems if not system.baseline}
    cells = (cell for cell in benchmark.cells if cell.why_not and cell.system in names)
    return list(dict.fromkeys(f"{names[cell.system]}: {cell.why_not}" for cell in cells))


def signature_of(benchmark: NumeralBenchmark) -> dict[tuple[str, str], str]:
    return {(cell.set, cell.system): cell.signature for cell in benchmark.cells if cell.signature}


def provenance(benchmark: NumeralBenchmark) -> str:
    return benchmark.provenance(f"{benchmark.settings['part']} part")


DETAIL: Final = {
    NumeralTask.RANKING: ("first", "equivalent"),
    NumeralTask.FILLING: ("right",),
}
"""The figures that are also shown by operator and by kind."""


def as_markdown(benchmark: NumeralBenchmark, *, sets: Sequence[BenchmarkSet] | None = None) -> str:
    """All tables of all sets, or of these sets the tables over systems alone."""
    parts = [
        "## Results",
        "Written by `headline-lab benchmark numerals`. Shares are shown times 100; brackets hold 95 % "
        f"intervals over {benchmark.resamples:,} bootstrap resamples of the articles.",
    ]
    for dataset in benchmark.sets if sets is None else sets:
        parts += [f"### {dataset.name}", *_set(benchmark, dataset, details=sets is None)]
    if missing := reasons(benchmark):
        parts.append("No figures:\n\n" + "\n".join(f"- {one}" for one in missing))
    names = {facts.key: facts.name for facts in benchmark.sets}
    steps = ", ".join(
        f"{names[cell.set]}: {cell.system} {cell.seconds:g} s" for cell in benchmark.cells if cell.seconds
    )
    return "\n\n".join([*parts, f"*{provenance(benchmark)} {steps}.*"]) + "\n"


def _set(benchmark: NumeralBenchmark, one: BenchmarkSet, *, details: bool) -> Iterator[str]:
    if one.why_not:
        yield one.why_not
        return
    yield f"{one.about} {size_words(one)}"
    for task, table in main_tables(benchmark, one):
        yield f"#### {TITLES[task]}: {one.name}"
        yield markdown(table)
        if details:
            yield from _details(benchmark, one, task)
    if told := warnings(benchmark, one):
        yield "\n\n".join(told)
    if details:
        yield from _comparisons(benchmark, one)


def _details(benchmark: NumeralBenchmark, one: BenchmarkSet, task: NumeralTask) -> Iterator[str]:
    if task is NumeralTask.CALIBRATION:
        yield from _curves(benchmark, one)
        return
    for split in (Split.OPERATOR, Split.KIND):
        for name in DETAIL[task]:
            table = groups_table(benchmark, one, name, split)
            if table.rows:
                measure, _, of = name.partition(" ")
                what = ", ".join(filter(None, [of, LABELS[measure]]))
                yield f"{what[0].upper()}{what[1:]}, by {split}:"
                yield markdown(table)


def _table(names: Sequence[str], rows: Iterable[Row]) -> str:
    return markdown(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _curves(benchmark: NumeralBenchmark, one: BenchmarkSet) -> Iterator[str]:
    for system in benchmark.systems:
        cell = benchmark.cell(one.key, system.key)
        for bins in (cell.curves if cell else {}).values():
            yield f"{system.name}, reliability of the answer's probability:"
            yield _table(
                ("probability", "rows", "mean probability", "share that came true"),
                ((f"{low:.1f}–{high:.1f}", rows, mean, share) for low, high, rows, mean, share in bins),
            )


def _comparisons(benchmark: NumeralBenchmark, one: BenchmarkSet) -> Iterator[str]:
    own = [item for item in benchmark.comparisons if item.set == one.key]
    if own:
        names = benchmark.names
        yield "Blanks that only one of two filled as wanted (McNemar's exact test, Holm's correction):"
        yield _table(
            ("one", "other", "blanks", "only one", "only the other", "p", "corrected"),
            (
                (
                    *(names[item.one], names[item.other], item.count, item.wins, item.losses),
                    *(chance(item.difference.p), chance(item.corrected)),
                )
                for item in own
            ),
        )
