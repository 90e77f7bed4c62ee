"""One answer for every pair: what a figure must be above before it says anything."""

from __future__ import annotations

import numpy as np

from core.data.pair_sets.pair_set import SAME
from core.pairs.benchmark.evaluate import Evaluated, measure
from core.pairs.benchmark.results import Cell
from core.pairs.benchmark.rows import ALWAYS_YES, Row
from core.pairs.benchmark.sets import Measured
from core.pairs.benchmark.tuning import Settings
from core.parts import Part
from core.statistics.figure import Figure

_NO_SCORE = "one answer for every pair has no scores"
_OF_SCORES = ("average_precision", "roc_auc", "calibration_error", "calibrated_error", "brier")


def one_answer(data: Measured, row: Row, settings: Settings) -> Evaluated:
    """Every test pair answered alike: "same", or what is most frequent in the other parts of the set.

    A set that has no other part gives its own most frequent answer, which no system can know.

    Args:
        data: The set.
        row: `ALWAYS_YES` or `MOST_FREQUENT`.
        settings: Seed and resamples.
    """
    test, facts = data.test, data.facts
    if facts.why_not or not len(test):
        empty = np.empty(0, dtype=np.int64)
        why = facts.why_not or "It has no test pairs."
        cell = Cell(set=facts.key, row=row.key, why_not=why)
        return Evaluated(cell, None, empty, empty.astype(np.float32), empty.astype(np.bool_))
    others = data.pairs.labels[data.pairs.pair_parts != Part.TEST]
    seen, chosen_on = (others, "its training and validation pairs") if len(others) else (test.labels, "test")
    told = row.key != ALWAYS_YES
    same = not told or 2 * int((seen == SAME).sum()) > len(seen)
    word = "same" if same else "different"
    called = np.full(len(test), same)
    figures, counts = measure(test.labels, called.astype(np.float32), 0.5, data.units, settings)
    cell = Cell(
        set=facts.key,
        row=row.key,
        signature=f"{row.key}: {word} · data:{facts.fingerprint or facts.key} · "
        f"seed:{settings.seed} · resamples:{settings.resamples}",
        figures=figures | {name: Figure(None, _NO_SCORE) for name in _OF_SCORES},
        counts=counts,
        chosen_on=chosen_on if told else "nothing",
        pairs=len(test),
        pairs_of=len(test),
        notes=(f"It says “{word}” of every pair.",) if told else (),
    )
    return Evaluated(cell, None, np.arange(len(test)), called.astype(np.float32), called)
