"""The folder of a run, and two of them compared."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from core import files
from core.errors import DataSourceError, InputError
from core.results.number_forms import chance
from core.results.page import html_page
from core.results.table import Row, Table, TableColumn
from core.results.table_files import as_csv
from core.statistics.bootstrap import holm
from core.tensor_files import write_arrays
from research.tasks.items import Answers, Items, data_of
from research.tasks.run import FILE, FinishedTask, TaskBenchmark, differences, listed, open_items
from research.tasks.task import Task

TABLE: Final = "table.json"
ANSWERS: Final = "answers.safetensors"
ENVIRONMENT: Final = "environment.txt"
_PAGE: Final = "<h1>{{ title }}</h1>\n<p>{{ about }}</p>\n{{ tables|safe }}\n"


def open_in(task: Task, folder: Path) -> Items:
    """Opens the data of a task for a folder; InputError where that holds a run of something else."""
    files.make_folder(folder)
    before = FILE.load(folder / TABLE) if (folder / TABLE).is_file() else None
    if before is not None and before.task.unit != task.unit:
        raise _other(folder)
    items = open_items(task, data_of(task, folder))
    if before is not None and before.sets[0].fingerprint != items.facts.fingerprint:
        raise _other(folder)
    return items


def _other(folder: Path) -> InputError:
    return InputError(f"{folder} holds a run on other data.", hint="Give another folder (--out).")


def write_run(folder: Path, finished: FinishedTask, *, columns: int | None) -> None:
    table = finished.table
    latex = table.as_latex(columns=columns)
    texts = {"table.csv": table.as_csv(), "table.tex": latex, "items.csv": as_csv(listed(finished))}
    texts |= {ENVIRONMENT: environment(table)}
    for name, text in texts.items():
        files.write(folder / name, text.encode())
    files.write(folder / "report.html", report(table))
    arrays = {
        f"{system}\x1f{at}\x1f{name}": array
        for system, runs in finished.answers.items()
        for at, answers in enumerate(runs)
        for name, array in answers.items()
    }
    write_arrays(folder / ANSWERS, arrays)
    files.write(folder / TABLE, FILE.to_json(table).encode())  # last: what has it is whole


def environment(table: TaskBenchmark) -> str:
    """Python, machine and every installed package with its version, as pip reads them."""
    found = {f"{one.metadata['Name']}=={one.version}" for one in distributions()}
    about = [f"# {name}: {value}" for name, value in sorted(table.machine.items())]
    return "\n".join([f"# {table.program}", *about, *sorted(found, key=str.casefold)]) + "\n"


def report(table: TaskBenchmark) -> bytes:
    systems = ", ".join(table.names.values())
    about = f"{table.task.unit}: {systems}. items.csv has the answer to each item."
    title = table.task.title or table.sets[0].name
    return html_page(_PAGE, title=title, about=about, tables=table._repr_html_())


def read_run(folder: Path) -> tuple[TaskBenchmark, dict[str, list[Answers]]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    table = FILE.load(folder / TABLE)
    try:
        arrays = load_file(folder / ANSWERS)
    except (OSError, SafetensorError):
        said = f"{folder / ANSWERS} cannot be read."
        raise DataSourceError(said, hint="Run the task again.") from None
    answers: dict[str, list[Any]] = {}
    for key in sorted(arrays, key=lambda key: int(key.split("\x1f")[1])):
        system, at, name = key.split("\x1f")
        runs = answers.setdefault(system, [])
        if int(at) == len(runs):
            runs.append({})
        runs[int(at)][name] = arrays[key]
    return table, answers


def compare_runs(left: Path, right: Path) -> tuple[list[str], Table]:
    """What changed from one run to another, and the differences of systems that both have.

    InputError where the runs are not of the same items.
    """
    (before, old), (after, new) = read_run(left), read_run(right)
    same = before.sets[0].fingerprint == after.sets[0].fingerprint and before.task.unit == after.task.unit
    both = [name for name in new if name in old]
    if not same or not both:
        said = "have no system in common" if same else "measured different data"
        raise InputError(f"{left} and {right} {said}.", hint="Compare runs of the same items and systems.")
    task = after.task
    items = open_items(msgspec.structs.replace(task, slices=()), data_of(task, right))
    if items.facts.fingerprint != after.sets[0].fingerprint:
        raise InputError(f"The data of {right} have changed.", hint="Run the task again.")
    shared = {name: better for name, better in items.better.items() if name in before.settings["better"]}
    items = replace(items, better=shared)
    how = {"resamples": max(before.resamples, after.resamples), "seed": 0}
    whole = np.arange(items.facts.count)
    gaps = [
        (name, measure, gap)
        for name in both
        for measure, gap in differences(items, new[name], old[name], whole, **how).items()
    ]
    corrected = holm([gap.p for _, _, gap in gaps])
    rows: list[Row] = []
    for (name, measure, gap), p in zip(gaps, corrected, strict=True):
        cells = [run.cell(run.sets[0].key, name) for run in (before, after)]
        values = [cell.figures[measure] if cell else None for cell in cells]
        values = [replace(value, p=None) if value else None for value in values]
        holds = "not tested" if p is None else "yes" if p < 0.05 else "no"
        rows.append((name, measure, *values, replace(gap, p=None), chance(p), holds))
    names = ("system", "measure", left.name, right.name, "difference", "p (Holm)", "holds")
    note = f"Paired bootstrap, Holm over {sum(p is not None for p in corrected)} comparisons."
    table = Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows), notes=(note,))
    return changes(before, after, (left, right)), table


def changes(before: TaskBenchmark, after: TaskBenchmark, folders: Sequence[Path]) -> list[str]:
    lines = []
    old, new = (msgspec.to_builtins(run.task) for run in (before, after))
    plain = {"program": (before.program, after.program), "machine": (before.machine, after.machine)}
    plain |= {name: (old[name], new[name]) for name in new if name != "systems"}
    lines += [f"{name}: {was} → {now}" for name, (was, now) in plain.items() if was != now]
    mine, theirs = (
        {cell.system: cell.why_not or cell.signature for cell in run.cells_of(run.sets[0].key)}
        for run in (before, after)
    )
    lines += [f"{name}: only in {folders[0].name}" for name in mine if name not in theirs]
    lines += [f"{name}: only in {folders[1].name}" for name in theirs if name not in mine]
    both = [name for name in theirs if name in mine and mine[name] != theirs[name]]
    lines += [f"{name}: {mine[name]} → {theirs[name]}" for name in both]
    packages = [
        set((folder / ENVIRONMENT).read_text(encoding="utf-8").splitlines())
        for folder in folders
        if (folder / ENVIRONMENT).is_file()
    ]
    if len(packages) == 2 and (changed := packages[0] ^ packages[1]):
        lines.append(f"packages: {', '.join(sorted(line for line in changed if line[:1] != '#'))}")
    return [line for line in lines if not line.endswith(": ")] or ["Nothing changed."]
