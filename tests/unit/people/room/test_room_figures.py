from dataclasses import replace

import numpy as np
import pytest

from core.data.pair_sets.load import load_pair_set
from core.errors import InputError
from core.headlines.opening import open_set
from core.people.agreement import alpha
from core.people.evaluation_task import judgeable
from core.people.forms import Asks, form_of
from core.people.room import draws, measures
from core.people.room.attempts import MODEL, both_orders, wording
from core.people.room.draws import (
    groups_task,
    pair_item,
    question_task,
    room_questions,
    same_event_task,
)
from core.people.room.files import answers_csv, groups_csv, sheets_html
from core.people.room.state import RoomStep
from core.people.room.task import RoomKind, item_order, shown_order
from core.people.vote_files import read_votes
from core.people.votes import VoteTable
from core.runtime import Runtime
from core.similarities import Similarities
from core.statistics.krippendorff import Scale
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import PAIRS, Meeting, rows, small_task


def voted():
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


def test_agreement_before_and_after_is_that_of_the_same_answers():
    room = voted().room
    assert measures.room_agreement(room.round, room.round.first).raw == pytest.approx((3 + 1 + 1) / 9)
    change = measures.room_change(room, room.round)
    assert (change.both, change.changed) == (6, 1)
    assert change.before.raw == pytest.approx(2 / 3)
    assert change.after.raw == 1.0
    # Two people, three items, by hand: 1 - (n - 1) * disagreeing / (product of the counts).
    assert change.before.alpha.value == pytest.approx(1 - 5 * 2 / (2 * 3 * 3))
    assert change.after.alpha.value == 1.0
    assert "at least 10" in change.before.alpha.warning
    assert change.before.alpha.low is None


def test_half_of_the_people_see_the_second_headline_first():
    task = small_task()
    turned = [shown_order(task, task.items[0], f"person {number}") == (1, 0) for number in range(400)]
    assert 150 < sum(turned) < 250
    orders = {item_order(task, f"person {number}") for number in range(100)}
    assert len(orders) == 6


def test_pairs_of_a_set_are_half_of_each_kind_and_drawn_by_the_seed():
    pairs = load_pair_set("sample:iss")
    found = draws.pairs_of_set(pairs, count=10, seed=1)
    assert [pair.right for pair in found].count("same") == 5
    assert found == draws.pairs_of_set(pairs, count=10, seed=1) != draws.pairs_of_set(pairs, count=10, seed=2)
    assert all(pair.right == "same" for pair in draws.pairs_of_set(pairs, count=6, seed=1, same_only=True))
    task = draws.same_event_task("ISS", found, key_from="people said")
    assert {item.right for item in task.items} == {"same", "different"}


def test_pairs_of_a_timeline_are_groups_and_near_misses():
    texts = ["storm a", "storm b", "bank a", "bank b", "goal", "STORM A"]
    timeline = rows(texts, [0, 0, 1, 1, 2, 0], model=[0, 0, 1, 2, 3, 0])
    scores = np.full((6, 6), 0.1, dtype=np.float32)
    scores[1, 2] = scores[2, 1] = 0.6
    alike = Similarities(scores)
    found = draws.pairs_of_timeline(timeline, alike, count=4, seed=0)
    assert len(found) == 4
    assert [pair.right for pair in found].count("same") == 2
    assert not any(pair.texts[0].casefold() == pair.texts[1].casefold() for pair in found)
    every = draws.pairs_of_timeline(timeline, alike, count=9, seed=0)
    said = {frozenset(pair.texts): pair.model for pair in every}
    assert said[frozenset(("bank a", "bank b"))] == "different"
    chosen = draws.choice_task("t", draws.pairs_of_timeline(timeline, alike, count=9, seed=0, same_only=True))
    assert all(item.right == "" for item in chosen.items)
    assert [option.value for option in chosen.options] == ["1", "2", "draw", "bad"]


def test_the_pair_model_says_what_it_says_elsewhere_of_the_pairs_of_a_set():
    pairs = draws.pairs_of_set(load_pair_set("sample:iss"), count=6, seed=1)
    task = draws.with_model(draws.same_event_task("ISS", pairs, key_from="people said"), Runtime())
    assert [replace(item, model="") for item in task.items] == pairs
    scores = both_orders([item.texts for item in task.items], MODEL, Runtime())
    said = ["same" if score >= task.threshold else "different" for score, _ in scores]
    assert [item.model for item in task.items] == said
    assert task.scorer == MODEL


def form_room(form, key, count=7):
    articles, outputs = open_set("sample:articles")
    found = judgeable("Articles", articles, outputs).task
    texts = dict(zip(articles.ids, articles.texts, strict=True))
    recipe = form_of(form)
    question = next(one for one in room_questions(recipe) if one.key == key)
    return question_task(recipe, question, found, texts, count=count, seed=0)


def test_a_level_of_a_form_is_asked_of_one_headline_beside_its_article():
    task = form_room("numhg.v1", "readability")
    assert (task.scale, task.wording(task.items[0], "5")) == (Scale.ORDINAL, "5 easy")
    meeting = Meeting(task)
    for name, answers in (("Ada", "12"), ("Bo", "23")):
        token = meeting.join(name)
        for at, answer in enumerate(answers):
            meeting.answer(token, at, answer)
    votes = VoteTable(("a", "b"), ("x", "y"), ("1", "2", "3"), np.array([[0, 1], [1, 2]]))
    found = measures.room_agreement(meeting.room.round, meeting.room.round.first).alpha.value
    assert found == pytest.approx(alpha(votes, Scale.ORDINAL).value)


def test_no_question_of_a_form_shows_the_article_early_or_asks_for_an_order():
    italian = form_of("italian.v1")
    assert not {Asks.ONE, Asks.ORDER} & {question.asks for question in room_questions(italian)}
    for at, question in enumerate(italian.questions):
        if question in room_questions(italian):
            task = form_room("italian.v1", question.key)
            assert all(bool(item.article) is (at >= italian.hidden) for item in task.items)
            assert {len(item.texts) for item in task.items} == {2 if question.about_pairs else 1}


def test_the_names_of_systems_stand_on_the_key_and_not_on_what_is_asked():
    task = form_room("preference.v1", form_of("preference.v1").questions[0].key)
    assert task.kind is RoomKind.CHOICE
    assert [option.value for option in task.options] == ["1", "2", "draw"]
    sheets, key = sheets_html(task).decode().split("Key, for the teacher")
    for system in {name for item in task.items for name in item.sources}:
        assert system not in sheets
        assert system in key


def test_sheets_hold_every_item_in_two_orders_and_escape_what_stands_in_headlines():
    pairs = [draws.pair_item("<script>alert(1)</script>", "Two & three", same=True), *PAIRS]
    task = draws.same_event_task("<b>Title</b>", pairs, key_from="people said")
    html = sheets_html(task).decode()
    assert "<script>alert" not in html
    assert "<b>Title" not in html
    sheets, key = html.split("Key, for the teacher")
    assert sheets.count("&lt;script&gt;") == 2
    assert sheets.count("<li>") == 2 * len(pairs)
    assert key.count("Same event") == 2 * 3
    assert item_order(task, "A") != item_order(task, "B")


def test_agreement_reads_each_vote_from_the_table_of_answers():
    meeting = voted()
    found = []
    for vote, people, count in (("first_vote", ("Ada", "Bo", "Cy"), 9), ("second_vote", ("Ada", "Bo"), 6)):
        table = answers_csv(meeting.room)
        votes = read_votes(table, "answers.csv", items=["item"], person="person", answer=vote)
        assert (votes.people, votes.count) == (people, count)
        assert set(votes.answers) == {"Same event", "Different events"}
        found.append(alpha(votes, Scale.NOMINAL).value)
    round_ = meeting.room.round
    assert found[0] == measures.room_agreement(round_, round_.first).alpha.value
    assert found[1] == 1.0
    # Without the name of a vote none is taken, and never both together.
    with pytest.raises(InputError, match="known to hold the answer"):
        read_votes(answers_csv(meeting.room), "answers.csv", items=["item"], person="person")


def test_who_presses_nothing_in_the_second_vote_keeps_the_answer_in_every_figure_and_file():
    meeting = Meeting(small_task(2))
    ada, bo, late = meeting.join("Ada"), meeting.join("Bo"), meeting.join("Cy")
    for token, answers in ((ada, ("same", "same")), (bo, ("different", "same"))):
        for at, answer in enumerate(answers):
            meeting.answer(token, at, answer)
    meeting.act(RoomStep.REVEALED)
    assert not meeting.room.round.kept
    meeting.act(RoomStep.VOTE_AGAIN)
    meeting.answer(bo, 0, "same")
    meeting.answer(late, 1, "same")
    meeting.act(RoomStep.REVEALED)
    room = meeting.room
    change = measures.room_change(room, room.round)
    assert (change.both, change.changed, change.kept) == (4, 1, 3)
    ways = [measures.flow(room, room.round, item) for item in room.round.task.items]
    assert ways == [{("same", "same"): 1, ("different", "same"): 1}, {("same", "same"): 2}]
    for step in ({"step": RoomStep.NEW_ROUND, "task": small_task(1)}, {"step": RoomStep.CLOSED}):
        meeting.act(**step)
        rows = rows_of(answers_csv(meeting.room).decode())
        told = [(row["person"], row["first_vote"], row["second_vote"], row["second_kept"]) for row in rows]
        assert sorted(told) == [
            ("Ada", "Same event", "Same event", "yes"), ("Ada", "Same event", "Same event", "yes"),
            ("Bo", "Different events", "Same event", ""), ("Bo", "Same event", "Same event", "yes"),
            ("Cy", "", "Same event", ""),
        ]  # fmt: skip


def test_groups_that_nobody_moved_in_the_second_vote_stay_with_those_that_were():
    texts = ["Storm hits", "Storm near", "Bank pays", "Bank paid"]
    task = groups_task("Few", rows(texts, ["s", "s", "b", "b"]), count=4, seed=0, key_from="people")
    meeting = Meeting(task)
    ada = meeting.join("Ada")
    keys = [item.key for item in task.items]
    for at, group in enumerate((0, 0, 0, 3)):
        meeting.answer(ada, at, keys[group])
    for step in (RoomStep.REVEALED, RoomStep.VOTE_AGAIN):
        meeting.act(step)
    meeting.answer(ada, 2, keys[2])
    meeting.act(RoomStep.REVEALED)
    numbers = [line.split(",")[2] for line in groups_csv(meeting.room).decode().splitlines()[1:]]
    assert numbers == ["1", "1", "3", "4"]


def test_first_answers_to_a_pair_are_counted_over_rooms_once_they_were_shown():
    meeting = Meeting(small_task(2))
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    meeting.rooms.join(meeting.code, "Simulated 1", browser="phone", door=0, simulated=True)
    for token, answer in ((ada, "same"), (bo, "different"), ("phone", "same")):
        meeting.answer(token, 0, answer)
    assert measures.first_answers(meeting.rooms.latest()) == {}, "nobody is told of a vote that is on"
    meeting.act(RoomStep.REVEALED)
    meeting.act(RoomStep.VOTE_AGAIN)
    meeting.answer(bo, 0, "same")
    meeting.act(RoomStep.REVEALED)
    turned = pair_item("Coast battered by STORM.", "Storm hits the coast", same=True)
    meeting.act(RoomStep.NEW_ROUND, task=same_event_task("Again", [turned], key_from="people said"))
    meeting.answer(ada, 0, "same")
    meeting.act(RoomStep.CLOSED)
    pair = tuple(wording(turned.texts))
    assert measures.first_answers(meeting.rooms.latest()) == {pair: {"same": 1, "different": 1}}
    other, token = meeting.rooms.open(small_task(3))
    meeting.rooms.join(other, "Cy", browser="other", door=0)
    room = meeting.rooms.room(other)
    about = {"began": room.round.began, "item": room.round.task.items[0].key, "answer": "same"}
    meeting.rooms.answer(other, "other", **about)
    meeting.rooms.act(other, token, RoomStep.REVEALED)
    assert measures.first_answers(meeting.rooms.latest()) == {pair: {"same": 2, "different": 1}}
