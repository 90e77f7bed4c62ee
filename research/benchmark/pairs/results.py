"""What the benchmark of pair scorers keeps of its sets and cells beside what every benchmark keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from research.benchmark.pairs.rows import ALWAYS_YES, HUMAN, MOST_FREQUENT, PairSystem
from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkSet
from research.benchmark.saved import BenchmarkFile


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSetFacts(BenchmarkSet):
    """One pair set; `count` is of its labelled test pairs.

    Attributes:
        pairs: Labelled pairs by part.
        positives: Those of the same event by part.
        dated: Share of the test pairs with both dates.
        bodies: Share of the test pairs with both articles.
        annotated: How many people's own groups come with it.
    """

    items: str = "test pairs"
    pairs: Mapping[str, int] = field(default_factory=dict)
    positives: Mapping[str, int] = field(default_factory=dict)
    dated: float = 0.0
    bodies: float = 0.0
    annotated: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCell(BenchmarkCell):
    """One scorer on one set.

    Figures: f1, precision, recall, accuracy, average_precision, roc_auc, calibration_error, calibrated_error
    (after a curve fitted where the threshold was chosen), brier, and validation_f1 (at the same threshold).
    The curve `score` is its reliability.

    Attributes:
        counts: tp, fp, fn and tn.
        threshold: Score from which a pair was called the same event; None where a row has none.
        chosen_on: Which pairs chose the threshold, in words.
        tuned_pairs: Pairs that chose the threshold.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    threshold: float | None = None
    chosen_on: str = ""
    tuned_pairs: int = 0

    @property
    def summary(self) -> str:
        f1 = self.value("f1")
        return self.why_not if f1 is None else f"F1 {f1:.3f}"

    @property
    def pairs_per_second(self) -> float | None:
        """Without loading and encoding; None where nothing was timed."""
        return self.count / self.seconds if self.seconds else None


PairBenchmark = Benchmark[PairSetFacts, PairSystem, PairCell]
FILE: Final = BenchmarkFile(
    PairBenchmark, "pair_benchmark", "a benchmark of pair scorers", "headline-lab benchmark pairs"
)


def is_part(cell: PairCell) -> bool:
    """Whether a row was measured on a part of the set's test pairs."""
    return 0 < cell.count < cell.whole


def best(cells: Sequence[PairCell]) -> PairCell | None:
    """The cell of the scorer with the highest F1 on a set; None where none has one.

    Like is compared with like: people and one answer to every pair are no rivals of scorers, nor is a row
    measured on a part of the pairs one of those measured on more.
    """
    apart = (HUMAN, ALWAYS_YES, MOST_FREQUENT)
    scorers = [cell for cell in cells if cell.value("f1") is not None and cell.system not in apart]
    most = max((cell.count for cell in scorers), default=0)
    return max(
        (cell for cell in scorers if cell.count == most),
        key=lambda cell: cell.value("f1") or 0.0,
        default=None,
    )
