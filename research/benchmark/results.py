"""What every benchmark finds: sets, systems, cells of figures, and paired comparisons, as JSON keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, Self, TypeVar

from core.results import page
from core.results.table import duration, footnotes
from core.statistics.bootstrap import Figure, holm
from core.statistics.calibration import Calibration

LAYOUT: Final = 3
"""Version of the JSON of every benchmark; a file of another version is refused."""

Bins = tuple[tuple[float, float, int, float | None, float | None], ...]
"""A reliability curve: low and high end, results between them, mean score, share that came true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSet:
    """One set of data.

    Attributes:
        key: As it was asked for.
        name: For people.
        about: What it is, with its licence where that is known.
        language: ISO 639-1 code, or "mixed"; "" where nobody asked.
        fingerprint: Of the data as read.
        items: What is measured on, in the plural.
        count: How many of them.
        whole: How many there were before a sample was drawn.
        unit: What intervals resample, in the plural.
        units: How many of them there are.
        notes: What was left out and why, a sentence each.
        why_not: Why nothing was measured; "" where something was.
        measured: The program, day and settings of the run that measured it, in one line.
    """

    key: str
    name: str
    about: str = ""
    language: str = ""
    fingerprint: str = ""
    items: str = "rows"
    count: int = 0
    whole: int = 0
    unit: str = ""
    units: int = 0
    notes: tuple[str, ...] = ()
    why_not: str = ""
    measured: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSystem:
    """One system, a row of the table.

    Attributes:
        key: Short name, as the command takes it.
        name: For people; the paper's where it has one.
        signature: What runs, with its parameters; "" where nothing of ours does.
        baseline: It stands there so that a reader sees what is gained.
    """

    key: str
    name: str
    signature: str = ""
    baseline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCell:
    """One system on one set, or on one part of it.

    Attributes:
        set: Key of the set.
        system: Key of the system.
        part: Which rows of the set: "" for all, else a division and its value, "operation: copy".
        figures: By name of the measure.
        why_not: Why there are no figures; "" where there are.
        signature: Everything that the figures depend on, in one line.
        notes: What else to know, a sentence each.
        count: How many were measured.
        whole: How many there are to measure.
        seconds: That it took, without loading; None where nothing was timed.
        memory_mb: How far memory rose meanwhile, megabytes; None where it was not read.
        curves: Reliability curves of its probabilities, by name.
    """

    set: str
    system: str
    part: str = ""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    why_not: str = ""
    signature: str = ""
    notes: tuple[str, ...] = ()
    count: int = 0
    whole: int = 0
    seconds: float | None = None
    memory_mb: float | None = None
    curves: Mapping[str, Bins] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """What came out, in a few words, while a benchmark runs."""
        return self.why_not or f"{self.count:,} measured{timed(self.seconds)}"

    def value(self, measure: str) -> float | None:
        """The value of a measure; None where it is undefined or was not measured."""
        figure = self.figures.get(measure)
        return None if figure is None else figure.value


def timed(seconds: float | None) -> str:
    """`, 1.5 s`; "" where nothing was timed."""
    return "" if seconds is None else f", {duration(seconds)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemComparison:
    """A measure of one system minus that of another, on what both measured of one set.

    Attributes:
        set: Key of the set.
        one: Key of the first system.
        other: Key of the second.
        measure: What is compared.
        difference: With its interval, and with the two-sided p-value of no difference.
        corrected: The p-value, by Holm over the comparisons that the tables show together; None for others.
        family: How many p-values it is corrected for; 0 where it is not.
        count: Pairs, articles or rows that both measured.
        wins: Those that only the first has right; 0 where nothing is counted so.
        losses: Those that only the second has right.
    """

    set: str
    one: str
    other: str
    measure: str
    difference: Figure
    corrected: float | None = None
    family: int = 0
    count: int = 0
    wins: int = 0
    losses: int = 0

    def turned(self, first: str) -> Self:
        """The comparison as this system minus the other one."""
        if self.one == first:
            return self
        found = self.difference
        low, high = (None if end is None else -end for end in (found.high, found.low))
        value = None if found.value is None else -found.value
        return replace(
            self,
            one=self.other,
            other=self.one,
            difference=replace(found, value=value, low=low, high=high),
            wins=self.losses,
            losses=self.wins,
        )


def bins_of(curve: Calibration) -> Bins:
    """A reliability curve as it is stored."""
    return tuple((one.low, one.high, one.pairs, one.mean_score, one.share) for one in curve.bins)


S = TypeVar("S", bound=BenchmarkSet)
Y = TypeVar("Y", bound=BenchmarkSystem)
C = TypeVar("C", bound=BenchmarkCell)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark(Generic[S, Y, C]):
    """A whole benchmark.

    Attributes:
        date: Day of the run, ISO 8601, UTC.
        program: Name and version.
        machine: Processor, cores and the like.
        seed: Of samples, baselines and resamples.
        resamples: Of the intervals.
        settings: What else was set, as plain values.
        sets: In order.
        systems: In order.
        cells: At least one for each set that could be read and each system.
        comparisons: Of two systems on one set.
        complete: False for what is saved on the way.
    """

    date: str
    program: str
    machine: Mapping[str, Any]
    seed: int
    resamples: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    sets: tuple[S, ...] = ()
    systems: tuple[Y, ...] = ()
    cells: tuple[C, ...] = ()
    comparisons: tuple[SystemComparison, ...] = ()
    complete: bool = True

    def set(self, key: str) -> S:
        return {facts.key: facts for facts in self.sets}[key]

    def system(self, key: str) -> Y:
        return {system.key: system for system in self.systems}[key]

    def cell(self, set_key: str, system_key: str, part: str = "") -> C | None:
        """The cell of a system on a set, or on one part of it; None where there is none."""
        wanted = (set_key, system_key, part)
        return next((cell for cell in self.cells if (cell.set, cell.system, cell.part) == wanted), None)

    def cells_of(self, set_key: str, part: str | None = "") -> Iterator[C]:
        """The cells of a set, of one part of it; None for all parts."""
        return (cell for cell in self.cells if cell.set == set_key and part in (None, cell.part))

    @property
    def names(self) -> dict[str, str]:
        """Names of the systems, by key."""
        return {system.key: system.name for system in self.systems}

    def against(self, set_key: str, system_key: str) -> SystemComparison | None:
        """The comparison of a system with the one that all of a set are compared with; None where none is."""
        found = (
            comparison
            for comparison in self.comparisons
            if (comparison.set, comparison.one) == (set_key, system_key)
        )
        return next(found, None)

    def warnings(self, set_key: str) -> list[str]:
        """What is wrong with the intervals of a set, as notes below its table."""
        cells = self.cells_of(set_key, None)
        return footnotes(figure.warning for cell in cells for figure in cell.figures.values())

    def provenance(self, *first: str) -> str:
        """When, where and how it was measured, in one line."""
        settings = (*first, f"seed {self.seed}", f"{self.resamples:,} resamples")
        whole = () if self.complete else ("not complete",)
        return page.provenance(self.date, self.program, self.machine, *settings, *whole)

    def only(self, key: str) -> Self:
        """The table of one set, with the systems that it has, in the order in which they ran."""
        cells = tuple(self.cells_of(key, None))
        return replace(
            self,
            sets=(self.set(key),),
            systems=tuple(self.system(one) for one in dict.fromkeys(cell.system for cell in cells)),
            cells=cells,
            comparisons=tuple(comparison for comparison in self.comparisons if comparison.set == key),
        )

    def merged(self, newer: Self) -> Self:
        """A newer run in the place of the same sets of this one; sets that it did not measure stay."""
        again = {facts.key for facts in newer.sets}
        known = {system.key for system in newer.systems}
        return replace(
            newer,
            sets=(*(one for one in self.sets if one.key not in again), *newer.sets),
            systems=(*newer.systems, *(one for one in self.systems if one.key not in known)),
            cells=(*(cell for cell in self.cells if cell.set not in again), *newer.cells),
            comparisons=(
                *(comparison for comparison in self.comparisons if comparison.set not in again),
                *newer.comparisons,
            ),
        )


def corrected(
    comparisons: Sequence[SystemComparison], shown: Callable[[SystemComparison], bool] = lambda _: True
) -> tuple[SystemComparison, ...]:
    """The comparisons with Holm's correction over those of them that a table shows together."""
    chances = [comparison.difference.p if shown(comparison) else None for comparison in comparisons]
    family = sum(p is not None for p in chances)
    return tuple(
        one if p is None else replace(one, corrected=p, family=family)
        for one, p in zip(comparisons, holm(chances), strict=True)
    )
