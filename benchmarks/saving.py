"""Answers that forty people save at once, and the disk's share of their wait."""

import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np

from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_sample
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.people import grouping, questions, studies, voting
from core.people.study import Purpose, Study

Person = tuple[Callable[[str, int], NewEntry], Callable[[NewEntry], object], Callable[[str], int]]
"""Makes a person's answer of a turn, saves it, and counts what stands of them."""
PEOPLE: Final = 40
ROUNDS: Final = 25


def run_saving() -> dict[str, Any]:
    """How long forty people who answer in the same moment wait until their answers are on the disk.

    Forty threads of one process, as its sessions are, each a person of its own; a barrier starts all at once,
    25 times. *Saved* is until the store returns, *read again* until the person's answers were read anew, as
    the page does; drawing comes on top. The journal is SQLite as it is installed. *Disk* is the same with a
    write of 12 KB and its sync in the place of the store, one after the other: what no program can avoid.
    """
    rows = []
    for what, answer in (("headline grouped under Annotate", _grouped), ("pair of a study", _voted)):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, HEADLINE_LAB_USER=folder):
            saved, read = _waits(*answer())
            disk, _ = _waits(*_synced(Path(folder) / "bare"))
        middle, most, worst = np.quantile(saved, [0.5, 0.95, 1.0]).tolist()
        again, bare = (float(np.quantile(seconds, 0.95)) for seconds in (read, disk))
        rows.append(
            {
                "answer": what,
                "saved_p50_ms": round(1000 * middle, 1),
                "saved_p95_ms": round(1000 * most, 1),
                "saved_worst_ms": round(1000 * worst, 1),
                "read_again_p95_ms": round(1000 * again, 1),
                "disk_p95_ms": round(1000 * bare, 1),
                "disk_percent": round(100 * bare / most),
                "load_average": round(os.getloadavg()[0], 1),
            }
        )
    return {"benchmark": "saving", "people": PEOPLE, "rounds": ROUNDS, "rows": rows}


def _waits(
    body: Callable[[str, int], NewEntry], save: Callable[[NewEntry], object], count: Callable[[str], int]
) -> tuple[list[float], list[float]]:
    """Seconds of each answer until it was saved, and until it was read again."""
    saved, read, start = list[float](), list[float](), threading.Barrier(PEOPLE)

    def person(who: str) -> None:
        for turn in range(ROUNDS):
            entry = body(who, turn)
            start.wait()
            began = time.perf_counter()
            save(entry)
            saved.append(time.perf_counter() - began)
            assert count(who) in (turn + 1, 0)
            read.append(time.perf_counter() - began)

    threads = [threading.Thread(target=person, args=(f"person {at}",)) for at in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read) == PEOPLE * ROUNDS
    return saved, read


def _synced(path: Path) -> Person:
    turn, file = threading.Lock(), os.open(path, os.O_WRONLY | os.O_CREAT)

    def save(_: NewEntry) -> None:
        with turn:
            os.write(file, bytes(12_288))
            os.fsync(file)

    return lambda who, _: NewEntry(kind="", who=who), save, lambda _: 0


def _grouped() -> Person:
    task = grouping.grouping_task(load_sample("iss"))

    def body(who: str, turn: int) -> NewEntry:
        row = task.order[turn]
        made = grouping.person_groups(task, task.answers.read(), who)
        return NewEntry(kind=grouping.PLACED, who=who, body=grouping.place(row, shown=made.seen(row, None)))

    def count(who: str) -> int:
        return len(grouping.person_groups(task, task.answers.read(), who).placed)

    return body, lambda entry: task.answers.append([entry]), count


def _voted() -> Person:
    study = studies.register(the_journal(), Study(title="Saving", asks="same_event", votes=1_000))
    task = voting.voting_task(load_pair_set("iss.v1"), questions.SAME_EVENT, study)
    pairs = task.pool(Purpose.MAIN)

    def body(who: str, turn: int) -> NewEntry:
        return NewEntry(kind=voting.VOTED, who=who, body=voting.vote(task, pairs[turn], "same"))

    def count(who: str) -> int:
        return len(voting.voter(task, task.answers.read(), who).votes)

    return body, lambda entry: task.answers.append([entry]), count
