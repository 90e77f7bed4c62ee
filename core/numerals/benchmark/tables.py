"""The benchmark for reading: as text, CSV and LaTeX; the page is in `pages`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.numerals.benchmark.results import ALL, Cell, NumeralBenchmark, SetFacts, Split, Task
from core.results.delimited import delimited
from core.results.forms import MARK, marked
from core.results.render import SIGNATURES, aligned, latex_signatures
from core.results.text import escape_latex
from core.statistics.few_units import ENOUGH
from core.statistics.figure import Figure

NOTHING: Final = "–"
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


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table over systems.

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


def _by_operation(measure: str) -> tuple[Column, ...]:
    return tuple(
        Column(label, measure, "", *place)
        for label, place in (
            ("all", (Split.ALL, ALL)),
            ("copy", (Split.OPERATION, "copy")),
            ("reasoning", (Split.OPERATION, "reasoning")),
        )
    )


_WRONG: Final = ("digit", "magnitude", "swap")
MAIN: Final[dict[Task, tuple[Column, ...]]] = {
    Task.RANKING: (
        *_by_operation("first"),
        *(Column(LABELS[name], name) for name in ("equivalent", "first_three")),
    ),
    Task.SUPPORT: (*_by_operation("found"), Column(LABELS["false_alarm"], "false_alarm")),
    Task.CORRUPTION: (
        *(Column(f"{how}, AUC", "auc", how) for how in _WRONG),
        *(Column(f"{how}, flagged", "flagged", how) for how in _WRONG),
    ),
    Task.CALIBRATION: tuple(
        Column(f"{of}, {LABELS[name]}", name, of)
        for of in ("support", "derivation", "answer")
        for name in ("ece", "brier")
    ),
    Task.FILLING: (*_by_operation("right"), Column("equal in value", "equal")),
}
"""The columns of each task's table over systems."""
TITLES: Final = {
    Task.RANKING: "Gold derivation ranked first",
    Task.SUPPORT: "Support of numbers that are right",
    Task.CORRUPTION: "Numbers made wrong",
    Task.CALIBRATION: "Calibration",
    Task.FILLING: "Blanks filled",
}
DETAIL: Final = {
    Task.RANKING: (("first", ""), ("equivalent", "")),
    Task.SUPPORT: (("found", ""),),
    Task.CORRUPTION: tuple((measure, how) for how in _WRONG for measure in ("auc", "flagged")),
    Task.FILLING: (("right", ""),),
}
"""What is also shown by operator and by kind: measures, and of what."""


def as_text(benchmark: NumeralBenchmark) -> str:
    """The main tables for a terminal, and why systems and sets have no figures."""
    parts = []
    for one in benchmark.sets:
        if one.why_not:
            parts += [f"{one.name}: {one.why_not}", ""]
            continue
        parts += [f"{one.name}: {size_words(one)}", ""]
        for task, columns in MAIN.items():
            body = systems_table(benchmark, one, task, columns)
            if len(body) > 1:
                parts += [TITLES[task], *_ruled(body), ""]
        parts += warnings(benchmark, one)
    parts += [f"{system.name}: {system.why_not}" for system in benchmark.systems if system.why_not]
    return "\n".join([*parts, provenance(benchmark), SIGNATURES])


def as_csv(benchmark: NumeralBenchmark) -> str:
    """One line a figure, as stored."""
    lines: list[Sequence[object]] = []
    lines.append(
        [
            *("set", "part", "task", "system", "name", "measure", "of", "split", "group", "rows"),
            *("value", "low", "high", "warning", "reason", "signature"),
        ]
    )
    systems = {one.key: one for one in benchmark.systems}
    for cell in benchmark.cells:
        system = systems.get(cell.system)
        figure = cell.figure
        lines.append(
            [
                *(
                    cell.set,
                    benchmark.part,
                    str(cell.task),
                    cell.system,
                    system.name if system else cell.system,
                ),
                *(cell.measure, cell.of, str(cell.split), cell.group, cell.rows),
                *(_plain(value) for value in (figure.value, figure.low, figure.high)),
                figure.warning,
                figure.reason,
                signature(benchmark, cell.set, cell.system),
            ]
        )
    return delimited(lines)


def as_latex(benchmark: NumeralBenchmark) -> str:
    """The main tables for a paper, in booktabs form, the best of each column in bold."""
    lines = [r"% needs \usepackage{booktabs}"]
    for one in benchmark.sets:
        for task, columns in MAIN.items():
            body = systems_table(benchmark, one, task, columns, spans=False)
            if one.why_not or len(body) < 2:
                continue
            best = [_best(benchmark, one, task, column) for column in columns]
            lines += [
                f"% {escape_latex(one.name)}: {TITLES[task]}",
                rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
                r"\toprule",
                " & ".join(["System", *(escape_latex(column.label) for column in columns)]) + r" \\",
                r"\midrule",
            ]
            for name, *values in body[1:]:
                shown = [
                    rf"\textbf{{{escape_latex(value)}}}" if value == top != NOTHING else escape_latex(value)
                    for value, top in zip(values, best, strict=True)
                ]
                lines.append(" & ".join([escape_latex(name), *shown]) + r" \\")
            lines += [r"\bottomrule", r"\end{tabular}", ""]
    measured = dict.fromkeys((cell.set, cell.system) for cell in benchmark.cells)
    signed = latex_signatures(
        (f"{one}, {system}", signature(benchmark, one, system)) for one, system in measured
    )
    return "\n".join([*lines, f"% {provenance(benchmark)}", *signed]) + "\n"


def systems_table(
    benchmark: NumeralBenchmark,
    one: SetFacts,
    task: Task,
    columns: Sequence[Column],
    *,
    spans: bool = True,
) -> list[list[str]]:
    """A heading and one line for each system that has a figure, with or without intervals."""
    cells = {
        (cell.system, cell.measure, cell.of, cell.split, cell.group): cell
        for cell in benchmark.cells
        if (cell.set, cell.task) == (one.key, task)
    }
    body = [["", *(column.label for column in columns)]]
    for system in benchmark.systems:
        own = [
            cells.get((system.key, column.measure, column.of, column.split, column.group))
            for column in columns
        ]
        if any(own):
            body.append([system.name, *(_shown(cell, spans=spans) for cell in own)])
    return body


def groups_table(
    benchmark: NumeralBenchmark, one: SetFacts, task: Task, *, measure: str, of: str, split: Split
) -> list[list[str]]:
    """A heading and one line for each operator or kind, a column for each system."""
    cells = [
        cell for cell in benchmark.cells_of(one.key, task, split) if (cell.measure, cell.of) == (measure, of)
    ]
    names = {system.key: system.name for system in benchmark.systems}
    systems = [key for key in names if any(cell.system == key for cell in cells)]
    groups = list(dict.fromkeys(cell.group for cell in cells))
    by = {(cell.group, cell.system): cell for cell in cells}
    body = [[str(split), "rows", *(names[key] for key in systems)]]
    for group in groups:
        own = [by.get((group, key)) for key in systems]
        rows = next(cell.rows for cell in own if cell is not None)
        body.append([group, f"{rows:,}", *(_shown(cell) for cell in own)])
    return body


def spanned(figure: Figure, *, percent: bool, spans: bool = True) -> str:
    """A figure for people with its interval; a dash where it is undefined."""
    if figure.value is None:
        return NOTHING
    value = _number(figure.value, percent=percent)
    if not spans:
        return value
    if figure.low is None or figure.high is None:
        return marked(value, figure.warning)
    low, high = (_number(end, percent=percent) for end in (figure.low, figure.high))
    return marked(f"{value} [{low}, {high}]", figure.warning)


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
    machine = benchmark.machine
    whole = "" if benchmark.complete else ", not complete"
    return (
        f"{benchmark.date}, {benchmark.program}, {machine.get('cores')} cores ({machine.get('processor')}), "
        f"{benchmark.part} part, seed {benchmark.seed}, {benchmark.resamples:,} resamples{whole}."
    )


def _shown(cell: Cell | None, *, spans: bool = True) -> str:
    if cell is None:
        return NOTHING
    return spanned(cell.figure, percent=cell.measure not in ("auc", "ece", "brier"), spans=spans)


def _best(benchmark: NumeralBenchmark, one: SetFacts, task: Task, column: Column) -> str:
    """The best value of a column as it is shown; shares of false alarms and errors are better lower."""
    cells = [
        cell
        for cell in benchmark.cells_of(one.key, task, column.split)
        if (cell.measure, cell.of, cell.group) == (column.measure, column.of, column.group)
        and cell.figure.value is not None
    ]
    if not cells:
        return NOTHING
    low = column.measure in ("false_alarm", "ece", "brier")
    top = (min if low else max)(cells, key=lambda cell: cell.figure.value or 0.0)
    return _shown(top, spans=False)


def _number(value: float, *, percent: bool) -> str:
    return f"{100 * value:.1f}" if percent else f"{value:.3f}"


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _ruled(body: Sequence[Sequence[str]]) -> list[str]:
    lines = aligned(body)
    return [lines[0], "-" * len(lines[0]), *lines[1:]]
