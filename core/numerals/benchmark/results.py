"""What the benchmark of numerals found, as plain data that JSON keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from core.results.benchmark.saved import BenchmarkFile
from core.statistics.figure import Figure

ALL: Final = "all"


class Task(StrEnum):
    """What is measured."""

    RANKING = "ranking"
    SUPPORT = "support"
    CORRUPTION = "corruption"
    CALIBRATION = "calibration"
    FILLING = "filling"


class Split(StrEnum):
    """How rows are divided; a group is one part of it."""

    ALL = "all"
    OPERATION = "operation"
    OPERATOR = "operator"
    KIND = "kind"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFacts:
    """One set.

    Attributes:
        key: As it was asked for.
        name: For people.
        about: What it is.
        rows: Rows that were measured on.
        whole: Rows of the part.
        articles: Different articles among the rows.
        note: On the sample, a sentence; "" for nothing.
        why_not: Why nothing was measured; "" where something was.
    """

    key: str
    name: str
    about: str = ""
    rows: int = 0
    whole: int = 0
    articles: int = 0
    note: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFacts:
    """One system.

    Attributes:
        key: Short name, or the attacher's.
        name: For people.
        signature: What judged, with its parameters; "" for a baseline.
        baseline: It stands there so that a reader sees what is gained.
        why_not: Why it has no figures; "" where it has.
    """

    key: str
    name: str
    signature: str = ""
    baseline: bool = False
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One figure.

    Attributes:
        set: Key of the set.
        task: See `Task`.
        system: Key of the system.
        measure: "first", "equivalent" or "first_three" of a ranking; "found" or "false_alarm" of support;
            "auc" or "flagged" of a corruption; "ece" or "brier" of calibration; "right" or "equal" of
            filling.
        of: The corruption or the probability that is measured; "" for none.
        split: How rows were divided.
        group: Which part.
        rows: Rows that it is over.
        figure: With its interval.
    """

    set: str
    task: Task
    system: str
    measure: str
    of: str = ""
    split: Split = Split.ALL
    group: str = ALL
    rows: int
    figure: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptionFacts:
    """One seeded set of wrong numbers.

    Attributes:
        set: Key of the set it was made of.
        how: See `core.numerals.training.corruptions.Corruption`.
        seed: Of the draw.
        rows: Rows that could be made wrong.
        impossible: Rows that could not.
        unread: Rows of which nothing was read where the number stands, so that nothing could be made.
        landed: Wrong numbers that stand in the article by chance; all of them for a swap.
    """

    set: str
    how: str
    seed: int
    rows: int
    impossible: int
    unread: int
    landed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How a probability of a system keeps its word on a set.

    Attributes:
        set: Key of the set.
        system: Key of the system.
        of: Which probability.
        bins: Low end, high end, rows, mean probability (None where empty), share that came true.
    """

    set: str
    system: str
    of: str
    bins: tuple[tuple[float, float, int, float | None, float | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FillDuel:
    """Two systems that filled the same blanks.

    Attributes:
        set: Key of the set.
        one: Key of the first.
        other: Key of the second.
        rows: Blanks that both filled.
        wins: Blanks that only the first filled as wanted.
        losses: Blanks that only the second did.
        p: McNemar's exact test; None where they never differ.
        corrected: By Holm over the duels of the set.
    """

    set: str
    one: str
    other: str
    rows: int
    wins: int
    losses: int
    p: float | None
    corrected: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralBenchmark:
    """The whole benchmark.

    Attributes:
        date: Day of the run, ISO 8601, UTC.
        program: Name and version.
        machine: Processor, cores and the like.
        seed: Of samples, baselines and resamples.
        resamples: Of the intervals.
        part: The part that was measured.
        sets: In order.
        systems: In order.
        cells: All figures.
        corruptions: What was made wrong.
        reliability: Curves.
        duels: Paired tests of filling.
        seconds: How long each step took, by its name.
        complete: False for what is saved on the way.
    """

    date: str
    program: str
    machine: Mapping[str, Any]
    seed: int
    resamples: int
    part: str
    sets: tuple[SetFacts, ...] = ()
    systems: tuple[SystemFacts, ...] = ()
    cells: tuple[Cell, ...] = ()
    corruptions: tuple[CorruptionFacts, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    duels: tuple[FillDuel, ...] = ()
    seconds: Mapping[str, float] = dataclasses.field(default_factory=dict)
    complete: bool = False

    def cells_of(self, set_key: str, task: Task, split: Split = Split.ALL) -> Iterator[Cell]:
        """The cells of a task on a set, divided in one way."""
        return (one for one in self.cells if (one.set, one.task, one.split) == (set_key, task, split))


FILE: Final = BenchmarkFile(
    NumeralBenchmark, "numeral_benchmark", "a benchmark of numerals", "headline-lab benchmark numerals"
)
