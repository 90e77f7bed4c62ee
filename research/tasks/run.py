"""A task run: every system and seed measured once, each cell stored, and the tables of the whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple

import msgspec
import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.tables import read_bytes
from core.digests import digest
from core.errors import CoreError, InputError
from core.results.number_forms import decimals
from core.results.table import Row, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, enough_resamples, paired_bootstrap
from core.statistics.crossed import variances
from research.benchmark import engine
from research.benchmark.engine import BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.results import (
    Benchmark,
    BenchmarkCell,
    BenchmarkFile,
    BenchmarkSet,
    BenchmarkSystem,
    SystemComparison,
    corrected,
    long_table,
)
from research.tasks.groups import open_groups
from research.tasks.headlines import open_headlines
from research.tasks.items import COLUMN, Answers, Estimates, Items
from research.tasks.pairs import open_pairs
from research.tasks.task import Task, TaskSystem

OPENERS: Final = {"pairs": open_pairs, "headlines": open_headlines, "groups": open_groups}
SEED: Final = "seed"  # before the number, in the part of a cell that holds one seed's figures
_HOLM: Final = "Stars: p of no difference from {}, paired bootstrap, Holm over {} comparisons."


class TaskBenchmark(Benchmark[BenchmarkSet, BenchmarkSystem, BenchmarkCell]):
    about: ClassVar[str] = "Written by `headline-lab run`."

    @property
    def task(self) -> Task:
        return msgspec.convert(self.settings["task"], Task)

    def tables(self, facts: BenchmarkSet, *, brief: bool) -> Iterator[Table]:
        divisions = dict.fromkeys(cell.part.partition(": ")[0] for cell in self.cells)
        for division in divisions:
            cells = [cell for cell in self.cells if cell.part.partition(": ")[0] == division]
            yield self._table(facts, division, [cell for cell in cells if not cell.why_not])
        if len(self.task.seeds) > 1:
            yield self._seeds()

    def _seeds(self) -> Table:
        """Mean and standard deviation over seeds, and how much of the variance between runs seeds explain."""
        from scipy.stats import t

        count, better = len(self.task.seeds), list(self.settings["better"])
        parts = [f"{SEED}: {seed}" for seed in self.task.seeds]
        runs = {(cell.system, cell.part): cell.figures for cell in self.cells if cell.part in parts}
        ran = [system for system in self.names if all((system, part) in runs for part in parts)]
        rows: list[list[Any]] = [[self.names[system]] for system in ran]
        columns, notes = [TableColumn("system")], list[str]()
        for name in better:
            found = [[runs[system, part][name].value for part in parts] for system in ran]
            points = np.array(found, dtype=np.float64).reshape(len(ran), count)  # None becomes NaN
            for row, mean, sd in zip(rows, points.mean(axis=1), points.std(axis=1, ddof=1), strict=True):
                reach = float(t.ppf(0.975, count - 1) * sd / count**0.5)
                known = Figure(float(mean), low=float(mean) - reach, high=float(mean) + reach)
                row.extend([known, float(sd)] if np.isfinite(mean) else [None, None])
            columns += [TableColumn(name), TableColumn(f"{name} sd", form=decimals(4))]
            shares = variances(points.T)
            if len(ran) > 1 and sum(shares) > 0:
                each = [f"{100 * share / sum(shares):.0f} %" for share in shares]
                said = f"{name}: of the variance between runs the system explains {each[0]}, the seed "
                notes.append(f"{said}{each[1]}, the seed within a system {each[2]}.")
        said = f"Brackets: 95 % intervals over {count} seeds (Student's t), which hold for these items alone."
        title = f"{self.task.title or self.sets[0].name}, over seeds"
        return Table(title=title, columns=tuple(columns), rows=tuple(map(tuple, rows)), notes=(said, *notes))

    def _table(self, facts: BenchmarkSet, division: str, cells: Sequence[BenchmarkCell]) -> Table:
        better: dict[str, Any] = self.settings["better"]
        title = f"{self.task.title or facts.name}{', by ' if division else ''}{division}"
        columns = [TableColumn("system")]
        columns += [TableColumn(division), TableColumn(facts.items)] if division else []
        marks: dict[str, Any] = dict.fromkeys(better, "") if division else better
        columns += [TableColumn(name, better=marks[name]) for name in better]
        rows: list[Row] = []
        for cell in cells:
            part = (cell.part.partition(": ")[2], cell.count) if division else ()
            rows.append((self.names[cell.system], *part, *(cell.figures[name] for name in better)))
        tested = sum(figure.p is not None for cell in cells for figure in cell.figures.values())
        notes = (_HOLM.format(self.names[self.task.base], tested),) if tested else ()
        return Table(title=title, columns=tuple(columns), rows=tuple(rows), notes=notes)

    def filed(self) -> Table:
        names = ("set", "system", "part", "measure", "value", "p_holm", "count", "why_not", "signature")
        rows: list[Row] = []
        for cell in self.cells:
            for measure, figure in (cell.figures or {"": Figure(None)}).items():
                own = cell.set, cell.system, cell.part, measure, figure, figure.p
                rows.append((*own, cell.count, cell.why_not, cell.signature))
        return long_table(names, rows)


FILE: Final = BenchmarkFile(TaskBenchmark, "task", "a task", "run TASK")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededSystem(BenchmarkSystem):
    given: TaskSystem
    seed: int
    content: str = ""  # digest of the file of answers


class FinishedTask(NamedTuple):
    table: TaskBenchmark
    items: Items
    answers: Mapping[str, Sequence[Answers]]  # of each system that ran, by seed


@dataclass(frozen=True, slots=True, eq=False)
class TaskPlan(BenchmarkPlan[TaskBenchmark]):
    task: Task
    items: Items
    sets: Sequence[str]
    systems: Sequence[SeededSystem]
    resamples: int
    done: dict[str, list[Answers]]
    compared: list[SystemComparison]

    table: type[TaskBenchmark] = TaskBenchmark

    def open(self, key: str, runtime: Runtime) -> Items:
        return self.items

    def closed(self, key: str, error: CoreError) -> BenchmarkSet:
        raise error

    def settings(self) -> Mapping[str, Any]:
        return {"task": msgspec.to_builtins(self.task), "better": dict(self.items.better)}

    def settings_line(self) -> str:
        return f"task:{digest(repr(self.task), digits=16)}"

    def depends_on(self, system: SeededSystem, data: Items, runtime: Runtime) -> Sequence[str]:
        own = [] if system.given.file else data.depends_on(system.given, runtime)
        return [self.task.unit, *data.better, *own]

    def measure(self, system: SeededSystem, data: Items, runtime: Runtime) -> Outcome:
        answered = data.ask(system.given, replace(runtime, seed=system.seed))
        parts = answered.signature.split(" · ")
        parts += [] if f"seed:{system.seed}" in parts else [f"seed:{system.seed}"]
        signature = " · ".join(parts)
        known: dict[str, Any] = {"signature": signature, "notes": answered.notes}
        known["count"] = int(data.answered(answered.answers).sum())
        return Outcome((BenchmarkCell(set=data.facts.key, system=system.key, **known),), answered.answers)

    def finish(
        self, data: Items, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[BenchmarkSet, Sequence[BenchmarkCell], Sequence[SystemComparison]]:
        by_name: dict[str, list[tuple[int, Outcome]]] = {}
        for system in self.systems:
            by_name.setdefault(system.given.name, []).append((system.seed, outcomes[system.key]))
        cells: list[BenchmarkCell] = []
        for name, runs in by_name.items():
            if failed := next((outcome.cell for _, outcome in runs if outcome.cell.why_not), None):
                cells.append(replace(failed, system=name))
            else:
                self.done[name] = [outcome.arrays for _, outcome in runs]
        whole = np.arange(data.facts.count)
        cells += self._cells([("", whole)], by_name)
        if len(self.task.seeds) > 1:
            for at, seed in enumerate(self.task.seeds):
                cells += self._cells([(f"{SEED}: {seed}", whole)], by_name, only=at)
        for name in self.task.slices:
            cells += self._cells([(f"{name}: {part.label}", part.rows) for part in data.parts(name)], by_name)
        return data.facts, cells, self.compared

    def _cells(
        self,
        parts: Sequence[tuple[str, IntArray]],
        by_name: Mapping[str, Sequence[tuple[int, Outcome]]],
        only: int | None = None,
    ) -> list[BenchmarkCell]:
        """A cell for each part and system, p corrected over all of them."""
        cells, found = list[BenchmarkCell](), list[tuple[int, SystemComparison]]()
        how: dict[str, Any] = {"resamples": self.resamples, "seed": 0}
        for part, rows in parts:
            for name, every in self.done.items():
                runs = every if only is None else [every[only]]
                own = common_rows(self.items, runs, rows)
                count, unit = self.items.units(own)
                figures = {}
                for measure, (value, drawn) in estimates(self.items, runs, own, **how).items():
                    figures[measure] = Figure.resampled(
                        value, drawn, units=count, unit=unit, count=len(own), reason="undefined here"
                    )
                if only is None and name != self.task.base and self.task.base in self.done:
                    base = self.done[self.task.base]
                    gaps = differences(self.items, runs, base, rows, **how)
                    named = self.items.facts.key, name, self.task.base
                    count = len(common_rows(self.items, [*runs, *base], rows))
                    pairs = (SystemComparison(*named, *gap, count=count) for gap in gaps.items())
                    found += [(len(cells), pair) for pair in pairs]
                cell = by_name[name][only or 0][1].cell
                known = {"part": part, "figures": figures, "count": len(own), "whole": len(rows)}
                cells.append(replace(cell, system=name, **known))
        tested = corrected([pair for _, pair in found])
        for (place, _), pair in zip(found, tested, strict=True):
            figure = replace(cells[place].figures[pair.measure], p=pair.corrected)
            figures = {**cells[place].figures, pair.measure: figure}
            cells[place] = replace(cells[place], figures=figures)
        if not parts[0][0]:
            self.compared.extend(tested)
        return cells


def common_rows(items: Items, runs: Sequence[Answers], rows: IntArray) -> IntArray:
    """Those of some items that all runs answered."""
    return np.asarray(rows[np.all([items.answered(answers)[rows] for answers in runs], axis=0)])


def estimates(
    items: Items, runs: Sequence[Answers], rows: IntArray, *, resamples: int, seed: int
) -> Estimates:
    """The mean over seeds of each measure, and of each resample of it."""
    nothing: tuple[None, FloatArray] = (None, np.full(resamples, np.nan))
    if not len(rows):
        return dict.fromkeys(items.better, nothing)
    each = [items.estimate(answers, rows, resamples=resamples, seed=seed) for answers in runs]
    found = {}
    for name in items.better:
        values = [value for value, _ in (one[name] for one in each) if value is not None]
        mean = sum(values) / len(values) if len(values) == len(each) else None
        found[name] = mean, np.mean([one[name][1] for one in each], axis=0)
    return found


def differences(
    items: Items, runs: Sequence[Answers], others: Sequence[Answers], rows: IntArray, **how: int
) -> dict[str, Figure]:
    """Each measure of one system minus that of another, on what both answered."""
    both = common_rows(items, [*runs, *others], rows)
    count, unit = items.units(both)
    mine, theirs = estimates(items, runs, both, **how), estimates(items, others, both, **how)
    found = {}
    for name in items.better:
        (value, drawn), (other, beside) = mine[name], theirs[name]
        gap = None if value is None or other is None else value - other
        found[name] = paired_bootstrap(drawn, beside, gap, count=count, units=unit)
    return found


def open_items(task: Task, place: str) -> Items:
    items = OPENERS[task.unit](task, place)
    for system in task.systems:
        if not system.file:
            items.signature(system)  # an unknown method costs no run
    for name in task.slices:
        if name not in items.slices and not name.startswith(COLUMN):
            said = f"{name!r} divides no {task.unit}."
            raise InputError(said, hint=f"Choose from {', '.join(items.slices)}, or {COLUMN}NAME.")
        if name.startswith(COLUMN):
            items.values(name)  # says what is wrong before anything runs
    return items


def run_task(
    task: Task, items: Items, runtime: Runtime, *, on_outcome: OnOutcome | None = None
) -> FinishedTask:
    """Measures every system of a task, what was measured before taken from the cache."""
    systems = [
        SeededSystem(
            key=f"{system.name}, {SEED} {seed}",
            name=system.name,
            given=system,
            seed=seed,
            content=digest(read_bytes(system.file).hex(), digits=16) if system.file else "",
        )
        for system in task.systems
        for seed in task.seeds
    ]
    family = (len(task.systems) - 1) * len(items.better)
    resamples = max(task.resamples, enough_resamples(family))
    plan = TaskPlan(task, items, [task.data], systems, resamples, {}, [])
    table = engine.run_plan(plan, replace(runtime, seed=0), on_outcome=on_outcome)
    named: Any = tuple(BenchmarkSystem(key=system.name, name=system.name) for system in task.systems)
    return FinishedTask(replace(table, systems=named), items, plan.done)


def listed(finished: FinishedTask) -> Table:
    """The items, what they are told apart by, and the answer of each system and seed."""
    items, task = finished.items, finished.table.task
    columns = dict(items.listed()) | {name: list(items.values(name)) for name in task.slices}
    for name, runs in finished.answers.items():
        for seed, answers in zip(task.seeds, runs, strict=True):
            columns[f"{name}, {SEED} {seed}" if len(runs) > 1 else name] = items.shown(answers)
    return Table(columns=tuple(map(TableColumn, columns)), rows=tuple(zip(*columns.values(), strict=True)))
