"""What the benchmark of numerals measures, and what it keeps beside what every benchmark keeps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkSet, BenchmarkSystem
from research.benchmark.saved import BenchmarkFile


class NumeralTask(StrEnum):
    """What is measured."""

    RANKING = "ranking"
    SUPPORT = "support"
    CORRUPTION = "corruption"
    CALIBRATION = "calibration"
    FILLING = "filling"


TASKS: Final = {
    NumeralTask.RANKING: ("first", "equivalent", "first_three"),
    NumeralTask.SUPPORT: ("found", "false_alarm"),
    NumeralTask.CORRUPTION: ("auc", "flagged"),
    NumeralTask.CALIBRATION: ("ece", "brier"),
    NumeralTask.FILLING: ("right", "equal"),
}
"""The measures of each task. The name of a figure is a measure, and what it is of where there is something:
"first", "auc digit" (a corruption), "ece support" (a probability)."""


class Split(StrEnum):
    """How rows are divided; the part of a cell is "" for all rows, else the division and its value."""

    OPERATION = "operation"
    OPERATOR = "operator"
    KIND = "kind"

    def part(self, value: str) -> str:
        """The part of a cell: "operation: copy"."""
        return f"{self}: {value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptionFacts:
    """One seeded set of wrong numbers.

    Attributes:
        how: See `research.training.numerals.corruptions.Corruption`.
        seed: Of the draw.
        rows: Rows that could be made wrong.
        impossible: Rows that could not.
        unread: Rows of which nothing was read where the number stands, so that nothing could be made.
        landed: Wrong numbers that stand in the article by chance; all of them for a swap.
    """

    how: str
    seed: int
    rows: int
    impossible: int
    unread: int
    landed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralSetFacts(BenchmarkSet):
    """One set of rows; `units` are its different articles.

    Attributes:
        corruptions: What was made wrong.
    """

    corruptions: tuple[CorruptionFacts, ...] = ()


NumeralBenchmark = Benchmark[NumeralSetFacts, BenchmarkSystem, BenchmarkCell]
FILE: Final = BenchmarkFile(
    NumeralBenchmark, "numeral_benchmark", "a benchmark of numerals", "headline-lab benchmark numerals"
)
