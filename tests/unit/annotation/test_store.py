"""The store: answers are added and never lost, whoever writes at the same time."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from core.annotation.ratings import empty_ratings
from core.annotation.store import RatingStore
from core.annotation.task import drawn, make_task
from core.errors import DataSourceError, InputError
from tests.unit.annotation.by_hand import FORM, task_of

NAN = np.nan
GIVEN = np.array([[2, 0], [1, 2], [5, NAN]])


@pytest.fixture
def store(tmp_path: Path) -> RatingStore:
    return RatingStore(form=FORM, task=task_of(5), root=tmp_path)


def test_answers_are_found_again_and_the_last_counts(store: RatingStore) -> None:
    assert store.ratings().judges == ()
    assert np.isnan(store.ratings("Ada").values).all()
    store.record("Ada", "a1", GIVEN)
    store.record("Ada", "a1", np.array([[1, 0], [2, 1], [NAN, NAN]]))
    store.record(" ada ", "a2", GIVEN)
    found = store.ratings()
    assert found.judges == ("Ada",)
    np.testing.assert_array_equal(found.values[0, :, 1], [[1, 0], [2, 1], [NAN, NAN]])
    np.testing.assert_array_equal(found.values[0, :, 2], GIVEN)
    assert found.complete().tolist() == [[False] * 5]
    told = json.loads((store.folder / "task.json").read_text())
    assert told["form"] == "numhg.v1"
    assert told["systems"] == ["A", "B"]


def test_other_articles_orders_and_counts_find_the_same_answers(store: RatingStore) -> None:
    store.record("Ada", "a3", GIVEN)
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
        values = np.full((3, 2), NAN)
        values[2, 0] = 1 + number % 5
        store.record(name, "a0", values)
    found = store.ratings()
    assert len(found.judges) == len(names)
    files = [path for path in store.root.rglob("*") if path.is_file()]
    assert {path.parent for path in files} == {store.folder}
    assert len(files) == len(names) + 1
    for number, name in enumerate(names):
        assert store.ratings(name).values[0, 2, 0, 0] == 1 + number % 5


def test_many_sessions_write_at_once_and_nothing_is_lost(store: RatingStore) -> None:
    def work(judge: str, article: str) -> None:
        for level in (1, 2, 3, 4, 5):
            store.record(judge, article, np.array([[NAN, NAN], [NAN, NAN], [level, level]]))

    threads = [
        threading.Thread(target=work, args=(judge, article))
        for judge in ("Ada", "Bo", "Cy")
        for article in store.task.articles
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.ratings()
    assert found.judges == ("Ada", "Bo", "Cy")
    assert (found.values[:, 2] == 5).all()
    lines = [line for path in store.folder.glob("*.jsonl") for line in path.read_text().split("\n") if line]
    assert len(lines) == 3 * 5 * 5


@pytest.mark.parametrize(
    "damage",
    [
        b'{"format": 1, "judge": "Ada", "article": "a0", "answ',
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'{"format": 9, "judge": "Ada", "article": "a0", "answers": {}}',
        b'{"format": 1, "judge": 7, "article": "a0", "answers": {}}',
        b'{"format": 1, "judge": "Ada", "article": "nowhere", "answers": {"readability": {"A": 1}}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_passed_over(store: RatingStore, damage: bytes) -> None:
    store.record("Ada", "a0", GIVEN)
    (path,) = store.folder.glob("*.jsonl")
    with path.open("ab") as file:
        file.write(damage)
    store.record("Ada", "a1", GIVEN)
    found = store.ratings("Ada")
    np.testing.assert_array_equal(found.values[0, :, 0], GIVEN)
    np.testing.assert_array_equal(found.values[0, :, 1], GIVEN)


def test_answers_in_a_file_that_the_form_does_not_allow_are_none(store: RatingStore) -> None:
    store.record("Ada", "a0", GIVEN)
    (path,) = store.folder.glob("*.jsonl")
    answers = {
        "numeral_accuracy": {"A": 7, "B": True},
        "reasonableness": {"A": 1, "B": 1},
        "readability": {"A": "5", "B": 4, "C": 3},
    }
    line = json.dumps({"format": 1, "judge": "Ada", "article": "a0", "answers": answers})
    path.write_text(line + "\n")
    np.testing.assert_array_equal(store.ratings("Ada").values[0, :, 0], [[NAN, NAN], [NAN, NAN], [NAN, 4]])


def test_what_is_not_allowed_is_not_written(store: RatingStore) -> None:
    for bad in (np.array([[2, 0], [1, 1], [5, 5]]), np.array([[3, 0], [1, 2], [5, 5]])):
        with pytest.raises(InputError):
            store.record("Ada", "a0", bad)
    assert not store.folder.exists()


def test_files_of_others_are_added_whole_or_not_at_all(store: RatingStore) -> None:
    given = empty_ratings(FORM, store.task, ["Ada", "Bo"])
    given.values[:, :, :2] = GIVEN[None, :, None]
    store.record("Bo", "a1", np.array([[NAN, NAN], [NAN, NAN], [5, 3]]))
    assert store.add(given) == 2 * 2 * 5 - 1
    assert store.add(given) == 0
    found = store.ratings()
    assert found.values[1, 2, 1].tolist() == [5, 3]
    given.values[1, 0, 0, 0] = 1
    given.values[0, 0, 4] = [2, 2]
    with pytest.raises(InputError, match="Bo has judged the article 'a0' otherwise"):
        store.add(given)
    np.testing.assert_array_equal(store.ratings().values, found.values)


def test_places_that_clash_with_those_given_here_are_refused(store: RatingStore) -> None:
    store.record("Ada", "a0", np.array([[NAN, NAN], [2, NAN], [NAN, NAN]]))
    given = empty_ratings(FORM, store.task, ["Ada"])
    given.values[0, 1, 0] = [NAN, 2]
    with pytest.raises(InputError, match="share a place"):
        store.add(given)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = RatingStore(form=FORM, task=task_of(1), root=tmp_path / "file")
    with pytest.raises(DataSourceError, match="cannot be written"):
        store.record("Ada", "a0", GIVEN)
