"""The benchmark for reading: as text, CSV and LaTeX; the page is in `page`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.numerals.benchmark.results import ALL, Cell, NumeralBenchmark, SetFacts, Split, Task
from core.results import render, stored
from core.results.forms import MARK, Form, decimals, percent
from core.results.render import SIGNATURES
from core.results.table import LONG, Table, TableColumn
from core.statistics.few_units import ENOUGH

LABELS: Final = {
    "first": "gold expression first",
    "equivalent": "or an equivalent one",
    "first_three": "among the first three",
    "found": "support found",
    "false_alarm": "flagged though right",
    "auc": "AUC",
    "flagged": "flagged",
    "ece": "ECE",
    "brier": "Brier score",
    "right": "right",
    "equal": "equal in value",
}
LOWER: Final = ("false_alarm", "ece", "brier")
"""Measures of which less is better."""
_UNITS: Final = ("auc", "ece", "brier")
"""Measures that are not shown times 100."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a column of a table over systems shows.

    Attributes:
        label: For people.
        measure: See `Cell.measure`.
        of: See `Cell.of`.
        split: How rows are divided.
        group: Which part.
    """

    label: str
    measure: str
    of: str = ""
    split: Split = Split.ALL
    group: str = ALL


def _by_operation(measure: str) -> tuple[Measure, ...]:
    operations = ("copy", "reasoning")
    parts = (Measure(name, measure, "", Split.OPERATION, name) for name in operations)
    return (Measure("all", measure), *parts)


_WRONG: Final = ("digit", "magnitude", "swap")
MAIN: Final[dict[Task, tuple[Measure, ...]]] = {
    Task.RANKING: (
        *_by_operation("first"),
        *(Measure(LABELS[name], name) for name in ("equivalent", "first_three")),
    ),
    Task.SUPPORT: (*_by_operation("found"), Measure(LABELS["false_alarm"], "false_alarm")),
    Task.CORRUPTION: (
        *(Measure(f"{how}, AUC", "auc", how) for how in _WRONG),
        *(Measure(f"{how}, flagged", "flagged", how) for how in _WRONG),
    ),
    Task.CALIBRATION: tuple(
        Measure(f"{of}, {LABELS[name]}", name, of)
        for of in ("support", "derivation", "answer")
        for name in ("ece", "brier")
    ),
    Task.FILLING: (*_by_operation("right"), Measure("equal in value", "equal")),
}
"""The columns of each task's table over systems."""
TITLES: Final = {
    Task.RANKING: "Gold derivation ranked first",
    Task.SUPPORT: "Support of numbers that are right",
    Task.CORRUPTION: "Numbers made wrong",
    Task.CALIBRATION: "Calibration",
    Task.FILLING: "Blanks filled",
}


def as_text(benchmark: NumeralBenchmark) -> str:
    """The main tables for a terminal, and why systems and sets have no figures."""
    parts = []
    for one in benchmark.sets:
        if one.why_not:
            parts += [f"{one.name}: {one.why_not}", ""]
            continue
        parts += [f"{one.name}: {size_words(one)}", ""]
        for task, table in main_tables(benchmark, one):
            parts += [TITLES[task], render.as_text(table), ""]
        parts += warnings(benchmark, one)
    parts += [f"{system.name}: {system.why_not}" for system in benchmark.systems if system.why_not]
    return "\n".join([*parts, provenance(benchmark), SIGNATURES])


def as_csv(benchmark: NumeralBenchmark) -> str:
    """One line a figure, as stored."""
    names = ("set", "part", "task", "system", "name", "measure", "of", "split", "group", "rows")
    systems = {one.key: one.name for one in benchmark.systems}
    table = Table(
        columns=(
            *map(TableColumn, names),
            TableColumn("value", parts=(*LONG, ("reason", "reason"))),
            TableColumn("signature"),
        ),
        rows=tuple(
            (
                *(one.set, benchmark.part, str(one.task), one.system, systems.get(one.system, one.system)),
                *(one.measure, one.of, str(one.split), one.group, one.rows, one.figure),
                signature(benchmark, one.set, one.system),
            )
            for one in benchmark.cells
        ),
    )
    return render.as_csv(table)


def as_latex(benchmark: NumeralBenchmark) -> str:
    """The main tables for a paper, in booktabs form, the best of each column in bold."""
    lines = [render.BOOKTABS]
    for one in benchmark.sets:
        for task, table in main_tables(benchmark, one):
            titled = replace(table, title=f"{one.name}: {TITLES[task]}")
            lines += [*render.tabular(titled, spans=False), ""]
    measured = dict.fromkeys((cell.set, cell.system) for cell in benchmark.cells)
    signed = ((f"{one}, {system}", signature(benchmark, one, system)) for one, system in measured)
    return "\n".join([*lines, f"% {provenance(benchmark)}", *render.latex_signatures(signed)]) + "\n"


def main_tables(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[tuple[Task, Table]]:
    """The tables over systems of a set, those without a row left out."""
    for task, measures in MAIN.items():
        table = systems_table(benchmark, one, task, measures)
        if table.rows and not one.why_not:
            yield task, table


def systems_table(
    benchmark: NumeralBenchmark, one: SetFacts, task: Task, measures: tuple[Measure, ...]
) -> Table:
    """One line for each system that has a figure."""
    cells = {
        (cell.system, cell.measure, cell.of, cell.split, cell.group): cell.figure
        for cell in benchmark.cells
        if (cell.set, cell.task) == (one.key, task)
    }
    rows = []
    for system in benchmark.systems:
        own = [cells.get((system.key, each.measure, each.of, each.split, each.group)) for each in measures]
        if any(own):
            rows.append((system.name, *own))
    columns = (
        TableColumn(
            each.label, form=form_of(each.measure), better="lower" if each.measure in LOWER else "higher"
        )
        for each in measures
    )
    return Table(columns=(TableColumn("System"), *columns), rows=tuple(rows))


def groups_table(
    benchmark: NumeralBenchmark, one: SetFacts, task: Task, *, measure: str, of: str, split: Split
) -> Table:
    """One line for each operator or kind, a column for each system."""
    cells = [
        cell for cell in benchmark.cells_of(one.key, task, split) if (cell.measure, cell.of) == (measure, of)
    ]
    names = {system.key: system.name for system in benchmark.systems}
    systems = [key for key in names if any(cell.system == key for cell in cells)]
    by: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        by.setdefault(cell.group, {})[cell.system] = cell
    columns = (TableColumn(names[key], form=form_of(measure)) for key in systems)
    return Table(
        columns=(TableColumn(str(split)), TableColumn("rows"), *columns),
        rows=tuple(
            (
                *(group, next(iter(own.values())).rows),
                *(own[key].figure if key in own else None for key in systems),
            )
            for group, own in by.items()
        ),
    )


def form_of(measure: str) -> Form:
    """How the values of a measure are written for people."""
    return decimals(3) if measure in _UNITS else percent()


def warnings(benchmark: NumeralBenchmark, one: SetFacts) -> list[str]:
    """What is wrong with intervals of a set, in a line for all its parts; the CSV says it of each figure."""
    if not any(cell.figure.warning for cell in benchmark.cells if cell.set == one.key):
        return []
    return [f"{MARK} Fewer than {ENOUGH} articles: too few for a reliable interval, and one for any."]


def size_words(one: SetFacts) -> str:
    """How many rows and articles."""
    return " ".join(filter(None, [f"{one.rows:,} rows, {one.articles:,} articles.", one.note]))


def signature(benchmark: NumeralBenchmark, set_key: str, system_key: str) -> str:
    """What a system's figures on a set depend on; a baseline is named by its key."""
    told = next((one.signature for one in benchmark.systems if one.key == system_key), "")
    return (
        f"{benchmark.program} · set:{set_key} · part:{benchmark.part} · {told or system_key} · "
        f"seed:{benchmark.seed} · resamples:{benchmark.resamples}"
    )


def provenance(benchmark: NumeralBenchmark) -> str:
    """When, where and how, in one line."""
    whole = [] if benchmark.complete else ["not complete"]
    settings = (f"{benchmark.part} part", f"seed {benchmark.seed}", f"{benchmark.resamples:,} resamples")
    return stored.provenance(benchmark.date, benchmark.program, benchmark.machine, *settings, *whole)
