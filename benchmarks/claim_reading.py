"""How well the claim reader tells right headlines of unseen NumHG articles from wrong ones made of them.

Each right headline is asked about with the sentences of its annotated sources, and once more for each way
to make it wrong that can be made. Thresholds are those below which 1 % and 3 % of the validation part's
right headlines lie; the test part shows what they flag. Intervals are of 2,000 resamples of the test
articles. Sentences come from annotations, not from the search for derivations, so this is the network
alone; what the whole check flags stands in [the numeral benchmark](numeral_benchmark.md). Few right
headlines have a bound, and most that have one are flagged, too: the figures of bounds say that the network
sees a bound, not that it compares it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.sets import load_blanks
from core.numerals.entailing.rereading import ClaimReader
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, interval
from research.training.numerals.claim_facts import claim_facts
from research.training.numerals.claim_rivals import (
    FALSE_ALARMS,
    ORIGINAL,
    WRONG,
    ClaimTrial,
    claim_trials,
    figures,
    threshold_at,
)
from research.training.numerals.claim_training import WATCH_SEED

TEST_SEED: Final = 103
"""Of the wrong headlines of the test part."""


def run() -> dict[str, Any]:
    """One row a kind of wrong headline, and one of the right ones."""
    runtime = Runtime()
    blanks = load_blanks("numhg")
    model = ClaimReader().build(runtime)
    scored: dict[Part, tuple[list[ClaimTrial], FloatArray]] = {}
    seconds = 0.0
    for part, seed in ((Part.VALIDATION, WATCH_SEED), (Part.TEST, TEST_SEED)):
        trials = claim_trials(claim_facts(blanks.part(part), runtime), seed)
        began = time.process_time()
        scores = model.log_odds([trial.question for trial in trials], runtime)
        seconds = (time.process_time() - began) / len(trials)
        scored[part] = (trials, scores)
    watched, watched_scores = scored[Part.VALIDATION]
    right = watched_scores[[trial.kind == ORIGINAL for trial in watched]]
    thresholds = [threshold_at(right, share) for share in FALSE_ALARMS]
    return {
        "benchmark": "Claims about numbers",
        "processor_milliseconds_a_question": round(1000 * seconds, 1),
        "rows": _rows(*scored[Part.TEST], thresholds),
    }


def _rows(
    trials: Sequence[ClaimTrial], scores: FloatArray, thresholds: Sequence[float]
) -> list[dict[str, Any]]:
    kinds = np.array([trial.kind for trial in trials])
    told = figures(trials, scores)
    found = []
    for kind in (ORIGINAL, *WRONG):
        mine = kinds == kind
        row: dict[str, Any] = {"headlines": "right, flagged wrongly" if kind == ORIGINAL else kind}
        row["n"] = int(mine.sum())
        row["AUC"] = round(told[kind].auc, 3) if kind in told else None
        for share, threshold in zip(FALSE_ALARMS, thresholds, strict=True):
            flagged = scores[mine] < threshold
            low, high = _span(flagged)
            row[f"flagged at {share:.0%}"] = (
                f"{100 * flagged.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}]" if len(flagged) else "–"
            )
        found.append(row)
    return found


def _span(flagged: FloatArray) -> tuple[float, float]:
    sums = np.column_stack([flagged, np.ones(len(flagged))]).astype(np.float64)
    drawn = bootstrap_sums(sums, resamples=2000)
    low, high = interval(drawn[:, 0] / drawn[:, 1])
    return (0.0, 1.0) if low is None or high is None else (low, high)
