"""Answers in the journal: every one is there, the last counts, and nobody changes what another answered."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Mapping

import numpy as np
import pytest

from core.errors import InputError
from core.journal.entry import NewEntry
from core.journal.journal import Journal
from core.people.answer_log import AnswerLog
from core.people.ratings import empty_ratings
from core.people.store import RatingStore
from core.people.task import drawn, make_task
from tests.unit.people.answering import answer, answer_all, store_of
from tests.unit.people.by_hand import FORM, QUESTIONS

NAN = np.nan
GIVEN = np.array([[2, 0], [1, 2], [5, NAN]])
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.unit.people.answering"])


@pytest.fixture
def store(journal: Journal) -> RatingStore:
    return store_of(journal)


def give(store: RatingStore, judge: str, article: str, values: np.ndarray) -> None:
    for at, question in enumerate(QUESTIONS):
        for place, system in enumerate(store.task.systems):
            if not np.isnan(values[at, place]):
                store.record(judge, answer(article, question, system, int(values[at, place])))


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
    first, *_ = store.journal.read(store.stream)
    assert (first.kind, first.who) == ("answer", "Ada")
    assert first.body == {
        "form": "numhg.v1",
        "title": store.task.title,
        "article": "a1",
        "question": "numeral_accuracy",
        "system": "A",
        "headlines": [store.task.headlines[1][0]],
        "value": 2,
    }


def test_other_articles_orders_and_counts_find_the_same_answers(store: RatingStore) -> None:
    give(store, "Ada", "a3", GIVEN)
    few = drawn(store.task, 3, seed=1)
    turned = make_task(
        "other", store.task.articles, ("B", "A"), [line[::-1] for line in store.task.headlines]
    )
    assert turned.fingerprint == store.task.fingerprint
    other = RatingStore(form=FORM, task=turned, journal=store.journal).ratings("Ada")
    np.testing.assert_array_equal(other.values[0, :, 3], GIVEN[:, ::-1])
    assert RatingStore(form=FORM, task=few, journal=store.journal).stream == store.stream


def test_judges_of_odd_names_stay_apart(store: RatingStore) -> None:
    names = ["../../etc/passwd", "Ада", "ада 2", "=1+1", "a/b", "a b", "CON", ".", "-", "\u200bx", "x" * 60]
    for number, name in enumerate(names):
        store.record(name, answer("a0", "readability", "A", 1 + number % 5))
    assert len(store.ratings().judges) == len(names)
    for number, name in enumerate(names):
        assert store.ratings(name).values[0, 2, 0, 0] == 1 + number % 5


def test_headlines_swap_places_and_the_last_takes_the_last_place(journal: Journal) -> None:
    systems = ("A", "B", "C", "D")
    store = store_of(journal, 1, systems)
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
    alone = store_of(journal, 1, ("A",))
    alone.record("Ada", answer("a0", "reasonableness", "A", 1))
    assert alone.ratings("Ada").values[0, 1, 0].tolist() == [1]


@pytest.mark.usefixtures("bare_main")
def test_forty_windows_and_another_process_lose_no_answer(store: RatingStore) -> None:
    judges = [f"Judge {number}" for number in range(13)]
    windows = [
        (store.journal, judge, question) for judge in judges for question in QUESTIONS if "r" in question
    ]
    assert len(windows) == 39
    workers = [PROCESSES.Process(target=answer_all, args=windows[0])]
    workers += [threading.Thread(target=answer_all, args=window) for window in windows]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    whole = store_of(store.journal, 3)
    found = whole.ratings()
    assert found.judges == tuple(sorted(judges))
    assert (found.values[:, [0, 2]] == 2).all()
    assert (np.sort(found.values[:, 1], axis=-1) == [1, 2]).all()
    assert len(store.journal.read(whole.stream)) == 40 * 3 * 2
    assert whole.damaged() == 0


BODY = {"article": "a0", "question": "readability", "system": "A", "value": 4}


@pytest.mark.parametrize(
    "damage",
    [
        NewEntry(kind="elsewhere", who="Ada", body=BODY),
        NewEntry(kind="answer", who="", body=BODY),
        NewEntry(kind="undo", who="Ada", body={"answer": 1}),
        *(
            NewEntry(kind="answer", who="Ada", body=BODY | wrong)
            for wrong in (
                {"article": None},
                {"question": "nosuch"},
                {"system": "C"},
                {"system": ["A"]},
                {"value": 7},
                {"value": True},
                {"value": "4"},
                {"value": 4.0},
            )
        ),
    ],
)
def test_what_is_no_answer_is_ignored_and_counted(store: RatingStore, damage: NewEntry) -> None:
    give(store, "Ada", "a0", GIVEN)
    store.journal.append(store.stream, [damage])
    assert store.damaged() == 1
    give(store, "Ada", "a1", GIVEN)
    assert store.damaged() == 1
    found = store.ratings("Ada")
    np.testing.assert_array_equal(found.values[0, :, 0], GIVEN)
    np.testing.assert_array_equal(found.values[0, :, 1], GIVEN)


def test_nobody_takes_back_what_another_answered(store: RatingStore) -> None:
    given = store.record("Ada", answer("a0", "readability", "A", 3))
    store.undo("Bo", given)
    assert store.ratings("Ada").values[0, 2, 0, 0] == 3
    store.undo("ada", given)
    assert np.isnan(store.ratings("Ada").values).all()


def test_only_what_was_appended_is_followed_again(
    store: RatingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for judge in ("Ada", "Bo", "Cy"):
        give(store, judge, "a0", GIVEN)
    assert len(store.ratings().judges) == 3
    followed: list[Mapping[str, object]] = []
    real = AnswerLog._answer
    monkeypatch.setattr(AnswerLog, "_answer", lambda log, body: (followed.append(body), real(log, body))[1])
    store.ratings()
    assert not followed
    store.record("Bo", answer("a1", "readability", "A", 1))
    store.ratings()
    assert len(followed) == 1


def test_what_is_not_allowed_is_not_written(store: RatingStore) -> None:
    for question, value in (("numeral_accuracy", 3), ("reasonableness", 0), ("readability", 0)):
        with pytest.raises(InputError):
            store.record("Ada", answer("a0", question, "A", value))
    assert store.journal.streams() == {}


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


def test_places_that_clash_with_those_given_here_are_refused(journal: Journal) -> None:
    store = store_of(journal, 1, ("A", "B", "C"))
    store.record("Ada", answer("a0", "reasonableness", "A", 2))
    given = empty_ratings(FORM, store.task, ["Ada"])
    given.values[0, 1, 0] = [NAN, 2, NAN]
    with pytest.raises(InputError, match="share a place"):
        store.add(given)
