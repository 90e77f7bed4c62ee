"""Cases put to a scorer, and those that it failed."""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array
from core.consistency.checks.check import Case, Expected

Pair = tuple[str, str, datetime.date | None, datetime.date | None]
Scorer = Callable[[Sequence[Pair]], Float32Array]  # of pairs, a first; NaN for what cannot be scored


@dataclass(frozen=True, slots=True)
class Failure:
    case: Case
    score: float
    original_score: float | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    check: str
    cases: int
    unscored: int
    failures: tuple[Failure, ...]

    @property
    def failure_rate(self) -> float | None:
        """Failures over cases, 0 to 1; None without a scored case."""
        return len(self.failures) / self.cases if self.cases else None


def run_suite(cases: Sequence[Case], score: Scorer, threshold: float) -> list[CheckResult]:
    originals = [place for place, case in enumerate(cases) if case.expected is Expected.UNCHANGED]
    pairs = [(case.a, case.b, case.date_a, case.date_b) for case in cases]
    pairs += [
        (cases[place].original_a, cases[place].original_b, cases[place].date_a, cases[place].date_b)
        for place in originals
    ]
    scores = score(pairs) if pairs else np.empty(0, dtype=np.float32)
    before = np.full(len(cases), np.nan)
    before[originals] = scores[len(cases) :]
    by_check: dict[str, list[tuple[Case, float, float]]] = {}
    for case, score_of_it, original in zip(
        cases, scores[: len(cases)].tolist(), before.tolist(), strict=True
    ):
        by_check.setdefault(case.check, []).append((case, score_of_it, original))
    return [_result(name, answers, threshold) for name, answers in by_check.items()]


def _result(check: str, answers: Sequence[tuple[Case, float, float]], threshold: float) -> CheckResult:
    failures, scored = [], 0
    limit = np.float32(threshold)
    for case, score, original in answers:
        unchanged = case.expected is Expected.UNCHANGED
        if np.isnan(score) or (unchanged and np.isnan(original)):
            continue
        scored += 1
        wanted = original >= limit if unchanged else case.expected is Expected.SAME
        if (score >= limit) != wanted:
            failures.append(Failure(case, score, original if unchanged else None))
    failures.sort(key=lambda failure: -abs(failure.score - threshold))
    return CheckResult(check, scored, len(answers) - scored, tuple(failures))
