import io
import zipfile
from itertools import combinations, permutations, product

import pytest

from core.errors import InputError
from core.people.room import measures
from core.people.room.attempts import LONGEST_HEADLINE, contradictions
from core.people.room.files import answers_csv, contradictions_csv, lesson_zip
from core.people.room.replay import RoomRefusal
from core.people.room.rooms import RoomRefused
from core.people.room.state import RoomPhase, RoomStep, counted_attempts, reasons_for, standings
from core.people.room.task import LONGEST_WRITTEN
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import HOLDS, OPEN, SWAPPED, Meeting, broken_task, small_task


@pytest.fixture
def meeting():
    return Meeting(broken_task())


def ranks(meeting):
    return [(person.nickname, count) for person, count in standings(meeting.room)]


@pytest.mark.parametrize("same", [*product([False, True], repeat=6)])
def test_a_contradiction_is_a_swap_that_changes_an_answer_or_a_triangle_that_stays_open(same):
    by_pair = dict(zip(permutations(range(3), 2), same, strict=True))
    swaps = sum(by_pair[a, b] != by_pair[b, a] for a, b in combinations(range(3), 2))
    stays_open = sum(by_pair[pair] for pair in combinations(range(3), 2)) == 2
    scores = [0.5 if one else 0.499 for one in same]
    assert len(contradictions(scores, 0.5)) == swaps + stays_open
    assert len(contradictions([scores[0], scores[2]], 0.5)) == (same[0] != same[2]), "two headlines alone"


def test_each_person_breaks_an_item_once_and_whoever_was_first_stands_first(meeting):
    ada, bo, cy = (meeting.join(name) for name in ("Ada", "Bo", "Cy"))
    meeting.attempt(ada, HOLDS, "A storm hits the coast")
    assert ranks(meeting) == []
    meeting.attempt(bo, SWAPPED, "No storm hits the coast")
    meeting.attempt(bo, OPEN, "Two storms hit the coast")
    meeting.attempt(ada, OPEN, "The coast is calm")
    meeting.attempt(cy, SWAPPED, "Storm", at=1)
    assert ranks(meeting) == [("Bo", 1), ("Ada", 1), ("Cy", 1)]
    meeting.attempt(cy, OPEN, "Calm")
    assert ranks(meeting) == [("Cy", 2), ("Bo", 1), ("Ada", 1)]
    assert len(meeting.room.round.attempts) == 6


def test_a_teacher_hides_words_and_nicknames_and_the_league_stays(meeting):
    meeting.attempt(meeting.join("Ada"), SWAPPED, "No storm hits the coast")
    (made,) = counted_attempts(meeting.room, meeting.room.round)
    meeting.act(RoomStep.REASON_HIDDEN, person=made.who, item=made.item)
    meeting.act(RoomStep.NICKNAMES)
    assert meeting.room.nameless
    assert meeting.room.round.hidden == {(made.who, made.item)}
    assert ranks(meeting) == [("Ada", 1)]
    meeting.act(RoomStep.REASON_HIDDEN, person=made.who, item=made.item)
    assert not meeting.room.round.hidden


def test_a_copy_does_not_count_whatever_its_commas_case_and_order(meeting):
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    meeting.attempt(ada, SWAPPED, "No storm hits the coast")
    meeting.attempt(bo, SWAPPED, "NO storm, hits the coast!")
    meeting.attempt(bo, SWAPPED, "Coast battered by storm", "No storm hits the coast")
    assert ranks(meeting) == [("Ada", 1)]
    meeting.attempt(bo, SWAPPED, "Not a storm hits the coast")
    assert ranks(meeting) == [("Ada", 1), ("Bo", 1)]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("storm hits, the COAST!", "changed no word"),
        (" \u200b\n", "Headline A is empty"),
        ("x" * (LONGEST_HEADLINE + 1), "at most 200 fit"),
    ],
)
def test_the_model_is_not_asked_about_what_is_no_change(meeting, typed, said):
    ada = meeting.join("Ada")
    about = {"began": meeting.room.round.began, "item": "item 0", "ask": pytest.fail}
    with pytest.raises(InputError, match=said):
        meeting.rooms.attempt(meeting.code, ada, typed=[typed, *broken_task().items[0].texts[1:]], **about)
    assert not meeting.room.round.attempts


def test_the_room_s_rules_hold_before_the_model_is_asked(meeting, monkeypatch):
    ada, asked = meeting.join("Ada"), []

    def refused(reason, *, browser=ada, began=meeting.room.round.began, item="item 0"):
        about = {"began": began, "item": item, "typed": ["a", "b", "c"]}
        with pytest.raises(RoomRefused) as refusal:
            meeting.rooms.attempt(meeting.code, browser, ask=asked.append, **about)
        return refusal.value.reason is reason

    assert refused(RoomRefusal.NOT_HERE, browser="somebody")
    assert refused(RoomRefusal.OVER, item="none")
    assert refused(RoomRefusal.OVER, began=-1)
    meeting.act(RoomStep.PAUSED)
    assert refused(RoomRefusal.PAUSED)
    meeting.act(RoomStep.RESUMED)
    monkeypatch.setenv("HEADLINE_LAB_ROOM_ATTEMPTS", "2")
    for words in ("One", "Two"):
        meeting.attempt(ada, HOLDS, words)
    assert refused(RoomRefusal.OFTEN)
    meeting.act(RoomStep.REVEALED)
    assert refused(RoomRefusal.OVER)
    assert asked == []
    with pytest.raises(RoomRefused):
        meeting.act(RoomStep.VOTE_AGAIN)


def test_an_item_that_is_to_be_broken_takes_no_vote_and_a_vote_no_attempt(meeting):
    ada = meeting.join("Ada")
    with pytest.raises(RoomRefused):
        meeting.answer(ada, 0, "broken")
    vote = Meeting()
    with pytest.raises(RoomRefused) as refusal:
        vote.attempt(vote.join("Ada"), SWAPPED, "No storm")
    assert refusal.value.reason is RoomRefusal.ANSWER


def test_what_the_round_began_with_comes_back_and_who_is_removed_does_not_count(meeting):
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    meeting.attempt(ada, SWAPPED, "No storm")
    meeting.attempt(bo, SWAPPED, "Two storms")
    meeting.act(RoomStep.RESET)
    assert ranks(meeting) == []
    meeting.act(RoomStep.RESET_UNDONE)
    person = meeting.rooms.person(meeting.code, ada)
    meeting.act(RoomStep.REMOVED, person=person.who)
    assert ranks(meeting) == [("Bo", 1)]


def test_the_list_has_each_contradiction_with_what_was_changed_and_no_formula(meeting):
    ada = meeting.join("Ada")
    meeting.attempt(ada, HOLDS, "A storm")
    meeting.attempt(ada, SWAPPED, "=HYPERLINK(1)")
    meeting.attempt(ada, OPEN, "<b>Rates</b>", at=1)
    meeting.act(RoomStep.NEW_ROUND, task=broken_task())
    rows = rows_of(contradictions_csv(meeting.room).decode())
    said = ["A and B: same event; swapped: different", "A = B and A = C, but B ≠ C"]
    assert [row["contradiction"] for row in rows] == said
    assert rows[0]["headline_a"].lstrip("'") == "=HYPERLINK(1)"
    assert not rows[0]["headline_a"].startswith("=")
    assert rows[1]["headline_a"] == "<b>Rates</b>"
    assert (rows[1]["before_headline_a"], rows[1]["a_b"], rows[1]["b_c"]) == ("Rates up", "0.9000", "0.1000")
    assert len(counted_attempts(meeting.room, meeting.room.earlier[0])) == 2
    assert "simulated" not in rows[0]
    assert answers_csv(meeting.room).count(b"\n") == 1, "votes alone stand in the file of votes"


def test_the_list_says_who_is_simulated(meeting):
    meeting.rooms.join(meeting.code, "Simulated 1", browser="made up", door=0, simulated=True)
    meeting.attempt("made up", SWAPPED, "No storm")
    meeting.attempt(meeting.join("Ada"), SWAPPED, "Two storms")
    rows = rows_of(contradictions_csv(meeting.room).decode())
    assert [(row["person"], row["simulated"]) for row in rows] == [("Simulated 1", "yes"), ("Ada", "no")]


PHONES = 30


@pytest.fixture
def lesson():
    meeting = Meeting()
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
    assert [len(reason) for _, reason in reasons] == [15, 17, LONGEST_WRITTEN]
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
