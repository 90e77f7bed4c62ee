"""What answers about the width of events are worth: pair F1 after some questions, and the best cut.

A person is simulated from the gold groups: one who never errs, and one who errs in one answer of ten, with
five seeds. Questions start at the suggested level, and a tenth to either side of it.
"""

from __future__ import annotations

import tempfile
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.groups import CUTS, sets

ASKED: Final = (0, 3, 5, 10)
PEOPLE: Final = (("right", 0.0, 1), ("errs in 10 %", 0.1, 5))
"""Who answers, the share of wrong answers, and seeds."""
AWAY: Final = (0.0, -0.1, 0.1)
"""Where questions start, from the suggested level: on timelines that nobody tuned on it was up to a tenth
away from the best one."""


def run() -> dict[str, Any]:
    """Measures every set, whole."""
    with tempfile.TemporaryDirectory() as cache:
        rows = [row for name, table in sets().items() for row in _measure(name, table, Path(cache))]
    for person, away in product([person for person, *_ in PEOPLE], AWAY):
        own = [row for row in rows if (row["person"], row["start"]) == (person, away)]
        names = [*(f"after {count}" for count in ASKED), "best"]
        mean = {name: round(float(np.mean([row[name] for row in own])), 3) for name in names}
        rows.append({"name": "mean", "person": person, "start": away, **mean})
    return {"benchmark": "asking", "rows": rows}


def _measure(name: str, table: pd.DataFrame, cache: Path) -> list[dict[str, Any]]:
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field
    from core.events.grouping import Settings, prepare
    from core.groups.asking import Answer, Asking
    from core.groups.average_linkage import Dendrogram
    from core.groups.quality.metrics import quality
    from core.runtime import Runtime

    timeline = load(table.to_csv(index=False).encode(), "set.csv")
    prepared = prepare(timeline, Settings(), Runtime(cache=cache))
    gold = timeline.table[Field.GOLD].tolist()
    tree = prepared.hierarchy
    assert isinstance(tree, Dendrogram)
    known: dict[float, float] = {}

    def f1(cut: float) -> float:
        if cut not in known:
            known[cut] = quality(tree.cut(cut), gold)["pair_f1"].value or 0.0
        return known[cut]

    def after(start: float, seed: int, errs: float) -> list[float]:
        random, answers = np.random.default_rng(seed), list[Answer]()
        questions = Asking(tree, start, timeline.texts)
        found = [f1(start)]
        for _ in range(max(ASKED)):
            if (pair := questions.question(answers)) is not None:
                same = (gold[pair[0]] == gold[pair[1]]) != (random.random() < errs)
                answers.append(Answer(*pair, bool(same)))
            found.append(f1(questions.level(answers)))
        return found

    best = max(f1(float(cut)) for cut in CUTS)
    rows = []
    for person, errs, seeds in PEOPLE:
        for away in AWAY:
            start = min(max(prepared.start.granularity + away, 0.05), 0.95)
            runs = [after(start, seed, errs) for seed in range(seeds)]
            means = np.mean(runs, axis=0)
            asked = {f"after {count}": round(float(means[count]), 3) for count in ASKED}
            rows.append({"name": name, "person": person, "start": away, **asked, "best": round(best, 3)})
    return rows
