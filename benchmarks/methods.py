"""Every grouping method on the same similarities: where its slider starts, and its best cut.

Best cuts are the best of the candidates 0.30, 0.35 … 0.90 by pair F1 and only there to compare with.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

CUTS = np.round(np.arange(0.30, 0.905, 0.05), 2)
SETS = ("UCI", "AllSides", "ECB+ headlines", "Emergent")


def run() -> dict[str, Any]:
    from benchmarks.groups import sets
    from core.data.timelines.load import load
    from core.groups.grouper import groupers
    from core.runtime import Runtime

    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, table in sets().items():
            if name not in SETS:
                continue
            timeline = load(table.to_csv(index=False).encode(), "set.csv")
            rows += [
                {"method": method, "set": name, **_measure(timeline, method, Runtime(cache=Path(cache)))}
                for method in groupers.names()
            ]
    return {"benchmark": "grouping methods", "rows": rows}


def _measure(timeline: Any, method: str, runtime: Any) -> dict[str, Any]:
    from core.data.timelines.timeline import Field
    from core.events.grouping import Settings, prepare, regroup
    from core.groups.quality.metrics import quality

    prepared = prepare(timeline, Settings(method=method), runtime)
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    started = time.perf_counter()
    scores = {float(cut): quality(prepared.hierarchy.cut(float(cut)), gold) for cut in CUTS}
    seconds = (time.perf_counter() - started) / len(CUTS)
    found = quality(grouping.ids, gold)
    return {
        "granularity": grouping.granularity,
        "ami": round(found["ami"].value or 0.0, 3),
        "pair_f1": round(found["pair_f1"].value or 0.0, 3),
        "best_ami": round(max(score["ami"].value or 0.0 for score in scores.values()), 3),
        "best_pair_f1": round(max(score["pair_f1"].value or 0.0 for score in scores.values()), 3),
        "seconds_a_cut": round(seconds, 4),
    }
