"""How the work of each job grows: calls, memory and processor seconds at three sizes, each twice the last.

`python -m benchmarks.growth JOB` measures one in a process of its own and prints a JSON line a size.
"""

import cProfile
import json
import math
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.publishing import seconds
from benchmarks.scale import SAMPLE, expanded
from core.archive.build import ArchiveSettings, build
from core.consistency.studies.findings import examine
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.load import load
from core.data.timelines.timeline import Timeline
from core.events.grouping import Settings, prepare, regroup
from core.files import ROOT
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.live.arrivals import arrivals_of
from core.live.stream import Stream
from core.numerals.checking import load_checker
from core.numerals.checks.tables import check_article
from core.people.room.draws import pair_item, same_event_task
from core.people.room.rooms import Rooms
from core.people.room.state import RoomStep
from core.runtime import Runtime, stay_offline

Work = Callable[[], object]
_COMPREHENSIONS: Final = {"<listcomp>", "<dictcomp>", "<setcomp>"}  # no calls any more from Python 3.12 on
_ANSWERS: Final = 10  # of each person in a room
_LEAST: Final = 0.05  # of a figure below which nothing is said of growth


def main_job(count: int, turn: int, folder: Path) -> Work:
    data, runtime = _file(count, turn), _runtime(folder)
    return lambda: regroup(prepare(load(data, "headlines.csv"), Settings(), runtime))


def archive(count: int, turn: int, folder: Path) -> Work:
    file, out = folder / f"{count}-{turn}.csv", folder / f"{count}-{turn}"
    file.write_bytes(_file(count, turn))
    return lambda: build(file, out, ArchiveSettings(granularity=0.9), {}, _runtime(folder))


def live(count: int, turn: int, folder: Path) -> Work:
    arrivals, runtime = arrivals_of(_timeline(count, turn)), _runtime(folder)
    return lambda: list(Stream(runtime).add(arrivals))


def room(count: int, turn: int, folder: Path) -> Work:
    place = folder / f"{count}-{turn}"
    place.mkdir()
    rooms, texts = Rooms(Journal(sqlite_url(place))), _timeline(2 * _ANSWERS, turn).texts
    items = [pair_item(*pair, same=True) for pair in zip(texts[::2], texts[1::2], strict=True)]
    task, people = same_event_task("Growing", items, key_from="the sample"), [*map(str, range(count))]

    def lesson() -> None:
        code, token = rooms.open(task, lobby=True)
        for who in people:
            rooms.join(code, f"Person {who}", browser=who, door=rooms.room(code).door)
        rooms.act(code, token, RoomStep.STARTED)
        began = rooms.room(code).round.began
        for item in task.items:
            for who in people:
                rooms.answer(code, who, began=began, item=item.key, answer=task.options[0].value)

    return lesson


def numerals(count: int, turn: int, _folder: Path) -> Work:
    rows = pd.read_csv(ROOT / "samples/articles/articles.csv", dtype=str).head(count).itertuples()
    asked = [(f"Report {turn}. {row.text}", f"{row.summary} {'.' * turn}") for row in rows]
    checker = partial(load_checker, None)
    return lambda: [check_article(text, [line], Runtime(), load=checker) for text, line in asked]


def consistency(count: int, turn: int, folder: Path) -> Work:
    subject, runtime = subject_of_timeline(_timeline(count, turn)), _runtime(folder)
    return lambda: examine(score_both_orders(subject, Scoring(scorer="cosine_time"), runtime))


JOBS: Final = {
    "main job": (main_job, "headlines", 300),
    "archive": (archive, "headlines", 1_000),
    "live": (live, "headlines", 250),
    "room": (room, f"people, {_ANSWERS} answers each", 25),
    "numerals": (numerals, "articles, a headline each", 10),
    "consistency": (consistency, "headlines, all pairs in both orders", 500),
}
"""What begins each, of so many things in a turn whose texts no other has; what they are; the least size."""


def run_growth() -> dict[str, Any]:
    """How the work of six jobs grows with what they are given, each twice as much as before.

    Headlines are those of the UCI sample with other words in each turn (`benchmarks/scale.py`), so that no
    cache knows one. *Calls* are those of functions of this project, comprehensions not counted; *megabytes*
    the most that Python and NumPy held beyond what was there before. Both hardly depend on the machine, and
    a test measures them again. *Growth* is the exponent from half the size to this one: 1 is linear, 2 the
    square.
    """
    return {"benchmark": "growth", "rows": [row for name in JOBS for row in measured_apart(name, "--timed")]}


def measured_apart(name: str, *more: str) -> list[dict[str, Any]]:
    words = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth", name, *more]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def measured(name: str, folder: Path, *, timed: bool) -> list[dict[str, Any]]:
    """Calls and megabytes of a job at its two smaller sizes; with seconds, where timed, at all three."""
    begun, unit, least = JOBS[name]
    begun(least, 0, folder)()  # what it loads and compiles is there
    rows: list[dict[str, Any]] = []
    for size in (least, 2 * least, 4 * least)[: 3 if timed else 2]:
        figures = {
            "thousand_calls": round(_calls(begun(size, 1, folder)) / 1000, 1),
            "megabytes": round(_megabytes(begun(size, 2, folder)), 2),
        }
        if timed:
            took = seconds(begun(size, 3, folder), clock=time.process_time)
            figures["processor_seconds"] = round(took, 2)
        grown = {
            f"growth_of_{key}": round(math.log2(value / rows[-1][key]), 2)
            for key, value in figures.items()
            if rows and min(value, rows[-1][key]) >= _LEAST
        }
        rows.append({"job": name, "of": unit, "size": size, **figures, **grown})
    return rows


def _calls(work: Work) -> int:
    profile = cProfile.Profile(builtins=False)
    profile.runcall(work)
    codes = [(each.code, each.callcount) for each in profile.getstats() if not isinstance(each.code, str)]
    ours = [one for one in codes if one[0].co_filename.startswith(str(ROOT / "core"))]
    return sum(count for code, count in ours if code.co_name not in _COMPREHENSIONS)


def _megabytes(work: Work) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def _file(count: int, turn: int) -> bytes:
    """Headlines of the UCI sample with other words, which differ by the turn and the size."""
    table = pd.concat(expanded(SAMPLE + count, seed=10 * count + turn)).iloc[SAMPLE:]
    return table.sort_values("published", kind="stable").to_csv(index=False).encode()


def _timeline(count: int, turn: int) -> Timeline:
    return load(_file(count, turn), "headlines.csv")


def _runtime(folder: Path) -> Runtime:
    return Runtime(cache=folder / "cache", patient=True)


if __name__ == "__main__":
    stay_offline()
    with tempfile.TemporaryDirectory() as place:
        for found in measured(sys.argv[1], Path(place), timed="--timed" in sys.argv):
            print(json.dumps(found), flush=True)
