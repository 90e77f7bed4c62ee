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
from core.people.room.task import LONGEST_WRITTEN, RoomKind
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import Meeting, MemoryLog, small_task

PAIR = ("Storm hits the coast", "Coast battered by storm")


def questions():
    return [
        lessons.drawn_question(small_task(), small_task().items[2]),
        lessons.own_question(RoomKind.CHOICE, "", PAIR),
        lessons.own_question(RoomKind.SCALE, "How sure is this headline?", PAIR[:1]),
        lessons.own_question(RoomKind.QUIZ, "Who counts the dead?", (), ["Police", "Nobody"], "police"),
        lessons.own_question(RoomKind.RANKING, "Which says most?", (), ["One", "Two", "Three"], "3, 1, 2"),
        lessons.own_question(RoomKind.TEXT, "Which word misleads?", PAIR[:1]),
    ]


@pytest.fixture
def taught():
    meeting = Meeting(lessons.lesson("Events", questions()))
    meeting.ada, meeting.bo = meeting.join("Ada"), meeting.join("Bo")
    return meeting


def test_a_room_is_led_through_questions_of_every_kind_each_with_its_own_answers(taught):
    asked = (
        ("same", "1"),
        ("2", "same"),
        ("5", "6"),
        ("Police", "1"),
        ("2 > 3 > 1", "2 > 3"),
        ("hits", " hits"),
    )
    points = {"2 > 3 > 1": ("Two", 4)}
    for at, (answer, wrong) in enumerate(asked):
        taught.act(RoomStep.LED, item=taught.room.round.task.items[at].key)
        with pytest.raises(RoomRefused):
            taught.answer(taught.ada, at, wrong)
        for person in (taught.ada, taught.bo):
            taught.answer(person, at, answer)
        taught.act(RoomStep.REVEALED)
        taught.act(RoomStep.SOLVED)
        item, place = measures.in_view(taught.room)
        assert place == at
        value, count = points.get(answer, (answer, 2))
        assert measures.tally(taught.room.round, item, taught.room.round.first)[value] == count
    round_ = taught.room.round
    known = [measures.known_answers(round_, item) for item in round_.task.items]
    assert known[3:] == [{"As the lesson says": "Police"}, {"As the lesson says": "Three > One > Two"}, {}]
    assert known[:3] == [{"As people said": "Different events"}, {}, {}]
    rows = [row for row in rows_of(answers_csv(taught.room).decode("utf-8-sig")) if row["person"] == "Ada"]
    assert [(row["first_headline"], row["first_vote"]) for row in rows] == [
        ("Bank raises rates", "Same event"),
        (PAIR[0], "B"),
        (PAIR[0], "5 · fully"),
        ("Who counts the dead?", "Police"),
        ("Which says most?", "Two > Three > One"),
        (PAIR[0], "hits"),
    ]


def test_points_of_an_order_count_who_stands_before_whom_and_a_second_order_moves_first_places(taught):
    item = taught.room.round.task.items[4]
    taught.act(RoomStep.LED, item=item.key)
    taught.answer(taught.ada, 4, "1 > 2 > 3")
    taught.answer(taught.bo, 4, "3 > 1 > 2")
    round_ = taught.room.round
    assert measures.tally(round_, item, round_.first) == {"One": 3, "Two": 1, "Three": 2}
    taught.act(RoomStep.REVEALED)
    taught.act(RoomStep.VOTE_AGAIN)
    taught.answer(taught.bo, 4, "1 > 3 > 2")
    taught.act(RoomStep.REVEALED)
    went = measures.flow(taught.room, taught.room.round, item)
    assert went == {("One", "One"): 1, ("Three", "One"): 1}


def test_words_of_one_s_own_are_counted_by_meaning_and_what_a_teacher_hides_is_nowhere(taught):
    item = taught.room.round.task.items[5]
    cy = taught.join("Cy")
    taught.act(RoomStep.LED, item=item.key)
    taught.answer(taught.ada, 5, "Battered")
    taught.answer(taught.bo, 5, "The verb battered is far too strong here")
    taught.answer(cy, 5, "<b>Rude</b> word")
    (rude,) = [who for who, person in taught.room.people.items() if person.nickname == "Cy"]
    taught.act(RoomStep.REASON_HIDDEN, person=rude, item=item.key)
    counts = measures.tally(taught.room.round, item, taught.room.round.first)
    assert counts["battered"] == 2
    assert not {"rude", "b rude b word", "the", "is"} & counts.keys()
    assert "Rude" not in answers_csv(taught.room).decode()
    for wrong in ("", "x" * (LONGEST_WRITTEN + 1), "two\nlines"):
        with pytest.raises(RoomRefused):
            taught.answer(taught.ada, 5, wrong)


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
        (RoomKind.RANKING, "Which?", (), ["One", "Two"]),
        (RoomKind.RANKING, "Which?", (), ["One", "Two", "Three"], "3 1"),
        (RoomKind.TEXT, "Which?", (), ["One", "Two"]),
        (RoomKind.TEXT, "Which?", (), (), "x" * 141),
        (RoomKind.GROUPS, "Which?", PAIR),
        (RoomKind.SCALE, "x" * 501, ()),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(given):
    with pytest.raises(InputError):
        lessons.own_question(*given)


def test_a_lesson_comes_back_from_its_file_and_from_the_journal():
    journal, task = MemoryLog(), lessons.lesson("Events", questions(), points=True)
    assert lessons.read_lesson(lessons.lesson_file(task)) == task
    lessons.save_lesson(journal, "Events", task.items, points=True)
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
        open_ended = {RoomKind.SCALE, RoomKind.TEXT}
        assert all(item.right or item.asks in open_ended for item in task.items), title
        texts = [text.removeprefix(f"{'ABC'[at]}: ") for i in task.items for at, text in enumerate(i.texts)]
        assert len({*texts} - desks) <= 2, title
    first = next(iter(shipped))
    lessons.save_lesson(journal, first, shipped[first].items[:2])
    everything = lessons.all_lessons(journal)
    assert (len(everything), len(everything[first].items)) == (12, 2)
    lessons.save_lesson(journal, first, ())
    assert lessons.all_lessons(journal) == shipped
