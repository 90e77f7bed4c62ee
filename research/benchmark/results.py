"""What every benchmark finds, as JSON keeps it: sets, systems, cells, comparisons; and the newest table."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from core import files
from core.errors import CoreError, UnknownNameError
from core.models.endpoints import costs
from core.results import json_files
from core.results.number_forms import MARK, duration, footnotes
from core.results.stored import SHIPPED, provenance
from core.results.table import LONG, MOST_COLUMNS, Row, Table, TableColumn, as_page_part, as_text
from core.results.table_files import LATEX_MARK, as_csv, as_latex, as_markdown, latex_signatures
from core.results.text_tables import SIGNATURES
from core.runtime import cache_folder
from core.statistics.bootstrap import Figure, holm
from core.statistics.calibration import Calibration

LAYOUT: Final = 3  # version of the JSON of every benchmark; a file of another version is refused
Bins = tuple[tuple[float, float, int, float | None, float | None], ...]
"""A reliability curve: low and high end, results between them, mean score, share that came true."""
K = TypeVar("K", bound=Any)
B = TypeVar("B", bound=Any)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSet:
    key: str
    name: str
    about: str = ""  # what it is, with its licence where that is known
    language: str = ""
    fingerprint: str = ""
    items: str = "rows"
    count: int = 0  # how many of them
    whole: int = 0  # how many there were before a sample was drawn
    unit: str = ""  # what intervals resample, in the plural
    units: int = 0
    notes: tuple[str, ...] = ()  # what was left out and why, a sentence each
    why_not: str = ""  # why nothing was measured; "" where something was
    measured: str = ""  # the program, day and settings of the run that measured it, in one line


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSystem:
    key: str
    name: str
    signature: str = ""  # what runs, with its parameters; "" where nothing of ours does
    baseline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCell:
    set: str
    system: str
    part: str = ""  # which rows of the set: "" for all, else a division and its value, "operation: copy"
    figures: Mapping[str, Figure] = field(default_factory=dict)
    why_not: str = ""  # why there are no figures; "" where there are
    signature: str = ""  # everything that the figures depend on, in one line
    notes: tuple[str, ...] = ()  # what else to know, a sentence each
    count: int = 0  # how many were measured
    whole: int = 0  # how many there are to measure
    seconds: float | None = None
    memory_mb: float | None = None  # how far memory rose meanwhile, megabytes; None where it was not read
    curves: Mapping[str, Bins] = field(default_factory=dict)
    cost: Mapping[str, float] = field(
        default_factory=dict
    )  # of a model at an address (core.models.endpoints)

    @property
    def priced(self) -> str:
        """Days and cost of the answers of a model at an address; "" where none was asked."""
        days = re.search(r"answered:[^·]* ([\d–-]+)(?= ·|$)", self.signature)
        return f"{days[1] if days else ''}: {costs.after(self.cost)}" if self.cost else ""

    @property
    def summary(self) -> str:
        return self.why_not or f"{self.count:,} measured{timed(self.seconds)}"

    def value(self, measure: str) -> float | None:
        figure = self.figures.get(measure)
        return None if figure is None else figure.value


def timed(seconds: float | None) -> str:
    return "" if seconds is None else f", {duration(seconds)}"


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """A measure of one system minus that of another, on what both measured of one set."""

    set: str
    one: str
    other: str
    measure: str
    difference: Figure  # with its interval, and with the two-sided p-value of no difference
    corrected: float | None = None  # p, by Holm over what the tables show together; None for others
    family: int = 0  # how many p-values it is corrected for; 0 where it is not
    count: int = 0  # pairs, articles or rows that both measured
    wins: int = 0  # those that only the first has right; 0 where nothing is counted so
    losses: int = 0  # those that only the second has right

    def turned(self, first: str) -> Self:
        if self.one == first:
            return self
        gap = self.difference
        value, low, high = (None if end is None else -end for end in (gap.value, gap.high, gap.low))
        gap = replace(gap, value=value, low=low, high=high)
        turned = replace(self, one=self.other, other=self.one, difference=gap)
        return replace(turned, wins=self.losses, losses=self.wins)


def bins_of(curve: Calibration) -> Bins:
    return tuple((part.low, part.high, part.pairs, part.mean_score, part.share) for part in curve.bins)


def long_table(names: Sequence[str], rows: Sequence[Row]) -> Table:
    """Figures as a file holds them, one a line in the column `value`."""
    columns = (TableColumn(name, parts=LONG if name == "value" else ()) for name in names)
    return Table(columns=tuple(columns), rows=tuple(rows))


S = TypeVar("S", bound=BenchmarkSet)


Y = TypeVar("Y", bound=BenchmarkSystem)


C = TypeVar("C", bound=BenchmarkCell)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark(Generic[S, Y, C]):
    date: str
    program: str
    machine: Mapping[str, Any]
    seed: int
    resamples: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    sets: tuple[S, ...] = ()
    systems: tuple[Y, ...] = ()
    cells: tuple[C, ...] = ()  # at least one for each set that could be read and each system
    comparisons: tuple[SystemComparison, ...] = ()
    complete: bool = True  # false where the run was stopped

    about: ClassVar[str] = ""  # what stands above the tables of a page

    def tables(self, facts: S, *, brief: bool) -> Iterator[str | Table]:
        """What is shown of a set, in order; tables with a title are for papers, too."""
        raise NotImplementedError

    def filed(self) -> Table:
        """Every figure as the CSV file holds it."""
        raise NotImplementedError

    def blocks(self, *, brief: bool) -> Iterator[str | Table]:
        """Headings, lines and tables in the order in which they are read; all details if not brief."""
        for facts in self.sets:
            if facts.why_not:
                yield f"{facts.name}: {facts.why_not}"
                continue
            yield f"### {facts.name}"
            unit = f" in {facts.units:,} {facts.unit}, which intervals resample" if facts.unit else ""
            yield " ".join(filter(None, [facts.about, f"{facts.count:,} {facts.items}{unit}.", *facts.notes]))
            yield from self.tables(facts, brief=brief)
            yield from self.warnings(facts.key)
            reasons: dict[str, list[str]] = {}
            for cell in self.cells_of(facts.key):
                if cell.why_not and cell.system in self.names:
                    reasons.setdefault(cell.why_not, []).append(self.names[cell.system])
            if reasons:
                yield "\n".join(f"- {', '.join(names)}: {reason}" for reason, names in reasons.items())

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self) -> str:
        parts = [
            block.removeprefix("### ")
            if isinstance(block, str)
            else "\n".join(filter(None, [block.title, as_text(block)]))
            for block in self.blocks(brief=True)
        ]
        return "\n\n".join([*parts, f"{self.provenance()}\n{SIGNATURES}"])

    def _repr_html_(self) -> str:
        lines = (*self.blocks(brief=False), self.provenance())
        shown = (line.removeprefix("### ") if isinstance(line, str) else line for line in lines)
        return "\n".join(f"<p>{escape(a)}</p>" if isinstance(a, str) else as_page_part(a) for a in shown)

    def as_markdown(self, *, brief: bool = False) -> str:
        parts = ["## Results", self.about]
        for block in self.blocks(brief=brief):
            if isinstance(block, str):
                parts.append(block)
            else:
                title = [f"#### {block.title}"] if block.title else []
                parts += [*title, as_markdown(block), *block.notes]
        return "\n\n".join([*parts, f"*{self.provenance()}*"]) + "\n"

    def as_latex(self, *, columns: int | None = MOST_COLUMNS) -> str:
        tables = list[Table]()
        for block in self.blocks(brief=True):
            if isinstance(block, Table) and block.title:
                tables.append(block)
            elif isinstance(block, str) and block.startswith(MARK):
                tables = [_noted(table, block) for table in tables]
        signed = [(f"{cell.set}, {cell.system}", cell.signature) for cell in self.cells if cell.signature]
        lines = [f"% {self.provenance()}", *latex_signatures(signed)]
        return "".join(as_latex(table, columns=columns) for table in tables) + "\n".join(
            [*dict.fromkeys(lines), ""]
        )

    def as_csv(self) -> str:
        return as_csv(self.filed())

    def set(self, key: str) -> S:
        return {facts.key: facts for facts in self.sets}[key]

    def system(self, key: str) -> Y:
        return {system.key: system for system in self.systems}[key]

    def cell(self, set_key: str, system_key: str, part: str = "") -> C | None:
        wanted = (set_key, system_key, part)
        return next((cell for cell in self.cells if (cell.set, cell.system, cell.part) == wanted), None)

    def cells_of(self, set_key: str, part: str | None = "") -> Iterator[C]:
        return (cell for cell in self.cells if cell.set == set_key and part in (None, cell.part))

    @property
    def names(self) -> dict[str, str]:
        return {system.key: system.name for system in self.systems}

    def against(self, set_key: str, system_key: str) -> SystemComparison | None:
        key = set_key, system_key
        return next((pair for pair in self.comparisons if (pair.set, pair.one) == key), None)

    def warnings(self, set_key: str) -> list[str]:
        cells = list(self.cells_of(set_key, None))
        priced = (f"{self.names[cell.system]}, {cell.priced}" for cell in cells if cell.cost)
        return [*priced, *footnotes(figure.warning for cell in cells for figure in cell.figures.values())]

    def provenance(self, *first: str) -> str:
        settings = (*first, f"seed {self.seed}", f"{self.resamples:,} resamples")
        whole = () if self.complete else ("not complete",)
        return provenance(self.date, self.program, self.machine, *settings, *whole)

    def only(self, key: str) -> Self:
        cells = tuple(self.cells_of(key, None))
        return replace(
            self,
            sets=(self.set(key),),
            systems=tuple(self.system(name) for name in dict.fromkeys(cell.system for cell in cells)),
            cells=cells,
            comparisons=tuple(comparison for comparison in self.comparisons if comparison.set == key),
        )

    def merged(self, newer: Self) -> Self:
        """A newer run in the place of the same sets of this one; sets that it did not measure stay."""
        again = {facts.key for facts in newer.sets}
        known = {system.key for system in newer.systems}
        return replace(
            newer,
            sets=(*(dataset for dataset in self.sets if dataset.key not in again), *newer.sets),
            systems=(*newer.systems, *(system for system in self.systems if system.key not in known)),
            cells=(*(cell for cell in self.cells if cell.set not in again), *newer.cells),
            comparisons=(*(pair for pair in self.comparisons if pair.set not in again), *newer.comparisons),
        )


def set_named(sets: Sequence[K], key: str, what: str) -> K:
    for known in sets:
        if known.key == key:
            return known
    names = ", ".join(known.key for known in sets)
    raise UnknownNameError(f"{what} has no set called {key!r}.", hint=f"Choose one of: {names}.")


def corrected(
    comparisons: Sequence[SystemComparison], shown: Callable[[SystemComparison], bool] = lambda _: True
) -> tuple[SystemComparison, ...]:
    """The comparisons with Holm's correction over those of them that a table shows together."""
    chances = [comparison.difference.p if shown(comparison) else None for comparison in comparisons]
    family = sum(p is not None for p in chances)
    return tuple(
        comparison if p is None else replace(comparison, corrected=p, family=family)
        for comparison, p in zip(comparisons, holm(chances), strict=True)
    )


@dataclass(frozen=True, slots=True)
class BenchmarkFile(Generic[B]):
    kind: type[B]
    name: str  # of its files, before "_benchmark"
    measured: str  # what it measures, in the plural
    command: str  # of `headline-lab`, with its options

    def to_json(self, table: B) -> str:
        return json_files.to_json(table, layout=LAYOUT)

    def from_json(self, text: str | bytes) -> B:
        return json_files.from_json(self.kind, text, **self._errors)

    def load(self, path: Path) -> B:
        return json_files.load(self.kind, path, **self._errors)

    def newest(self) -> B | None:
        """The user's own table, else the one that ships; None where there is neither."""
        for path in self._files():
            try:
                return self.load(path)
            except CoreError:
                continue
        return None

    def version(self) -> str:
        return str([(path.stat().st_mtime_ns, path.stat().st_size) for path in self._files()])

    def keep(self, table: B) -> B:
        """Puts the sets of a new run in place of the same sets of the newest table, and keeps the result."""
        path = cache_folder() / f"{self.name}_benchmark.json"
        files.make_folder(path.parent)
        with files.locked(path.with_name(f".{path.name}.lock")):
            before = self.newest()
            merged: B = table if before is None else before.merged(table)
            files.write(path, self.to_json(merged).encode())
        return merged

    @property
    def _errors(self) -> dict[str, Any]:
        hint = f"Run `headline-lab {self.command} --out FOLDER` again."
        return {"layout": LAYOUT, "what": f"a benchmark of {self.measured}", "hint": hint}

    def _files(self) -> list[Path]:
        # One a day ships; the last name is the newest.
        shipped = sorted(SHIPPED.glob(f"{self.name}_benchmark-*.json"), reverse=True)
        own = cache_folder() / f"{self.name}_benchmark.json"
        return [path for path in (own, *shipped[:1]) if path.is_file()]


def _noted(table: Table, warning: str) -> Table:
    """The table with a note on its marks, where it has one and no such note yet."""
    marked = LATEX_MARK in as_latex(table) and not any(note.startswith(MARK) for note in table.notes)
    return replace(table, notes=(*table.notes, warning)) if marked else table
