"""Voting on pairs from the entries alone: stages, control pairs, which votes count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.data.pair_sets.load import load_pair_set
from core.journal.journal import Entry
from core.people.votes import consensus
from core.people.voting import (
    AGAIN,
    BETTER_HEADLINE,
    CONTROL_AFTER,
    EXAM,
    FIRST_CONTROLS,
    SAME_EVENT,
    TRAINING,
    UNDONE,
    VOTED,
    VOTES,
    Item,
    Purpose,
    Standing,
    VotingTask,
    counted_votes,
    known_items,
    make_item,
    next_item,
    vote,
    voter,
    voters,
    voting_task,
)
from tests.unit.people.annotation.entries import entries

RIGHT, WRONG = "same", "different"


def items(pool: Purpose, count: int) -> list[Item]:
    right = () if pool == Purpose.MAIN else (RIGHT,)
    return [make_item(f"{pool} {at}", "b", ("", ""), pool, right) for at in range(count)]


TASK = VotingTask(
    "pairs",
    SAME_EVENT,
    (
        *items(Purpose.TRAINING, 2),
        *items(Purpose.EXAM, 5),
        *items(Purpose.CONTROL, 6),
        *items(Purpose.MAIN, 30),
    ),
)


def answered(
    task: VotingTask, who: str, answers: dict[Purpose, str], count: int, before: Sequence[Entry] = ()
) -> list[Entry]:
    """A person who answers what comes next, by pool."""
    done = list(before)
    for _ in range(count):
        everybody = voters(task, done)
        item = next_item(voter(task, done, who), everybody.values())
        if item is None:
            break
        (entry,) = entries((who, VOTED, vote(task, item, answers.get(item.pool, RIGHT), seconds=2.0)))
        done.append(replace(entry, id=f"{who}{len(done)}"))
    return done


def test_training_then_exam_then_work_with_a_control_pair_after_every_five() -> None:
    assert voter(TASK, [], "Ada").stage == Standing.TRAINING
    assert voter(TASK, answered(TASK, "Ada", {}, 2), "Ada").stage == Standing.EXAM
    done = answered(TASK, "Ada", {}, 7 + 2 * (CONTROL_AFTER + 1))
    own = voter(TASK, done, "Ada")
    assert own.stage == Standing.WORK
    work = [TASK.by_id[item].pool for item in own.votes][7:]
    assert [at for at, pool in enumerate(work) if pool == Purpose.CONTROL] == [
        CONTROL_AFTER,
        2 * CONTROL_AFTER + 1,
    ]
    assert own.seconds == 2.0


def test_who_fails_the_exam_votes_on_nothing_and_may_take_it_again() -> None:
    done = answered(TASK, "Ada", {Purpose.EXAM: WRONG}, 99)
    own = voter(TASK, done, "Ada")
    assert (own.stage, own.right(Purpose.EXAM), len(own.votes)) == (Standing.FAILED, (0, 5), 7)
    (again,) = entries(("Ada", AGAIN, {}))
    assert voter(TASK, [*done, again], "Ada").stage == Standing.TRAINING


def test_who_errs_on_control_pairs_is_stopped_and_does_not_count() -> None:
    done = answered(TASK, "Ada", {Purpose.CONTROL: WRONG}, 99)
    own = voter(TASK, done, "Ada")
    assert own.stage == Standing.STOPPED
    assert own.right(Purpose.CONTROL) == (0, FIRST_CONTROLS)
    done = answered(TASK, "Bob", {}, 20, done)
    votes = counted_votes(TASK, voters(TASK, done).values())
    assert votes.people == ("Bob",)


def test_a_pair_is_asked_until_it_has_five_votes_that_count_and_four_of_five_keep_its_answer() -> None:
    done: list[Entry] = []
    for at in range(VOTES + 1):
        done = answered(TASK, f"p{at}", {Purpose.MAIN: WRONG if at == 0 else RIGHT}, 99, done)
    votes = counted_votes(TASK, voters(TASK, done).values())
    assert len(votes.items) == 30
    assert ((votes.codes >= 0).sum(axis=1) == VOTES).all()
    assert consensus(votes, quorum=0.8).decided == 30
    assert consensus(votes, quorum=1.0).decided == 0


def test_undo_takes_back_work_but_no_answer_of_the_exam() -> None:
    assert voter(TASK, answered(TASK, "Ada", {}, 7), "Ada").last is None
    done = answered(TASK, "Ada", {}, 9)
    last = voter(TASK, done, "Ada").last
    assert last is not None
    (undone,) = entries(("Ada", UNDONE, {"of": last[0]}))
    (strange,) = entries(("Bob", UNDONE, {"of": last[0]}))
    assert last[1] not in voter(TASK, [*done, undone], "Ada").votes
    assert last[1] in voter(TASK, [*done, strange], "Ada").votes


@pytest.mark.parametrize(
    "body", [{}, {"item": "x", "answer": RIGHT}, {"item": TASK.items[0].id, "answer": "maybe"}]
)
def test_votes_that_make_no_sense_are_ignored(body: dict[str, Any]) -> None:
    assert not voter(TASK, entries(("Ada", VOTED, body)), "Ada").votes


def test_the_pairs_of_a_set_get_pairs_with_known_answers_before_and_between_them() -> None:
    task = voting_task(load_pair_set("iss.v1"), SAME_EVENT)
    assert (len(task.pool(Purpose.TRAINING)), len(task.pool(Purpose.EXAM))) == (TRAINING, EXAM)
    for pool in (Purpose.TRAINING, Purpose.EXAM, Purpose.CONTROL):
        found = [item.right_answers for item in task.pool(pool)]
        assert found.count(("same",)) == found.count(("different",)) > 0
    assert not any(item.right_answers for item in task.pool(Purpose.MAIN))
    assert all(item.days[0] for item in task.pool(Purpose.MAIN))


def test_russian_pairs_are_trained_with_russian_ones() -> None:
    task = voting_task(load_pair_set("headlinecause_ru.v1"), SAME_EVENT)
    assert task.pool(Purpose.TRAINING) == tuple(
        i for i in known_items(SAME_EVENT, "ru") if i.pool == Purpose.TRAINING
    )


def test_half_of_the_people_see_the_better_headline_on_the_other_side() -> None:
    task = voting_task(load_pair_set("iss.v1"), BETTER_HEADLINE)
    item = task.pool(Purpose.MAIN)[0]
    sides = [voter(task, [], f"person {at}").swapped(item) for at in range(200)]
    assert 60 < sum(sides) < 140
    assert vote(task, item, "left", swapped=True)["shown"] == [item.right, item.left]
    assert not voter(TASK, [], "Ada").swapped(TASK.items[0])
