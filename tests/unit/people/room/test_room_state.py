import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.journal.entries import NewEntry
from core.people.room.rooms import RoomRefused, Rooms
from core.people.room.state import TEACHER, RoomPresence, RoomStep, presences, progress
from tests.unit.people.room.meeting import Meeting, MemoryLog, small_task

NAMES = ["Ada", "Bo", "ADA", "Cy", "Dee"]
ANSWERS = ["same", "different", "perhaps"]
PLACES = st.integers(0, 2)


class RoomBesideModel(RuleBasedStateMachine):
    """Everything that anybody can do, in any order; `Meeting` does it and the model says what must follow."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()
        self.people: list[tuple[str, str]] = []
        """Nickname in small letters, and token."""
        self.removed: set[str] = set()
        self.flags = {"paused": False, "locked": False, "closed": False}
        self.number, self.phase = 1, "blind"
        self.votes: list[dict[tuple[str, int], str]] = [{}, {}]
        self.before: tuple[str, list[dict[tuple[str, int], str]]] | None = None
        self.stale: list[int] = []
        self.refused = 0

    def does(self, allowed: bool, call: object, *arguments: object, **named: object) -> object:
        """Calls; where the model says that it is not allowed, it must be refused."""
        if allowed:
            return call(*arguments, **named)
        self.refused += 1
        with pytest.raises(RoomRefused):
            call(*arguments, **named)
        return None

    def act(self, allowed: bool, step: RoomStep, **body: object) -> bool:
        allowed = allowed and not self.flags["closed"]
        self.does(allowed, self.meeting.act, step, **body)
        return allowed

    @rule(name=st.sampled_from(NAMES))
    def join(self, name: str) -> None:
        key = name.casefold()
        shut = self.flags["closed"] or self.flags["locked"]
        token = self.does(not shut and key not in [one for one, _ in self.people], self.meeting.join, name)
        if isinstance(token, str):
            self.people.append((key, token))

    @precondition(lambda self: self.people)
    @rule(data=st.data(), at=PLACES, answer=st.sampled_from(ANSWERS))
    def answer(self, data: st.DataObject, at: int, answer: str) -> None:
        key, token = data.draw(st.sampled_from(self.people))
        vote = {"blind": 0, "again": 1}.get(self.phase)
        open_ = vote is not None and not self.flags["paused"] and not self.flags["closed"]
        allowed = open_ and key not in self.removed and answer in ("same", "different")
        self.does(allowed, self.meeting.answer, token, at, answer)
        if allowed and vote is not None:
            self.votes[vote] = {**self.votes[vote], (key, at): answer}

    @precondition(lambda self: self.people and self.stale)
    @rule(data=st.data(), at=PLACES)
    def replay_an_old_answer(self, data: st.DataObject, at: int) -> None:
        _, token = data.draw(st.sampled_from(self.people))
        before = data.draw(st.sampled_from(self.stale))
        self.does(False, self.meeting.answer, token, at, "same", began=before)

    @precondition(lambda self: self.people)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        key, token = data.draw(st.sampled_from(self.people))
        person = self.meeting.rooms.person(self.meeting.code, token)
        who = person.who if person is not None else "nobody"
        if self.act(key not in self.removed, RoomStep.REMOVED, person=who):
            self.removed.add(key)

    @rule(flag=st.sampled_from(["paused", "locked"]), on=st.booleans())
    def switch(self, flag: str, on: bool) -> None:
        steps = {
            "paused": (RoomStep.RESUMED, RoomStep.PAUSED),
            "locked": (RoomStep.UNLOCKED, RoomStep.LOCKED),
        }
        if self.act(self.flags[flag] is not on, steps[flag][on]):
            self.flags[flag] = on

    @rule()
    def reveal(self) -> None:
        shown = {"blind": "revealed", "again": "compared"}
        before = self.meeting.room.round.began
        if self.act(self.phase in shown, RoomStep.REVEALED):
            self.stale.append(before)
            self.phase = shown[self.phase]

    @rule()
    def vote_again(self) -> None:
        if self.act(self.phase == "revealed", RoomStep.VOTE_AGAIN):
            self.phase = "again"

    @rule()
    def new_round(self) -> None:
        before = self.meeting.room.round.began
        if self.act(True, RoomStep.NEW_ROUND, task=small_task()):
            self.stale.append(before)
            self.number, self.phase, self.votes, self.before = self.number + 1, "blind", [{}, {}], None

    @rule()
    def reset(self) -> None:
        before, kept = self.meeting.room.round.began, (self.phase, self.votes)
        if self.act(bool(self.votes[0]) or self.phase != "blind", RoomStep.RESET):
            self.stale.append(before)
            self.before, self.phase, self.votes = kept, "blind", [{}, {}]

    @rule()
    def undo_reset(self) -> None:
        before = self.meeting.room.round.began
        if self.act(self.before is not None, RoomStep.RESET_UNDONE) and self.before is not None:
            self.stale.append(before)
            (self.phase, self.votes), self.before = self.before, None

    @precondition(lambda self: self.number > 2)
    @rule()
    def close(self) -> None:
        if self.act(True, RoomStep.CLOSED):
            self.flags["closed"] = True

    @rule(token=st.sampled_from(["", "x", "teacher"]))
    def forge(self, token: str) -> None:
        self.does(False, self.meeting.rooms.act, self.meeting.code, token, RoomStep.REVEALED)
        self.does(False, self.meeting.answer, token, 0, "same")

    @rule(seconds=st.integers(1, 100))
    def wait(self, seconds: int) -> None:
        self.meeting.clock.wait(seconds)

    @invariant()
    def says_what_the_model_says(self) -> None:
        room = self.meeting.room
        names = {person.who: person.nickname.casefold() for person in room.people.values()}
        places = {item.key: at for at, item in enumerate(room.round.task.items)}
        for mine, its in zip(self.votes, (room.round.first, room.round.second), strict=True):
            assert mine == {(names[who], places[item]): answer for (who, item), answer in its.items()}
        assert [key for key, _ in self.people] == list(names.values())
        assert {one.nickname.casefold() for one in room.here} == set(names.values()) - self.removed
        assert (room.paused, room.locked, room.closed) == tuple(self.flags.values())
        assert (room.round.number, room.round.phase.value) == (self.number, self.phase)
        assert len(room.earlier) == self.number - 1
        assert room.refused == self.refused

    @invariant()
    def another_server_reads_the_same(self) -> None:
        assert Rooms(self.meeting.log).room(self.meeting.code) == self.meeting.room

    @invariant()
    def the_roster_adds_up(self) -> None:
        room = self.meeting.room
        does = list(presences(room, {}, self.meeting.clock()).values())
        counts = [len(room.answers_of(person.who)) for person in room.here]
        assert progress(room) == (sum(counts), 3 * len(does), does.count(RoomPresence.DONE))


TestRoomBesideModel = RoomBesideModel.TestCase
TestRoomBesideModel.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_an_answer_that_came_after_the_pause_counts_nowhere(meeting):
    """Two servers at one journal: the order of the entries decides, whatever each of them had read."""
    token = meeting.join("Ada")
    item = meeting.room.round.task.items[0].key
    began = meeting.room.round.began
    other = Rooms(meeting.log, now=meeting.clock)
    other.answer(meeting.code, token, began=began, item=item, answer="same")
    stored = meeting.log.read(f"rooms/{meeting.code}")[-1]
    meeting.act(RoomStep.PAUSED)
    meeting.log.append(f"rooms/{meeting.code}", [_again(stored, "different")])
    assert meeting.room.refused == 1
    assert list(meeting.room.round.first.values()) == ["same"]
    assert other.room(meeting.code) == meeting.room


def _again(entry, answer):
    return NewEntry(id="another", kind=entry.kind, who=entry.who, body={**entry.body, "answer": answer})


def test_somebody_who_joins_under_the_id_of_another_changes_nothing(meeting):
    """An entry of joining that was read somewhere and is played again with another browser."""
    token = meeting.join("Ada")
    stream = f"rooms/{meeting.code}"
    stored = meeting.log.read(stream)[-1]
    for who in (stored.who, TEACHER):
        body = {**stored.body, "nickname": "Mallory", "browser": "another"}
        meeting.log.append(stream, [NewEntry(id=f"again {who}", kind=stored.kind, who=who, body=body)])
    person = meeting.rooms.person(meeting.code, token)
    assert [one.nickname for one in meeting.room.here] == ["Ada"]
    assert person.nickname == "Ada"


def test_a_room_of_which_an_entry_went_while_another_came_is_read_anew(meeting):
    meeting.join("Ada")
    assert len(meeting.room.here) == 1
    stream = f"rooms/{meeting.code}"
    first, _ = meeting.log.read(stream)
    emptied = MemoryLog()
    emptied.put(stream, (first,))
    Rooms(emptied, now=meeting.clock).join(meeting.code, "Bo", browser="b", door=0)
    meeting.log.put(stream, emptied.read(stream))
    assert [one.nickname for one in meeting.room.here] == ["Bo"]


def by_name(meeting, seen):
    does = presences(meeting.room, seen, meeting.clock())
    return {meeting.room.people[who].nickname: presence for who, presence in does.items()}


def test_who_is_stuck_away_working_and_done():
    meeting = Meeting(small_task(1))
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    meeting.join("Cy")
    meeting.answer(ada, 0, "same")
    seen = {}
    for _ in range(5):
        meeting.clock.wait(10)
        person = meeting.rooms.person(meeting.code, bo)
        meeting.rooms.see(meeting.code, person.who)
        seen = dict(meeting.rooms.seen(meeting.code))
    does = by_name(meeting, seen)
    assert does == {"Ada": RoomPresence.DONE, "Bo": RoomPresence.STUCK, "Cy": RoomPresence.AWAY}
    for step in (RoomStep.PAUSED, RoomStep.RESUMED):
        meeting.act(step)
        does = by_name(meeting, seen)
        assert does["Bo"] == RoomPresence.WORKING, "the time of a pause does not count"
