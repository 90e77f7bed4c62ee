"""A round that the teacher leads: all are asked one item, each of which has its own votes."""

import csv
import io

import pytest

from core.people.room import measures
from core.people.room.files import answers_csv
from core.people.room.rooms import RoomRefused
from core.people.room.state import RoomPhase, RoomPresence, RoomStep, presences, progress
from tests.unit.people.room.meeting import Meeting, broken_task


@pytest.fixture
def led(meeting):
    meeting.keys = [item.key for item in meeting.room.round.task.items]
    meeting.ada, meeting.bo = meeting.join("Ada"), meeting.join("Bo")
    meeting.act(RoomStep.LED, item=meeting.keys[0])
    return meeting


def given(meeting, vote="first"):
    answers = getattr(meeting.room.round, vote)
    return {
        (meeting.room.people[who].nickname, meeting.keys.index(key)): a for (who, key), a in answers.items()
    }


def test_all_are_asked_one_item_and_another_takes_no_answer(led):
    led.answer(led.ada, 0, "same")
    with pytest.raises(RoomRefused):
        led.answer(led.ada, 1, "same")
    assert progress(led.room) == (1, 2, 1)
    assert list(presences(led.room, {}, led.clock()).values()) == [RoomPresence.DONE, RoomPresence.WORKING]
    before = led.room.round.began
    led.act(RoomStep.LED, item=led.keys[1])
    with pytest.raises(RoomRefused):  # a phone that did not hear of it yet
        led.answer(led.bo, 1, "same", began=before)
    led.answer(led.bo, 1, "different")
    assert given(led) == {("Ada", 0): "same", ("Bo", 1): "different"}
    assert measures.in_view(led.room) == (led.room.round.task.items[1], 1)


def test_each_item_has_its_own_second_vote_in_which_what_stands_stays(led):
    for person in (led.ada, led.bo):
        led.answer(person, 0, "same")
    led.act(RoomStep.REVEALED)
    led.act(RoomStep.VOTE_AGAIN)
    led.answer(led.bo, 0, "different")
    led.act(RoomStep.LED, item=led.keys[1])
    led.answer(led.ada, 1, "same")
    assert given(led, "kept") == {("Ada", 0): "same"}
    assert given(led, "second") == {("Bo", 0): "different"}
    led.act(RoomStep.LED, item=led.keys[0])
    assert led.room.round.phase == RoomPhase.COMPARED, "a second vote that was left is over"
    assert measures.flow(led.room, led.room.round, led.room.round.asked[0]) == {
        ("same", "same"): 1,
        ("same", "different"): 1,
    }
    rows = list(csv.DictReader(io.StringIO(answers_csv(led.room).decode("utf-8-sig"))))
    assert sorted((row["person"], row["second_vote"], row["second_kept"]) for row in rows) == [
        ("Ada", "", ""),
        ("Ada", "Same event", "yes"),
        ("Bo", "Different events", ""),
    ]
    led.act(RoomStep.LED, item=led.keys[1])
    assert led.room.round.phase == RoomPhase.BLIND, "a first vote that was left goes on"


def test_what_is_known_is_told_on_request_after_which_nobody_votes_again(led):
    item = led.room.round.asked[0]
    assert measures.known_answers(led.room.round, item) == {}
    with pytest.raises(RoomRefused):
        led.act(RoomStep.SOLVED)
    led.act(RoomStep.REVEALED)
    assert measures.known_answers(led.room.round, item) == {}
    led.act(RoomStep.SOLVED)
    assert measures.known_answers(led.room.round, item) == {"As people said": "Same event"}
    assert measures.known_answers(led.room.round, led.room.round.task.items[1]) == {}
    with pytest.raises(RoomRefused):
        led.act(RoomStep.VOTE_AGAIN)


def test_after_a_countdown_no_answer_counts_and_the_next_item_has_none(led):
    led.act(RoomStep.COUNTDOWN, seconds=30)
    led.clock.wait(29)
    led.answer(led.ada, 0, "same")
    assert led.room.round.seconds_left(led.clock()) == 1
    led.clock.wait(1)
    with pytest.raises(RoomRefused):
        led.answer(led.bo, 0, "same")
    led.act(RoomStep.LED, item=led.keys[1])
    led.answer(led.bo, 1, "same")


def test_a_reset_ends_leading_and_undo_goes_on_with_it(led):
    led.answer(led.ada, 0, "same")
    led.act(RoomStep.RESET)
    assert not led.room.round.led
    led.act(RoomStep.RESET_UNDONE)
    assert led.room.round.led == led.keys[0]
    led.answer(led.bo, 0, "same")


def test_what_was_revealed_at_once_and_what_has_no_questions_is_not_led(meeting):
    meeting.act(RoomStep.REVEALED)
    with pytest.raises(RoomRefused):
        meeting.act(RoomStep.LED, item=meeting.room.round.task.items[0].key)
    broken = Meeting(broken_task())
    with pytest.raises(RoomRefused):
        broken.act(RoomStep.LED, item="item 0")
