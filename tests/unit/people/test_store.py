"""The store: an acknowledged answer is there, whoever writes at the same time, and whatever the disk does."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import resource
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from core import files
from core.errors import DataSourceError, InputError
from core.people import answer_log
from core.people.ratings import empty_ratings
from core.people.store import RatingStore
from core.people.task import drawn, make_task
from tests import faults
from tests.unit.people.answering import answer, answer_all, answer_on, store_of
from tests.unit.people.by_hand import FORM, QUESTIONS

NAN = np.nan
GIVEN = np.array([[2, 0], [1, 2], [5, NAN]])
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.unit.people.answering"])


@pytest.fixture
def store(tmp_path: Path) -> RatingStore:
    return store_of(tmp_path)


def give(store: RatingStore, judge: str, article: str, values: np.ndarray) -> None:
    for at, question in enumerate(QUESTIONS):
        for place, system in enumerate(store.task.systems):
            if not np.isnan(values[at, place]):
                store.record(judge, answer(article, question, system, int(values[at, place])))


def lines(store: RatingStore) -> list[dict[str, object]]:
    texts = [path.read_text() for path in sorted(store.folder.glob("*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def test_answers_are_found_again_and_the_last_counts(store: RatingStore) -> None:
    assert store.ratings().judges == ()
    assert np.isnan(store.ratings("Ada").values).all()
    give(store, "Ada", "a1", GIVEN)
    store.record("Ada", answer("a1", "readability", "A", 4))
    store.record("Ada", answer("a1", "numeral_accuracy", "A", None))
    give(store, " ada ", "a2", GIVEN)
    found = store.ratings()
    assert found.judges == ("Ada",)
    np.testing.assert_array_equal(found.values[0, :, 1], [[NAN, 0], [1, 2], [4, NAN]])
    np.testing.assert_array_equal(found.values[0, :, 2], GIVEN)
    assert found.complete().tolist() == [[False] * 5]
    told = json.loads((store.folder / "task.json").read_text())
    assert told["form"] == "numhg.v1"
    assert told["systems"] == ["A", "B"]
    first, *_ = lines(store)
    assert {"id", "time"} < set(first)
    assert [first[name] for name in ("judge", "form", "article", "question", "system", "value")] == [
        *("Ada", "numhg.v1", "a1", "numeral_accuracy", "A", 2)
    ]


def test_other_articles_orders_and_counts_find_the_same_answers(store: RatingStore) -> None:
    give(store, "Ada", "a3", GIVEN)
    few = drawn(store.task, 3, seed=1)
    turned = make_task(
        "other", store.task.articles, ("B", "A"), [line[::-1] for line in store.task.headlines]
    )
    assert turned.fingerprint == store.task.fingerprint
    other = RatingStore(form=FORM, task=turned, root=store.root).ratings("Ada")
    np.testing.assert_array_equal(other.values[0, :, 3], GIVEN[:, ::-1])
    assert RatingStore(form=FORM, task=few, root=store.root).folder == store.folder


def test_judges_of_odd_names_stay_apart_and_inside_the_folder(store: RatingStore) -> None:
    names = ["../../etc/passwd", "Ада", "ада 2", "=1+1", "a/b", "a b", "CON", ".", "-", "\u200bx", "x" * 60]
    for number, name in enumerate(names):
        store.record(name, answer("a0", "readability", "A", 1 + number % 5))
    found = store.ratings()
    assert len(found.judges) == len(names)
    files = [path for path in store.root.rglob("*") if path.is_file()]
    assert {path.parent for path in files} == {store.folder}
    assert len(files) == len(names) + 1
    for number, name in enumerate(names):
        assert store.ratings(name).values[0, 2, 0, 0] == 1 + number % 5


def test_headlines_swap_places_and_the_last_takes_the_last_place(tmp_path: Path) -> None:
    systems = ("A", "B", "C", "D")
    store = store_of(tmp_path, 1, systems)
    orders = {
        ("A", 4): [4, NAN, NAN, NAN],
        ("B", 3): [4, 3, NAN, NAN],
        ("A", 3): [3, 4, NAN, NAN],
        ("C", 3): [NAN, 4, 3, NAN],
        ("D", 1): [2, 4, 3, 1],
        ("A", 1): [1, 4, 3, 2],
        ("B", None): [1, NAN, 3, 2],
        ("C", 1): [3, 4, 1, 2],
    }
    for (system, value), order in orders.items():
        store.record("Ada", answer("a0", "reasonableness", system, value))
        np.testing.assert_array_equal(store.ratings("Ada").values[0, 1, 0], order)
    alone = store_of(tmp_path, 1, ("A",))
    alone.record("Ada", answer("a0", "reasonableness", "A", 1))
    assert alone.ratings("Ada").values[0, 1, 0].tolist() == [1]


def test_processes_and_threads_write_at_once_and_nothing_is_lost(store: RatingStore) -> None:
    judges = [f"Judge {number}" for number in range(13)]
    windows = [(store.root, judge, question) for judge in judges for question in QUESTIONS if "r" in question]
    assert len(windows) == 39
    workers = [PROCESSES.Process(target=answer_all, args=windows[0])]
    workers += [threading.Thread(target=answer_all, args=window) for window in windows]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = store_of(store.root, 20).ratings()
    assert found.judges == tuple(sorted(judges))
    assert (found.values[:, [0, 2]] == 2).all()
    assert (np.sort(found.values[:, 1], axis=-1) == [1, 2]).all()
    whole = store_of(store.root, 20)
    assert len(lines(whole)) == 40 * 20 * 2
    assert whole.damaged() == 0


@pytest.mark.parametrize("kills", [25, pytest.param(150, marks=pytest.mark.slow)])
def test_a_killed_process_has_lost_no_answer_that_it_acknowledged(store: RatingStore, kills: int) -> None:
    delays, acknowledged = random.Random(4), []
    for _ in range(kills):
        got, given = PROCESSES.Pipe(duplex=False)
        worker = PROCESSES.Process(target=answer_on, args=(store.root, given))
        worker.start()
        given.close()
        acknowledged.append(got.recv())
        time.sleep(delays.uniform(0, 0.02))
        worker.kill()
        worker.join()
        with suppress(EOFError):
            while True:
                acknowledged.append(got.recv())
    (path,) = store.folder.glob("*.jsonl")
    there = [json.loads(line)["id"] for line in path.read_bytes().split(b"\n") if line.endswith(b"}")]
    counts = Counter(there)
    assert [counts[one] for one in acknowledged] == [1] * len(acknowledged)
    # The one that a kill kept from being acknowledged may be there or not.
    assert len(there) - len(acknowledged) <= kills
    assert set(counts.values()) == {1}
    assert not np.isnan(store.ratings("Ada").values[0, 2, 0, 0])


@pytest.mark.parametrize("begun", [False, True])
def test_a_failing_disk_loses_and_cuts_nothing_that_was_acknowledged(tmp_path: Path, begun: bool) -> None:
    one, other = answer("a0", "readability", "A", 3), answer("a1", "readability", "A", 4)
    folders: list[Path] = []

    def act() -> None:
        folders.append(tmp_path / str(len(folders)))
        if begun:
            with mock.patch.object(files, "SYSTEM", files.System()):
                store_of(folders[-1]).record("Ada", one)
        store_of(folders[-1]).record("Ada", other)

    tried = Counter[str]()
    for attempt in faults.attempts(act):
        tried[attempt.outcome] += 1
        store = store_of(folders[-1])
        before, after = store.ratings("Ada").values[0, 2, :2, 0]
        assert before == 3 if begun else np.isnan(before), attempt
        if attempt.outcome == "done":
            assert after == 4, attempt
        elif attempt.outcome == "told":
            assert np.isnan(after), attempt
        store.record("Ada", answer("a2", "readability", "A", 5))
        assert store.ratings("Ada").values[0, 2, 2, 0] == 5, attempt
    assert set(tried) == {"done", "told", "killed"}


def test_a_full_disk_is_told_and_the_answers_stay(store: RatingStore) -> None:
    store.record("Ada", answer("a0", "readability", "A", 3))
    (path,) = store.folder.glob("*.jsonl")
    before = path.read_bytes()
    # A limit of the system for the size of a file: the write takes a part of the line, the next one fails.
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 60, hard))
    try:
        with pytest.raises(DataSourceError, match="cannot be written"):
            store.record("Ada", answer("a1", "readability", "A", 4))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    store.record("Ada", answer("a1", "readability", "A", 5))
    np.testing.assert_array_equal(store.ratings("Ada").values[0, 2, :2, 0], [3, 5])
    assert store.damaged() == 0


RECORD = {"format": 2, "id": "x", "judge": "Ada", "article": "a0", "question": "readability", "system": "A"}


@pytest.mark.parametrize(
    "damage",
    [
        b'{"format": 2, "id": "x", "judge": "Ada", "article": "a0", "ques',
        b"\xff\xfe\x00",
        b"[1, 2]",
        b"[" * 100_000,
        *(
            json.dumps(RECORD | {"value": 4} | wrong).encode()
            for wrong in (
                {"format": 9},
                {"judge": 7},
                {"id": None},
                {"article": None},
                {"question": "nosuch"},
                {"system": "C"},
                {"system": ["A"]},
                {"value": 7},
                {"value": True},
                {"value": "4"},
                {"value": 4.0},
                {"undo": 1},
            )
        ),
    ],
)
def test_a_damaged_line_is_ignored_and_counted(store: RatingStore, damage: bytes) -> None:
    give(store, "Ada", "a0", GIVEN)
    (path,) = store.folder.glob("*.jsonl")
    with path.open("ab") as file:
        file.write(damage)
    assert store.damaged() == 1
    give(store, "Ada", "a1", GIVEN)
    assert store.damaged() == 1
    found = store.ratings("Ada")
    np.testing.assert_array_equal(found.values[0, :, 0], GIVEN)
    np.testing.assert_array_equal(found.values[0, :, 1], GIVEN)


def test_a_line_that_was_copied_counts_once(store: RatingStore) -> None:
    store.record("Ada", answer("a0", "readability", "A", 2))
    (path,) = store.folder.glob("*.jsonl")
    old = path.read_bytes()
    store.record("Ada", answer("a0", "readability", "A", 4))
    with path.open("ab") as file:
        file.write(old)
    assert store.ratings("Ada").values[0, 2, 0, 0] == 4


def test_only_what_was_appended_is_read_again(store: RatingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for judge in ("Ada", "Bo", "Cy"):
        give(store, judge, "a0", GIVEN)
    assert len(store.ratings().judges) == 3
    read: list[bytes] = []
    real = answer_log._told
    monkeypatch.setattr(answer_log, "_told", lambda line: (read.append(line), real(line))[1])
    store.ratings()
    assert not read
    store.record("Bo", answer("a1", "readability", "A", 1))
    store.ratings()
    assert len(read) == 1


def test_a_file_that_was_replaced_or_changed_is_read_anew(store: RatingStore) -> None:
    for article in ("a0", "a1"):
        store.record("Ada", answer(article, "readability", "A", 3))
    (path,) = store.folder.glob("*.jsonl")
    assert store.ratings("Ada").values[0, 2, :2, 0].tolist() == [3, 3]
    first, second = path.read_text().splitlines()
    path.write_text(first.replace('"value": 3', '"value": 5') + "\n" + second + "\n")
    os.utime(path, ns=(0, 0))
    assert store.ratings("Ada").values[0, 2, :2, 0].tolist() == [5, 3]
    third = second.replace('"a1"', '"a2"').replace('"id": "', '"id": "x')
    path.write_text("\n".join([second, first, third, ""]))
    assert store.ratings("Ada").values[0, 2, :3, 0].tolist() == [3, 3, 3]
    path.write_text(second + "\n")
    np.testing.assert_array_equal(store.ratings("Ada").values[0, 2, :2, 0], [NAN, 3])
    path.unlink()
    assert store.ratings().judges == ()


def test_what_is_not_allowed_is_not_written(store: RatingStore) -> None:
    for question, value in (("numeral_accuracy", 3), ("reasonableness", 0), ("readability", 0)):
        with pytest.raises(InputError):
            store.record("Ada", answer("a0", question, "A", value))
    assert not store.folder.exists()


def test_files_of_others_are_added_whole_or_not_at_all(store: RatingStore) -> None:
    given = empty_ratings(FORM, store.task, ["Ada", "Bo"])
    given.values[:, :, :2] = GIVEN[None, :, None]
    store.record("Bo", answer("a1", "readability", "A", 5))
    store.record("Bo", answer("a1", "readability", "B", 3))
    assert store.add(given) == 2 * 2 * 5 - 1
    assert store.add(given) == 0
    found = store.ratings()
    assert found.values[1, 2, 1].tolist() == [5, 3]
    given.values[1, 0, 0, 0] = 1
    given.values[0, 0, 4] = [2, 2]
    with pytest.raises(InputError, match="Bo has judged the article 'a0' otherwise"):
        store.add(given)
    np.testing.assert_array_equal(store.ratings().values, found.values)


def test_places_that_clash_with_those_given_here_are_refused(tmp_path: Path) -> None:
    store = store_of(tmp_path, 1, ("A", "B", "C"))
    store.record("Ada", answer("a0", "reasonableness", "A", 2))
    given = empty_ratings(FORM, store.task, ["Ada"])
    given.values[0, 1, 0] = [NAN, 2, NAN]
    with pytest.raises(InputError, match="share a place"):
        store.add(given)
