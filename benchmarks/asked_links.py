"""What a language model that is asked about links in doubt could give: never wrong, and wrong at times."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import pandas as pd

from benchmarks.desks import WATCHED
from benchmarks.grouping import DATA, desk, read
from core.arrays import Float32Array, IntArray
from core.data.timelines.timeline import Field
from core.events.asked_links import ask_links
from core.events.correction import History
from core.events.corrections import fitted
from core.events.grouping import Prepared, Settings, prepare, regroup
from core.files import ROOT
from core.groups.quality import codes_of, quality
from core.pairs.context import PairContext
from core.pairs.scorer import PairByPair, PairScorer, PreparedScorer
from core.runtime import Runtime

QUESTIONS: Final = (0, 20, 60, 150)
ERRORS: Final = (("never errs", 0.0), ("errs in 10 %", 0.1))


@dataclass(frozen=True, eq=False)
class _ByGold(PairScorer):
    """Answers by human groups, of which a share is turned round, a pair's two orders apart."""

    summary: ClassVar[str] = "Human groups, with errors"
    model: ClassVar[str] = "scripted"
    gold: IntArray
    errors: float

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        random = np.random.default_rng(0)

        def answers(left: IntArray, right: IntArray) -> Float32Array:
            same = self.gold[left] == self.gold[right]
            return (same != (random.random(len(left)) < self.errors)).astype(np.float32)

        return PairByPair(len(context), answers)


def run_asked_links() -> dict[str, Any]:
    """What links in doubt are worth to whoever is asked about them: an upper bound, no model.

    Mean pair F1 after at most 20, 60 and 150 questions, answered by the human groups, and with one answer in
    ten wrong: on the desk timelines of the writers who only watch, with minutes, and on six files of
    desk_timelines. What is asked was chosen on desks that teach.
    """
    folders = [ROOT / "samples/desks" / writer for writer in WATCHED]
    tables = [desk(file) for folder in folders for file in sorted(folder.glob("*.csv"))]
    sets = {
        "watched desks": [table for table in tables if (table["date"].str.len() > 10).any()],
        "desk_timelines": [
            pd.read_csv(file.with_name(file.name.replace("_truth", "")), dtype=str).assign(
                group=pd.read_csv(file, dtype=str)["event"]
            )
            for file in sorted((DATA / "desk_timelines").glob("*_truth.csv"))
        ],
    }
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, own in sets.items():
            if not own:
                continue
            prepared = [prepare(read(table), Settings(), Runtime(cache=Path(cache))) for table in own]
            about = {"name": name, "timelines": len(own), "headlines": sum(map(len, own))}
            for answerer, errors in ERRORS:
                found = np.mean([[_after(each, errors, most) for most in QUESTIONS] for each in prepared], 0)
                after = {
                    f"after {most}": round(float(value), 3)
                    for most, value in zip(QUESTIONS, found, strict=True)
                }
                rows.append({**about, "answerer": answerer, **after})
    return {"benchmark": "links in doubt, asked", "rows": rows}


def _after(prepared: Prepared, errors: float, most: int) -> float:
    gold = prepared.timeline.table[Field.GOLD].tolist()
    asked = ask_links(prepared, History(), _ByGold(codes_of(gold), errors), most, Runtime())
    corrections = fitted(asked.history, prepared.timeline.index.row)
    return quality(regroup(prepared, corrections=corrections).ids, gold)["pair_f1"].value or 0.0
