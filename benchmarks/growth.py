"""How the work of each job grows: calls, memory and processor seconds at three sizes, each twice the last.

`python -m benchmarks.growth JOB` measures one in a process of its own and prints a JSON line a size.
"""

from __future__ import annotations

import cProfile
import json
import math
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.scale import SAMPLE, expanded
from core.files import ROOT
from core.runtime import Runtime, stay_offline

Work = Callable[[], object]
_COMPREHENSIONS: Final = {"<listcomp>", "<dictcomp>", "<setcomp>"}  # no calls any more from Python 3.12 on
_ANSWERS: Final = 10  # of each person in a room
_LEAST: Final = 0.05  # processor seconds below which nothing is said of growth


def main_job(count: int, turn: int, folder: Path) -> Work:
    from core.data.timelines.load import load
    from core.events.grouping import Settings, prepare, regroup

    data, runtime = _headlines(count, turn).to_csv(index=False).encode(), _runtime(folder)
    return lambda: regroup(prepare(load(data, "headlines.csv"), Settings(), runtime))


def archive(count: int, turn: int, folder: Path) -> Work:
    from core.archive.build import ArchiveSettings, build

    file = folder / f"{count}-{turn}.csv"
    _headlines(count, turn).to_csv(file, index=False)
    out, settings = folder / f"{count}-{turn}", ArchiveSettings(granularity=0.9)
    return lambda: build(file, out, settings, {}, _runtime(folder))


def live(count: int, turn: int, folder: Path) -> Work:
    from core.data.timelines.load import load
    from core.live.arrivals import arrivals_of
    from core.live.stream import Stream

    data = _headlines(count, turn).to_csv(index=False).encode()
    arrivals, runtime = arrivals_of(load(data, "headlines.csv")), _runtime(folder)
    return lambda: list(Stream(runtime).add(arrivals))


def room(count: int, turn: int, folder: Path) -> Work:
    from core.journal.journal import Journal
    from core.journal.opening import sqlite_url
    from core.people.room.draws import pair_item, same_event_task
    from core.people.room.rooms import Rooms
    from core.people.room.state import RoomStep

    place = folder / f"{count}-{turn}"
    place.mkdir()
    rooms = Rooms(Journal(sqlite_url(place)))
    texts = _headlines(2 * _ANSWERS, turn)["headline"].tolist()
    items = [pair_item(*pair, same=True) for pair in zip(texts[::2], texts[1::2], strict=True)]
    task = same_event_task("Growing", items, key_from="the sample")

    def lesson() -> None:
        code, token = rooms.open(task, lobby=True)
        for at in range(count):
            rooms.join(code, f"Person {at}", browser=f"browser {at}", door=rooms.room(code).door)
        rooms.act(code, token, RoomStep.STARTED)
        began = rooms.room(code).round.began
        for item in task.items:
            for at in range(count):
                browser = f"browser {at}"
                rooms.answer(code, browser, began=began, item=item.key, answer=task.options[0].value)

    return lesson


def numerals(count: int, turn: int, _folder: Path) -> Work:
    from functools import partial

    from core.numerals.checking import load_checker
    from core.numerals.checks.tables import check_article

    rows = pd.read_csv(ROOT / "samples/articles/articles.csv", dtype=str).head(count).itertuples()
    asked = [(f"Report {turn}. {row.text}", f"{row.summary} {'.' * turn}") for row in rows]
    return lambda: [
        check_article(text, [line], Runtime(), load=partial(load_checker, None)) for text, line in asked
    ]


def consistency(count: int, turn: int, folder: Path) -> Work:
    from core.consistency.studies.findings import examine
    from core.consistency.studies.scoring import Scoring, score_both_orders
    from core.consistency.studies.subject import subject_of_timeline
    from core.data.timelines.load import load

    data = _headlines(count, turn).to_csv(index=False).encode()
    subject, runtime = subject_of_timeline(load(data, "headlines.csv")), _runtime(folder)
    return lambda: examine(score_both_orders(subject, Scoring(scorer="cosine_time"), runtime))


@dataclass(frozen=True, slots=True)
class Job:
    begun: Callable[[int, int, Path], Work]  # of so many, in a turn whose texts no other has, in a folder
    unit: str
    sizes: tuple[int, int, int]


JOBS: Final = {
    "main job": Job(main_job, "headlines", (300, 600, 1_200)),
    "archive": Job(archive, "headlines", (1_000, 2_000, 4_000)),
    "live": Job(live, "headlines", (250, 500, 1_000)),
    "room": Job(room, f"people, {_ANSWERS} answers each", (25, 50, 100)),
    "numerals": Job(numerals, "articles, a headline each", (10, 20, 40)),
    "consistency": Job(consistency, "headlines, all pairs in both orders", (500, 1_000, 2_000)),
}


def run_growth() -> dict[str, Any]:
    """How the work of six jobs grows with what they are given, each twice as much as before.

    Headlines are those of the UCI sample with other words in each turn (`benchmarks/scale.py`), so that no
    cache knows one. *Calls* are those of functions of this project, comprehensions not counted; *megabytes*
    the most that Python and NumPy held beyond what was there before. Both hardly depend on the machine, and
    a test measures them again. *Growth* is the exponent from half the size to this one: 1 is linear, 2 the
    square.
    """
    rows = []
    for name in JOBS:
        rows += measured_apart(name, "--timed")
        print(rows[-1], flush=True)
    return {"benchmark": "growth", "rows": rows}


def measured_apart(name: str, *more: str) -> list[dict[str, Any]]:
    words = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth", name, *more]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def measured(name: str, *, timed: bool) -> list[dict[str, Any]]:
    """Calls and megabytes of a job at each of its sizes, and its seconds where they are asked for."""
    job, rows = JOBS[name], list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as place:
        job.begun(job.sizes[0], 0, Path(place))()  # what it loads and compiles is there
        for size in job.sizes:
            row: dict[str, Any] = {"job": name, "of": job.unit, "size": size}
            row["thousand_calls"] = round(_calls(job.begun(size, 1, Path(place))) / 1000, 1)
            row["megabytes"] = round(_megabytes(job.begun(size, 2, Path(place))), 2)
            if timed:
                row["processor_seconds"] = round(_seconds(job.begun(size, 3, Path(place))), 2)
            grown = {
                f"growth_of_{key}": round(math.log2(row[key] / rows[-1][key]), 2)
                for key in ("thousand_calls", "megabytes", "processor_seconds")
                if rows and min(row.get(key, 0), rows[-1].get(key, 0)) >= _LEAST
            }
            rows.append(row | grown)
    return rows


def _calls(work: Work) -> int:
    profile = cProfile.Profile(builtins=False)
    profile.runcall(work)
    return sum(
        entry.callcount
        for entry in profile.getstats()
        if not isinstance(entry.code, str)
        and entry.code.co_filename.startswith(str(ROOT / "core"))
        and entry.code.co_name not in _COMPREHENSIONS
    )


def _megabytes(work: Work) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def _seconds(work: Work) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


@cache
def _headlines(count: int, turn: int) -> pd.DataFrame:
    """Headlines of the UCI sample with other words, which differ by the turn and the size."""
    table = pd.concat(expanded(SAMPLE + count, seed=10 * count + turn)).iloc[SAMPLE:]
    return table.sort_values("published", kind="stable")


def _runtime(folder: Path) -> Runtime:
    return Runtime(cache=folder / "cache", patient=True)


if __name__ == "__main__":
    stay_offline()
    for found in measured(sys.argv[1], timed="--timed" in sys.argv):
        print(json.dumps(found), flush=True)
