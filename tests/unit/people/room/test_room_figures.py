"""What a room answered: counts, agreement before and after, and the tasks that are drawn for it."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.pair_sets.load import load_pair_set
from core.people.room.drawing import choice_task, pairs_of_set, pairs_of_timeline, same_event_task
from core.people.room.measures import counted, most_divided, room_agreement, room_change, tally
from core.people.room.state import RoomStep
from core.people.room.task import item_order, shown_order, task_body, task_of
from core.similarities import Similarities
from tests.unit.people.room.meeting import Meeting, small_task


def voted() -> Meeting:
    """Three people, two votes: the second in agreement."""
    meeting = Meeting()
    tokens = [meeting.join(name) for name in ("Ada", "Bo", "Cy")]
    first = (("same", "same", "different"), ("same", "different", "different"), ("same", "same", "same"))
    for token, answers in zip(tokens, first, strict=True):
        for at, answer in enumerate(answers):
            meeting.answer(token, at, answer)
    meeting.act(RoomStep.REVEALED)
    meeting.act(RoomStep.VOTE_AGAIN)
    for token in tokens[:2]:
        for at, answer in enumerate(("same", "same", "different")):
            meeting.answer(token, at, answer)
    return meeting


def test_agreement_before_and_after_is_that_of_the_same_answers() -> None:
    room = voted().room
    assert room_agreement(room.round, room.round.first).raw == pytest.approx((3 + 1 + 1) / 9)
    change = room_change(room, room.round)
    assert (change.both, change.changed) == (6, 1)
    assert change.before.raw == pytest.approx(2 / 3)
    assert change.after.raw == 1.0
    # Two people, three items, by hand: 1 - (n - 1) * disagreeing / (product of the counts).
    assert change.before.alpha.value == pytest.approx(1 - 5 * 2 / (2 * 3 * 3))
    assert change.after.alpha.value == 1.0
    assert "at least 10" in change.before.alpha.warning
    assert change.before.alpha.low is None


def test_answers_are_counted_and_the_most_divided_item_comes_first() -> None:
    meeting = voted()
    room = meeting.room
    items = room.round.task.items
    assert tally(room.round, items[1], room.round.first) == {"same": 2, "different": 1}
    assert most_divided(room.round, room.round.first)[-1] == items[0]
    who = next(person.who for person in room.here if person.nickname == "Cy")
    meeting.act(RoomStep.REMOVED, person=who)
    assert len(counted(meeting.room, room.round.first)) == 6


def test_a_room_without_answers_has_no_agreement() -> None:
    meeting = Meeting()
    found = room_agreement(meeting.room.round, {})
    assert (found.people, found.answers, found.raw, found.alpha.value) == (0, 0, None, None)


def test_a_task_is_the_same_after_it_was_stored() -> None:
    assert task_of(task_body(small_task())) == small_task()
    assert small_task().fingerprint != small_task(2).fingerprint


def test_half_of_the_people_see_the_second_headline_first() -> None:
    task = small_task()
    turned = [shown_order(task, task.items[0], f"person {number}") == (1, 0) for number in range(400)]
    assert 150 < sum(turned) < 250
    orders = {item_order(task, f"person {number}") for number in range(100)}
    assert len(orders) == 6


def test_pairs_of_a_set_are_half_of_each_kind_and_drawn_by_the_seed() -> None:
    pairs = load_pair_set("sample:iss")
    found = pairs_of_set(pairs, count=10, seed=1)
    assert [pair.same for pair in found].count(True) == 5
    assert found == pairs_of_set(pairs, count=10, seed=1) != pairs_of_set(pairs, count=10, seed=2)
    assert all(pair.same for pair in pairs_of_set(pairs, count=6, seed=1, same_only=True))
    task = same_event_task("ISS", found, key_from="people said")
    assert {item.right for item in task.items} == {"same", "different"}


def test_pairs_of_a_timeline_are_groups_and_near_misses() -> None:
    texts = ["storm a", "storm b", "bank a", "bank b", "goal", "STORM A"]
    groups = np.array([0, 0, 1, 1, 2, 0])
    scores = np.full((6, 6), 0.1, dtype=np.float32)
    scores[1, 2] = scores[2, 1] = 0.6
    found = pairs_of_timeline(texts, groups, Similarities(scores), count=4, seed=0)
    assert len(found) == 4
    assert [pair.same for pair in found].count(True) == 2
    assert {pair.first.casefold() for pair in found if pair.same} <= {
        "storm a",
        "storm b",
        "bank a",
        "bank b",
    }
    assert not any(pair.first.casefold() == pair.second.casefold() for pair in found)
    everything = pairs_of_timeline(texts, groups, Similarities(scores), count=100, seed=0)
    assert {frozenset((pair.first, pair.second)) for pair in everything if not pair.same} >= {
        frozenset(("storm b", "bank a"))
    }
    chosen = choice_task(
        "t", pairs_of_timeline(texts, groups, Similarities(scores), count=9, seed=0, same_only=True)
    )
    assert all(item.right == "" for item in chosen.items)
    assert chosen.values == ("1", "2", "draw", "bad")
