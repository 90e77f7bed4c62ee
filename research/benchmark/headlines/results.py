"""What the benchmark of headline systems keeps of its sets and cells beside what every benchmark keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from research.benchmark.headlines.rows import HeadlineSystem
from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkSet, timed
from research.benchmark.saved import BenchmarkFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """One column of a set's table.

    Attributes:
        key: Name of the value in `HeadlineCell.figures`.
        label: For people.
        percent: It goes from 0 to 1 and is shown times 100.
        metric: Signature of the metric that it is of.
    """

    key: str
    label: str
    percent: bool
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSetFacts(BenchmarkSet):
    """One set of articles.

    Attributes:
        columns: What was measured.
        metrics: Library and settings of each metric, by signature; why not, where it could not run.
        main: Key of the column that systems are ranked and tested by; "" for none.
    """

    items: str = "articles"
    columns: tuple[ColumnFacts, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    main: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineCell(BenchmarkCell):
    """One system on one set; figures by key of the column, seconds of writing without loading."""

    empty: int = 0

    @property
    def summary(self) -> str:
        return self.why_not or f"{self.count:,} headlines{timed(self.seconds)}"


HeadlineBenchmark = Benchmark[HeadlineSetFacts, HeadlineSystem, HeadlineCell]
FILE: Final = BenchmarkFile(
    HeadlineBenchmark,
    "headline_benchmark",
    "a benchmark of headline systems",
    "headline-lab benchmark headlines",
)


def against_baseline(benchmark: HeadlineBenchmark, set_key: str, system_key: str) -> float | None:
    """p of a set's main column against the first sentence, by Holm; None where there is nothing to test."""
    found = (one for one in benchmark.comparisons if (one.set, one.one) == (set_key, system_key))
    return next((one.corrected for one in found), None)
