"""A lesson of thirty phones, from the lobby to the file that is taken along."""

import io
import zipfile

import pytest

from core.errors import InputError
from core.people.room import measures
from core.people.room.files import lesson_zip
from core.people.room.rooms import RoomRefused
from core.people.room.state import LONGEST_REASON, RoomPhase, RoomStep, reasons_for
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import SWAPPED, broken_task, small_task

PHONES = 30


@pytest.fixture
def lesson(meeting):
    meeting.code, meeting.teacher = meeting.rooms.open(small_task(), lobby=True)
    return meeting, [meeting.join(f"Pupil {at}") for at in range(PHONES)]


def test_nobody_answers_in_the_lobby_and_the_screen_s_link_controls_nothing(lesson):
    meeting, tokens = lesson
    assert meeting.room.round.phase is RoomPhase.LOBBY
    with pytest.raises(RoomRefused):
        meeting.answer(tokens[0], 0, "same")
    link = meeting.rooms.screen(meeting.code)
    assert meeting.rooms.find_screen(link) == meeting.code
    assert not meeting.rooms.is_teacher(meeting.code, link)
    for forged in ("", meeting.code, link[:-1], meeting.rooms.ticket(meeting.code)):
        with pytest.raises(InputError):
            meeting.rooms.find_screen(forged)
    meeting.act(RoomStep.STARTED)
    meeting.answer(tokens[0], 0, "same")
    with pytest.raises(RoomRefused):
        meeting.act(RoomStep.STARTED)


def test_thirty_phones_from_the_lobby_to_one_file_without_names(lesson):
    meeting, tokens = lesson
    meeting.act(RoomStep.STARTED)
    key = meeting.room.round.task.items[0].key
    for number, token in enumerate(tokens):
        began, reason = meeting.room.round.began, "<b>same day</b> " + number * "x" if number < 3 else ""
        about = {"began": began, "item": key, "answer": "same" if number % 2 else "different"}
        meeting.rooms.answer(meeting.code, token, reason=reason + 500 * "y" * (number == 2), **about)
        for at in (1, 2):
            meeting.answer(token, at, "same")
    reasons = reasons_for(meeting.room, key)
    assert [len(reason) for _, reason in reasons] == [15, 17, LONGEST_REASON]
    (who, item), _ = reasons[0]
    meeting.act(RoomStep.REASON_HIDDEN, person=who, item=item)
    assert len(reasons_for(meeting.room, key)) == 2
    assert len(reasons_for(meeting.room, key, hidden=True)) == 3

    meeting.act(RoomStep.REVEALED)
    assert measures.in_view(meeting.room)[0].key == key, "the most divided item comes first"
    last = measures.most_divided(meeting.room.round, meeting.room.round.first)[-1]
    meeting.act(RoomStep.SHOWN, item=last.key)
    assert measures.in_view(meeting.room) == (last, 2)
    with pytest.raises(RoomRefused):
        meeting.act(RoomStep.SHOWN, item="no such item")

    meeting.act(RoomStep.VOTE_AGAIN)
    for token in tokens:
        meeting.answer(token, 0, "same")
    meeting.act(RoomStep.REVEALED)
    ways = measures.flow(meeting.room, meeting.room.round, meeting.room.round.task.items[0])
    assert ways == {("same", "same"): 15, ("different", "same"): 15}
    assert measures.room_change(meeting.room, meeting.room.round).changed == 15

    meeting.act(RoomStep.NEW_ROUND, task=broken_task())
    meeting.attempt(tokens[0], SWAPPED, "Storm hits")
    meeting.act(RoomStep.CLOSED)
    with zipfile.ZipFile(io.BytesIO(lesson_zip(meeting.room))) as archive:
        files = {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    assert set(files) == {"answers.csv", "contradictions.csv"}
    assert not any("Pupil" in content for content in files.values())
    rows = rows_of(files["answers.csv"])
    assert len(rows) == 3 * PHONES
    assert len({row["person"] for row in rows}) == PHONES
    assert sum(bool(row["reason"]) for row in rows) == 2, "what was hidden is not exported"
