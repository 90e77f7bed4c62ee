import json
import logging
from contextlib import contextmanager, suppress

import pytest

from core.errors import InputError
from core.people.room.codes import CODE_LENGTH, LETTERS, new_code, read_code
from core.people.room.replay import RoomRefusal
from core.people.room.rooms import IDLE, NoSuchRoom, RoomRefused, Rooms
from core.people.room.state import RoomStep, counted
from tests.unit.people.room.meeting import Meeting, small_task


def refused_steps(meeting):
    stored = meeting.log.read(f"rooms/{meeting.code}")
    return [entry.body["step"] for entry in stored if entry.kind == "refused"]


@contextmanager
def refuses(reason):
    with pytest.raises(RoomRefused) as refused:
        yield
    assert refused.value.reason is reason


@pytest.fixture(autouse=True)
def hear(caplog):
    caplog.set_level(logging.WARNING, logger="headline_lab")


def test_a_code_is_read_however_it_is_typed(meeting):
    code = meeting.code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)
    for given in (code, code.lower(), f" {code[:4]} {code[4:]}\n", f"{code[:4]}-{code[4:]}"):
        assert meeting.rooms.find(given) == (code, 0)
    for given in ("", "AEIOUY", code + code, code[:5], "../../etc", "x" * 100_000):
        assert read_code(given) == ""


def test_wrong_codes_keep_nobody_out_and_guessing_is_hopeless(meeting):
    """A class shares one address, so that nothing may be shut because somebody there types wrong codes."""
    for _ in range(200):
        with pytest.raises(NoSuchRoom, match="no room with this code"):
            meeting.rooms.find(new_code())
    assert meeting.rooms.find(meeting.code) == (meeting.code, 0)
    # A hundred guesses a second for as long as a room is open at most hit one room once in 5,000 times.
    assert len(LETTERS) ** CODE_LENGTH > 5_000 * 100 * IDLE.total_seconds()


def test_a_ticket_is_signed_for_its_room_and_ends(meeting):
    ticket = meeting.rooms.ticket(meeting.code)
    assert meeting.rooms.find(ticket) == (meeting.code, 0)
    code, _, end, _ = ticket.split(".")
    for forged in (
        f"{ticket[:-1]}{'0' if ticket[-1] != '0' else '1'}",
        ticket.replace(f".0.{end}", f".1.{end}"),
        ticket.replace(end, str(int(end) + 1)),
        ticket.replace(code, new_code()),
        ticket.rpartition(".")[0],
        "...",
        "\ud800." + ticket,
    ):
        with pytest.raises(NoSuchRoom):
            meeting.rooms.find(forged)
    with pytest.raises(NoSuchRoom):
        Rooms(meeting.log, now=meeting.clock).find(ticket)
    meeting.clock.wait(3600 - 1)
    assert meeting.rooms.find(ticket) == (meeting.code, 0)
    meeting.clock.wait(3601)
    code, door = meeting.rooms.find(ticket)
    with refuses(RoomRefusal.CODE):
        meeting.join("Late", door=door)


def test_nobody_fills_a_room_with_browsers_that_are_made_up(meeting):
    """One code or ticket that was read off the screen; the class goes on with what the screen shows next."""
    letters, ticket = meeting.rooms.code_shown(meeting.code), meeting.rooms.ticket(meeting.code)
    _, door = meeting.rooms.find(ticket)
    for number in range(300):
        with suppress(RoomRefused):
            meeting.join(f"Bot {number}", door=door)
    assert len(meeting.room.here) == meeting.room.most_people // 5
    now = meeting.rooms.code_shown(meeting.code)
    assert now != letters
    for given in (now, meeting.rooms.ticket(meeting.code)):
        code, door = meeting.rooms.find(given)
        assert code == meeting.code
        meeting.join(f"Ada {len(given)}", door=door)
    # Another server with the secret knows the code; one without it does not.
    with pytest.raises(NoSuchRoom):
        Rooms(meeting.log, now=meeting.clock).find(now)


def test_a_room_is_emptied_and_the_class_comes_back(meeting):
    ada = meeting.join("Ada")
    meeting.answer(ada, 0, "same")
    old = meeting.rooms.find(meeting.code)[1]
    meeting.act(RoomStep.EMPTIED)
    assert meeting.room.here == ()
    assert counted(meeting.room, meeting.room.round.first) == {}
    with refuses(RoomRefusal.CODE):
        meeting.join("Bot", door=old)
    meeting.join("Ada", browser=ada, door=meeting.rooms.find(meeting.rooms.code_shown(meeting.code))[1])
    meeting.answer(ada, 0, "different")
    assert list(counted(meeting.room, meeting.room.round.first).values()) == ["different"]


@pytest.mark.parametrize(
    "nickname",
    ["<script>alert(1)</script>", "$\\alpha$", "a" * 25, " \u200b\u2800 ", "Ada\u202eadA;", "\u0410da"],
)
def test_a_nickname_with_a_script_in_it_is_refused_and_logged(meeting, nickname, caplog):
    with pytest.raises(InputError):
        meeting.join(nickname)
    assert meeting.room.here == ()
    assert refused_steps(meeting) == ["joined"]
    assert "refused: the nickname" in caplog.text


def test_names_of_people_are_nicknames(meeting):
    for nickname in ("Zoë", "O'Neil", "Анна", "李 小龙", "J.-P. 2", "मीना", "मुना", "かな", "がな"):
        assert meeting.rooms.person(meeting.code, meeting.join(nickname)) is not None
    assert len(meeting.room.here) == 9


def test_nobody_takes_the_name_of_another_however_it_is_spelled(meeting):
    token = meeting.join("Ada")
    for nickname in ("Ada", "ADA", " a da", "Ａｄａ", "Adä", "Áḑạ", "A\u0336da"):
        with refuses(RoomRefusal.NICKNAME):
            meeting.join(nickname)
    meeting.act(RoomStep.REMOVED, person=meeting.rooms.person(meeting.code, token).who)
    with pytest.raises(RoomRefused):
        meeting.join("Ada")


@pytest.mark.parametrize("answer", ["", "SAME", "x" * 10_000])
def test_a_forged_answer_is_refused_and_logged(meeting, answer, caplog):
    token = meeting.join("Ada")
    with refuses(RoomRefusal.ANSWER):
        meeting.answer(token, 0, answer)
    began = meeting.room.round.began
    with refuses(RoomRefusal.ITEM):
        meeting.rooms.answer(meeting.code, token, began=began, item="nosuch", answer="same")
    assert not meeting.room.round.first
    assert refused_steps(meeting) == ["answered", "answered"]
    assert caplog.text.count("refused") == 2


def test_an_answer_to_a_vote_that_is_over_is_refused_when_it_is_played_again(meeting):
    token, began = meeting.join("Ada"), meeting.room.round.began
    meeting.answer(token, 0, "same")
    for step in (RoomStep.REVEALED, RoomStep.VOTE_AGAIN, RoomStep.RESET):
        meeting.act(step)
        with refuses(RoomRefusal.OVER):
            meeting.answer(token, 0, "different", began=began)
        if not meeting.room.round.vote:
            # Nor does it help to name the phase that is on: nobody votes in it.
            with refuses(RoomRefusal.OVER):
                meeting.answer(token, 0, "different")
    meeting.act(RoomStep.NEW_ROUND, task=small_task())
    with refuses(RoomRefusal.OVER):
        meeting.answer(token, 0, "different", began=began)
    meeting.act(RoomStep.CLOSED)
    with refuses(RoomRefusal.CLOSED):
        meeting.answer(token, 0, "different", began=began)
    assert refused_steps(meeting) == ["answered"] * 6


def test_a_participant_changes_no_task_and_does_nothing_that_a_teacher_does(meeting):
    token = meeting.join("Ada")
    before = meeting.room.round
    for forged in (token, "", meeting.code, meeting.teacher[:-1], meeting.teacher.swapcase()):
        for step in RoomStep:
            with refuses(RoomRefusal.NOT_TEACHER):
                meeting.rooms.act(meeting.code, forged, step, task=small_task(1), person="x")
    assert meeting.room.round == before
    assert set(refused_steps(meeting)) == set(RoomStep)


def test_a_token_of_one_room_is_none_of_another(meeting):
    token = meeting.join("Ada")
    code, teacher = meeting.rooms.open(small_task())
    assert meeting.rooms.person(code, token) is None
    assert not meeting.rooms.is_teacher(code, meeting.teacher)
    assert meeting.rooms.is_teacher(code, teacher)


def test_a_browser_has_one_place_in_a_room(meeting):
    """Two tabs of one pupil that were opened before joining."""
    ada = meeting.join("Ada")
    with refuses(RoomRefusal.TWICE):
        meeting.join("Ada's twin", browser=ada)
    bo = meeting.join("Bo")
    assert [person.nickname for person in meeting.room.here] == ["Ada", "Bo"]
    assert meeting.rooms.room_of(bo) == meeting.code
    # Who was taken out for a name comes back under another.
    person = meeting.rooms.person(meeting.code, ada)
    meeting.act(RoomStep.REMOVED, person=person.who)
    meeting.join("Ada B", browser=ada)


def test_no_token_stands_in_the_entries_and_every_answer_says_what_was_shown(meeting):
    token = meeting.join("Ada")
    meeting.answer(token, 0, "same")
    entries = meeting.log.read(f"rooms/{meeting.code}")
    stored = json.dumps([dict(entry.body) for entry in entries])
    assert token not in stored
    assert meeting.teacher not in stored
    shown = entries[-1].body["shown"]
    assert set(shown["texts"]) == set(meeting.room.round.task.items[0].texts)
    assert shown["task"] == meeting.room.round.task.fingerprint


def test_too_many_rooms_are_refused_and_idle_or_closed_ones_do_not_count(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_OPEN_ROOMS", "1")
    meeting = Meeting()
    with pytest.raises(InputError, match="1 rooms are open"):
        meeting.rooms.open(small_task())
    meeting.act(RoomStep.CLOSED)
    meeting.rooms.open(small_task())
    with pytest.raises(InputError, match="HEADLINE_LAB_OPEN_ROOMS"):
        meeting.rooms.open(small_task())
    meeting.clock.wait(13 * 3600)
    meeting.rooms.open(small_task())
