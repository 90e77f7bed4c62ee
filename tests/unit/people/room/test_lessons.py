"""Lessons: their questions, the file that they are exchanged as, and the journal that keeps them."""

import csv
import json

import pytest

from core import files
from core.errors import InputError
from core.people.room import lessons, measures
from core.people.room.files import answers_csv
from core.people.room.rooms import RoomRefused
from core.people.room.state import RoomStep
from core.people.room.task import RoomKind
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import Meeting, MemoryLog, small_task

PAIR = ("Storm hits the coast", "Coast battered by storm")


def questions():
    return [
        lessons.drawn_question(small_task(), small_task().items[2]),
        lessons.own_question(RoomKind.CHOICE, "", PAIR),
        lessons.own_question(RoomKind.SCALE, "How sure is this headline?", PAIR[:1]),
        lessons.own_question(RoomKind.QUIZ, "Who counts the dead?", (), ["Police", "Nobody"], "police"),
    ]


@pytest.fixture
def taught():
    meeting = Meeting(lessons.lesson("Events", questions()))
    meeting.ada, meeting.bo = meeting.join("Ada"), meeting.join("Bo")
    return meeting


def test_a_room_is_led_through_questions_of_every_kind_each_with_its_own_answers(taught):
    for at, (answer, wrong) in enumerate((("same", "1"), ("2", "same"), ("5", "6"), ("Police", "1"))):
        taught.act(RoomStep.LED, item=taught.room.round.task.items[at].key)
        with pytest.raises(RoomRefused):
            taught.answer(taught.ada, at, wrong)
        for person in (taught.ada, taught.bo):
            taught.answer(person, at, answer)
        taught.act(RoomStep.REVEALED)
        taught.act(RoomStep.SOLVED)
        item, place = measures.in_view(taught.room)
        assert place == at
        assert measures.tally(taught.room.round, item, taught.room.round.first)[answer] == 2
    round_ = taught.room.round
    known = [measures.known_answers(round_, item) for item in round_.task.items]
    assert known == [{"As people said": "Different events"}, {}, {}, {"As the lesson says": "Police"}]
    rows = [row for row in rows_of(answers_csv(taught.room).decode("utf-8-sig")) if row["person"] == "Ada"]
    assert [(row["first_headline"], row["first_vote"]) for row in rows] == [
        ("Bank raises rates", "Same event"),
        (PAIR[0], "B"),
        (PAIR[0], "5 · fully"),
        ("Who counts the dead?", "Police"),
    ]


@pytest.mark.parametrize(
    "given",
    [
        (RoomKind.SAME_EVENT, "", PAIR[:1]),
        (RoomKind.QUIZ, "Who?", (), ["Police"]),
        (RoomKind.QUIZ, "", (), ["Police", "Nobody"]),
        (RoomKind.QUIZ, "Who?", (), ["Police", "Police"]),
        (RoomKind.QUIZ, "Who?", (), ["Police", "Nobody"], "Fire brigade"),
        (RoomKind.QUIZ, "Who?", (), list("abcdefghi")),
        (RoomKind.SCALE, "", ()),
        (RoomKind.GROUPS, "Which?", PAIR),
        (RoomKind.SCALE, "x" * 501, ()),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(given):
    with pytest.raises(InputError):
        lessons.own_question(*given)


def test_a_lesson_comes_back_from_its_file_and_from_the_journal():
    journal, task = MemoryLog(), lessons.lesson("Events", questions())
    assert lessons.read_lesson(lessons.lesson_file(task)) == task
    lessons.save_lesson(journal, "Events", task.items)
    lessons.save_lesson(journal, "Numbers", task.items[:1])
    assert lessons.lessons(journal)["Events"] == task
    turned = [*task.items[1:], task.items[0]]
    lessons.save_lesson(journal, "Events", turned)
    assert list(lessons.lessons(journal)["Events"].items) == turned
    lessons.save_lesson(journal, "Events", [])
    assert list(lessons.lessons(journal)) == ["Numbers"]


def changed(**more):
    return json.dumps(json.loads(lessons.lesson_file(lessons.lesson("Events", questions()))) | more).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[" * 100_000,
        b"\xff",
        b"{}",
        changed(kind="same_event"),
        changed(items=[]),
        changed(items=[{"key": "a", "texts": ["one"], "asks": "same_event"}]),
        changed(items=[{"key": "a", "texts": [], "asks": "break", "question": "Why?"}]),
        changed(items=[{"key": "a", "texts": [], "question": "Why?"}]),
    ],
)
def test_a_file_that_is_no_lesson_is_refused(data):
    with pytest.raises(InputError):
        lessons.read_lesson(data)


def test_three_lessons_ship_in_four_languages_and_a_change_is_one_s_own(journal):
    shipped = lessons.shipped_lessons()
    assert len(shipped) == 12
    folder = files.ROOT / "samples" / "lessons"
    names = {file.stem for file in folder.glob("*.json")}
    kinds = ("events", "contradictions", "numbers")
    assert names == {f"{kind}_{tag}" for kind in kinds for tag in ("en", "de", "es", "fr")}
    desks = {
        row["headline"]
        for name in ("amber/storm_two_days", "beech/de_lokal", "elm/dana", "dune/canicule_incendies")
        for row in csv.DictReader((files.ROOT / f"samples/desks/{name}.csv").open(encoding="utf-8"))
    }
    for title, task in shipped.items():
        assert 6 <= len(task.items) <= 8
        assert all(item.right or item.asks == RoomKind.SCALE for item in task.items), title
        texts = [text.removeprefix(f"{'ABC'[at]}: ") for i in task.items for at, text in enumerate(i.texts)]
        assert len({*texts} - desks) <= 2, title
    first = next(iter(shipped))
    lessons.save_lesson(journal, first, shipped[first].items[:2])
    everything = lessons.all_lessons(journal)
    assert (len(everything), len(everything[first].items)) == (12, 2)
    lessons.save_lesson(journal, first, ())
    assert lessons.all_lessons(journal) == shipped
