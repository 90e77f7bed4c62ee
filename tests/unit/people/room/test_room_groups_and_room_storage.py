import io
import zipfile

import numpy as np
import pytest
from sklearn.metrics import adjusted_mutual_info_score

from core.data.timelines.load import load
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import Journal
from core.journal.spellings import ErasureTarget
from core.people.agreement import group_agreement
from core.people.room.draws import groups_task
from core.people.room.files import answers_csv, groups_csv, lesson_zip
from core.people.room.measures import room_change
from core.people.room.rooms import RoomRefused, Rooms
from core.people.room.state import RoomStep
from core.people.room.task import group_numbers, groups_of, item_order, task_body, task_of
from tests.unit.people.room.meeting import Meeting, rows, small_task

TEXTS = ["Bank raises rates", "Rates raised by the bank", "Storm closes airports", "Airports shut by storm"]
DAYS = ["2024-05-01", "2024-05-01", "2024-05-03", "2024-05-04"]


def four_headlines():
    timeline = rows(TEXTS, [0, 0, 1, 1], DAYS)
    return groups_task("Small", timeline, count=4, seed=0, key_from="people grouped them")


def group(meeting, token, places):
    """Puts each headline with the one at a place; its own place is a new event."""
    keys = [item.key for item in meeting.room.round.task.items]
    for at, place in enumerate(places):
        meeting.answer(token, at, keys[place])


def voted():
    """Three people group four headlines twice; the second time as the data have them."""
    meeting = Meeting(four_headlines())
    tokens = [meeting.join(name) for name in ("Ada", "Bo", "Cy")]
    for token, places in zip(tokens, ([0, 0, 2, 2], [0, 0, 2, 3], [0, 1, 2, 2]), strict=True):
        group(meeting, token, places)
    meeting.act(RoomStep.REVEALED)
    meeting.act(RoomStep.VOTE_AGAIN)
    for token in tokens:
        group(meeting, token, [0, 0, 2, 2])
    return meeting


def test_headlines_come_in_the_order_of_time_with_their_groups():
    task = four_headlines()
    assert [item.texts[0] for item in task.items] == TEXTS
    assert [item.day for item in task.items] == DAYS
    keys = [item.key for item in task.items]
    assert [item.right for item in task.items] == [keys[0], keys[0], keys[2], keys[2]]
    assert item_order(task, "Ada") == item_order(task, "Bo") == tuple(keys)
    assert task_of(task_body(task)) == task


@pytest.mark.parametrize(("places", "numbers"), [([0, 0, 1, 2], [0, 0, 0, 0]), ([0, 1, 2, 1], [0, 1, 2, 1])])
def test_answers_lead_back_to_the_first_headline_of_a_group(places, numbers):
    meeting = Meeting(four_headlines())
    group(meeting, meeting.join("Ada"), places)
    room = meeting.room
    (person,) = room.here
    found = group_numbers(room.round.task, room.round.first, [person.who])
    assert found[:, 0].tolist() == numbers
    assert len(groups_of(room.round.task, room.round.first, person.who)) == len(set(numbers))


def test_a_headline_joins_none_that_comes_after_it():
    meeting = Meeting(four_headlines())
    token = meeting.join("Ada")
    keys = [item.key for item in meeting.room.round.task.items]
    for answer in (keys[2], "same", ""):
        with pytest.raises(RoomRefused, match="not one of the answers"):
            meeting.answer(token, 1, answer)
    assert meeting.room.refused == 3


def test_agreement_on_groups_is_that_of_pairs_and_of_hlgd():
    room = voted().room
    change = room_change(room, room.round)
    # Bo takes the last two apart and Cy the first two: two answers move to another group.
    assert (change.both, change.changed) == (12, 2)
    assert change.after.raw == change.after.alpha.value == change.after.ami == 1.0
    assert change.before.people == 3
    # Of six pairs of headlines two divide the three people, two to one.
    assert change.before.raw == pytest.approx((4 * 3 + 2 * 1) / (6 * 3))
    # By hand: 18 answers, 4 of them "same", 8 ordered pairs of answers that differ, each over 2.
    observed, expected = 8 / 2 / 18, 2 * 4 * 14 / (18 * 17)
    assert change.before.alpha.value == pytest.approx(1 - observed / expected)
    assert change.before.alpha.low is None
    merged = [[0, 1, 2, 3], [0, 1, 2, 2], [0, 0, 1, 2]]  # of Bo and Cy, Ada and Cy, Ada and Bo
    own = [[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 2]]
    scores = [adjusted_mutual_info_score(*both) for both in zip(merged, own, strict=True)]
    assert change.before.ami == pytest.approx(np.mean(scores))


def test_the_groups_of_a_room_are_a_timeline_as_hlgd_was_released():
    room = voted().room
    lines = groups_csv(room).decode().splitlines()
    assert lines[0] == "headline,date,annot_1_group,annot_2_group,annot_3_group,global_group"
    assert lines[1] == "Bank raises rates,2024-05-01,1,1,1,1"
    found = group_agreement(load(groups_csv(room), "groups.csv"))
    assert (found.headlines, found.groups, found.means["ami"].value) == (4, 2, 1.0)
    late = Meeting(four_headlines())
    keys = [item.key for item in late.room.round.task.items]
    late.answer(late.join("Ada"), 2, keys[2])
    groups = [line.rpartition(",")[2] for line in groups_csv(late.room).decode().splitlines()[1:]]
    assert groups == ["", "", "1", ""]
    assert "New event" in answers_csv(room).decode()
    with zipfile.ZipFile(io.BytesIO(lesson_zip(room))) as lesson:
        assert lesson.read("groups-round-1.csv") == groups_csv(room)


def test_a_room_is_there_after_a_new_start_of_the_server(journal):
    meeting = Meeting(log=journal)
    token = meeting.join("Ada")
    meeting.answer(token, 0, "same")
    meeting.act(RoomStep.REVEALED)
    later = Rooms(Journal(journal.url))
    assert later.room(meeting.code) == meeting.room
    assert later.is_teacher(meeting.code, meeting.teacher)
    person = later.person(meeting.code, token)
    assert later.room(meeting.code).answers_of(person.who) == {small_task().items[0].key: "same"}


def test_somebody_who_is_forgotten_is_gone_while_the_room_goes_on(journal):
    meeting = Meeting(log=journal)
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    for token in (ada, bo):
        meeting.answer(token, 0, "same")
    person = meeting.rooms.person(meeting.code, ada)
    forget(journal, secret_of(ErasureTarget.PERSON, person.who), {})
    assert [one.nickname for one in meeting.room.here] == ["Bo"]
    assert len(meeting.room.round.first) == 1
    assert meeting.rooms.person(meeting.code, ada) is None
    meeting.answer(bo, 1, "same")
    assert len(meeting.room.round.first) == 2
