from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.data.pair_sets.load import load_pair_set
from core.data.timelines.load import load_text
from core.errors import InputError
from core.journal.entries import Entry
from core.people import adjudication as desk
from core.people import agreement_tables, grouping, questions, voting
from core.people.adjudication import ALONE, BLIND, DECIDED, OPEN, RULES, TAKEN_BACK, Adjudication
from core.people.agreement import alpha
from core.people.grouping import PLACED, grouping_task, place
from core.people.study import USUAL, Order, Purpose, StudyPair
from core.people.vote_files import read_votes
from core.people.votes import consensus
from tests.unit.people.by_hand import entries

TIMELINE = load_text(
    "headline,date\nStorm shuts airport,2024-05-03\nBank raises rates,2024-05-01\n"
    "Rates raised by bank,2024-05-02\nThe week in pictures,2024-05-04\nAirport shut by storm,2024-05-04\n"
)
TASK = grouping.grouping_task(TIMELINE)
RATES, STORM, VAGUE = 1, 0, 3


def put(row, group="", *, who="Ada", single=False):
    return who, grouping.PLACED, grouping.place(row, group=group, single=single, shown={})


def test_groups_are_numbered_in_the_order_of_time_whatever_the_order_of_the_answers():
    done = entries(put(STORM), put(4, "1"), put(RATES), put(2, "3"), put(VAGUE, single=True))
    assert grouping.person_groups(TASK, done, "Ada").numbers.tolist() == [2, 1, 1, 3, 2]
    assert grouping.person_groups(TASK, done, "Ada").open_row is None


def test_a_later_answer_replaces_an_earlier_one_and_is_taken_back_by_undo():
    done = [put(RATES), put(2), put(2, "1")]
    assert len(grouping.person_groups(TASK, entries(*done), "Ada").groups) == 1
    undone = grouping.person_groups(TASK, entries(*done, ("Ada", grouping.UNDONE, {"of": "3"})), "Ada")
    assert [group.rows for group in undone.groups] == [(1,), (2,)]
    assert undone.steps == ((("1",), 1), (("2",), 2))


def test_nobody_changes_the_groups_of_another():
    done = entries(put(RATES), put(2, "1"), ("Bob", grouping.UNDONE, {"of": "2"}), put(2, who="Bob"))
    assert grouping.person_groups(TASK, done, " ADA ").numbers.tolist() == [-1, 1, 1, -1, -1]
    placed = {name: len(one.placed) for name, one in grouping.everybody(TASK, done).items()}
    assert placed == {"Ada": 2, "Bob": 1}


def test_a_window_that_does_not_know_of_a_merge_adds_to_what_came_of_it():
    done = [put(RATES), put(2), ("Ada", grouping.MERGED, {"groups": ["1", "2"]}), put(STORM, "2")]
    made = grouping.person_groups(TASK, entries(*done), "Ada")
    assert [(group.id, group.number, group.rows) for group in made.groups] == [("1", 1, (1, 2, 0))]
    undone = grouping.person_groups(TASK, entries(*done, ("Ada", grouping.UNDONE, {"of": "3"})), "Ada")
    assert [(group.number, group.rows) for group in undone.groups] == [(1, (1,)), (2, (2, 0))]
    nonsense = [{}, {"groups": ["1", "9"]}, {"groups": "12"}, {"groups": [1, {}]}, {"groups": ["1"]}]
    faulty = entries(*done[:2], *(("Ada", grouping.MERGED, body) for body in nonsense))
    assert len(grouping.person_groups(TASK, faulty, "Ada").groups) == 2


def test_the_model_suggests_the_group_in_which_it_sees_most_of_the_event():
    made = grouping.person_groups(TASK, entries(put(RATES), put(2, "1"), put(STORM)), "Ada")
    assert made.suggested(4, [7, 5, 5, 6, 7]) == "3"
    assert made.suggested(3, [7, 5, 5, 6, 7]) == ""


def test_the_training_says_what_is_right_and_why():
    lesson = grouping.training()
    first, second, third = lesson.task.order[:3]
    made = grouping.person_groups(lesson.task, entries(put(first), put(second, "1"), put(third, "1")), "Ada")
    assert grouping.feedback(lesson, made, second)[0]
    right_here, should, reason = grouping.feedback(lesson, made, third)
    assert (right_here, should) == (False, None)
    assert "another event" in reason


RIGHT, WRONG = "same", "different"


def items(pool, count):
    right = "" if pool == Purpose.MAIN else RIGHT
    return [StudyPair(pool, f"{pool} {at}", "b", right) for at in range(count)]


KNOWN = (*items(Purpose.TRAINING, 2), *items(Purpose.EXAM, 5), *items(Purpose.CONTROL, 6))
PAIRS = voting.VotingTask("pairs", questions.SAME_EVENT, (*KNOWN, *items(Purpose.MAIN, 30)))


def answered(task, who, answers, count, before=()):
    """A person who answers what comes next, by pool."""
    done = list(before)
    for _ in range(count):
        people = voting.voters(task, done)
        item = voting.next_item(voting.voter(task, done, who), people.values())
        if item is None:
            break
        body = voting.vote(task, item, answers.get(item.use, RIGHT), seconds=2.0)
        (entry,) = entries((who, voting.VOTED, body))
        done.append(replace(entry, id=f"{who}{len(done)}"))
    return done


def test_training_then_exam_then_work_with_a_control_pair_after_every_five():
    assert voting.voter(PAIRS, [], "Ada").stage == voting.Standing.TRAINING
    assert voting.voter(PAIRS, answered(PAIRS, "Ada", {}, 2), "Ada").stage == voting.Standing.EXAM
    done = answered(PAIRS, "Ada", {}, 7 + 2 * (USUAL.control_after + 1))
    own = voting.voter(PAIRS, done, "Ada")
    assert own.stage == voting.Standing.WORK
    work = [PAIRS.by_id[item].use for item in own.votes][7:]
    every = USUAL.control_after
    assert [at for at, pool in enumerate(work) if pool == Purpose.CONTROL] == [every, 2 * every + 1]
    assert own.seconds == 2.0


def test_who_errs_on_control_pairs_is_stopped_and_does_not_count():
    done = answered(PAIRS, "Ada", {Purpose.CONTROL: WRONG}, 99)
    own = voting.voter(PAIRS, done, "Ada")
    assert own.stage == voting.Standing.STOPPED
    assert own.right(Purpose.CONTROL) == (0, USUAL.first_controls)
    done = answered(PAIRS, "Bob", {}, 20, done)
    votes = voting.counted_votes(PAIRS, voting.voters(PAIRS, done).values())
    assert votes.people == ("Bob",)


SCHEDULES = st.tuples(st.integers(1, 25), st.integers(1, 9), st.integers(0, 6), st.integers(1, 6))


@pytest.mark.slow
@given(SCHEDULES, st.sampled_from(Order), st.sampled_from([0.0, 0.7]))
@example((16, 5, 6, 4), Order.TIME, 0.7)
def test_the_controls_that_are_said_at_set_up_are_those_asked_and_count_at_the_end(schedule, order, trusted):
    most, every, controls, first = schedule
    study = replace(USUAL, control_after=every, first_controls=first, order=order, trusted=trusted)
    pairs = (*items(Purpose.CONTROL, controls), *items(Purpose.MAIN, most))
    task = voting.VotingTask("pairs", questions.SAME_EVENT, pairs, study)
    own = voting.voter(task, answered(task, "Ada", {}, 99), "Ada")
    assert own.right(Purpose.CONTROL)[1] == task.controls
    assert own.counts
    lazy = voting.voter(task, answered(task, "Bob", {Purpose.CONTROL: WRONG}, 99), "Bob")
    assert lazy.counts == (not task.controls or not trusted)


def test_who_finishes_since_others_filled_the_pairs_is_looked_at_as_well_and_the_rest_is_asked_again():
    study = replace(USUAL, votes=2)
    task = voting.VotingTask(
        "pairs", questions.SAME_EVENT, (*items(Purpose.CONTROL, 9), *items(Purpose.MAIN, 12)), study
    )
    done = answered(task, "Ada", {}, 99, answered(task, "Eve", {Purpose.CONTROL: WRONG}, 8))
    assert voting.voter(task, done, "Eve").counts  # in the middle, with one control pair
    done = answered(task, "Bob", {}, 5, done)
    people = voting.voters(task, done)
    assert {who: own.counts for who, own in people.items()} == {"ada": True, "bob": True, "eve": False}
    assert voting.next_item(people["eve"], people.values()) is None
    assert len(people["bob"].open) == len(voting.voter(task, done, "Cy").open) == 7
    done = answered(task, "Bob", {}, 99, done)
    assert voting.voter(task, done, "Cy").too_late
    votes = voting.counted_votes(task, voting.voters(task, done).values())
    assert ((votes.codes >= 0).sum(axis=1) == 2).all()


def test_blocks_go_to_as_many_people_each_and_one_that_somebody_left_is_filled_by_the_next():
    study = replace(USUAL, block=4, votes=2)
    task = voting.VotingTask("pairs", questions.SAME_EVENT, tuple(items(Purpose.MAIN, 10)), study)
    pairs = [pair.id for pair in task.pool(Purpose.MAIN)]
    blocks = [set(pairs[:4]), set(pairs[4:8]), set(pairs[8:])]
    done: list[Entry] = []
    for who in ("Ada", "Bob", "Cem"):
        done = answered(task, who, {}, 1, done)
    people = voting.voters(task, done)
    begun = [next(iter(own.votes)) for own in people.values()]
    assert all(any(item in block for item in begun) for block in blocks), "one person a block"
    done = answered(task, "Bob", {}, 99, answered(task, "Ada", {}, 99, done))  # Cem left after one pair
    for who in ("Dora", "Eve", "Flo", "Gus"):
        done = answered(task, who, {}, 99, done)
    people = voting.voters(task, done)
    for own in people.values():
        assert any(set(own.votes) <= block for block in blocks), "nobody gets pairs of two blocks"
    votes = voting.counted_votes(task, people.values())
    assert ((votes.codes >= 0).sum(axis=1) == 2).all()
    assert voting.voter(task, done, "Late").too_late


def test_a_full_study_asks_nobody_for_training_and_the_exam_is_taken_so_often_and_no_more():
    study = replace(USUAL, votes=1, tries=2)
    task = replace(PAIRS, study=study)
    bad = {Purpose.EXAM: WRONG}

    def again(done):
        (entry,) = entries(("Eve", voting.AGAIN, {}))
        return [*done, replace(entry, id=f"again{len(done)}")]

    done = answered(task, "Eve", bad, 99)
    assert (voting.voter(task, done, "Eve").tries, voting.voter(task, done, "Eve").may_repeat) == (1, True)
    assert voting.voter(task, again(again(done)), "Eve").failed == 1  # pressed twice in two windows
    done = answered(task, "Eve", bad, 99, again(done))
    assert not voting.voter(task, done, "Eve").may_repeat
    assert voting.voter(task, again(done), "Eve").stage == voting.Standing.FAILED
    begun = answered(task, "Cy", {}, 1)
    full = answered(task, "Ada", {}, 99, begun)
    for who in ("Cy", "Nobody yet"):
        own = voting.voter(task, full, who)
        assert (own.stage, own.too_late) == (voting.Standing.FULL, True)
        assert voting.next_item(own, voting.voters(task, full).values()) is None
    assert not voting.voter(task, full, "Ada").too_late


def test_a_pair_is_asked_until_it_has_five_votes_that_count_and_four_of_five_keep_its_answer():
    done: list[Entry] = []
    for at in range(USUAL.votes + 1):
        done = answered(PAIRS, f"p{at}", {Purpose.MAIN: WRONG if at == 0 else RIGHT}, 99, done)
    votes = voting.counted_votes(PAIRS, voting.voters(PAIRS, done).values())
    assert len(votes.items) == 30
    assert ((votes.codes >= 0).sum(axis=1) == USUAL.votes).all()
    assert consensus(votes, quorum=0.8).decided == 30
    assert consensus(votes, quorum=1.0).decided == 0


def test_the_pairs_of_a_set_get_pairs_with_known_answers_before_and_between_them():
    task = voting.voting_task(load_pair_set("iss.v1"), questions.SAME_EVENT)
    for pool, count in ((Purpose.TRAINING, USUAL.training), (Purpose.EXAM, USUAL.exam)):
        assert len(task.pool(pool)) == count
    for pool in (Purpose.TRAINING, Purpose.EXAM, Purpose.CONTROL):
        found = [task.question.right(item) for item in task.pool(pool)]
        assert found.count(("same",)) == found.count(("different",)) > 0
    assert not any(task.question.right(item) for item in task.pool(Purpose.MAIN))
    assert all(item.days[0] for item in task.pool(Purpose.MAIN))


def test_half_of_the_people_see_the_better_headline_on_the_other_side():
    task = voting.voting_task(load_pair_set("iss.v1"), questions.BETTER_HEADLINE)
    item = task.pool(Purpose.MAIN)[0]
    sides = [voting.voter(task, [], f"person {at}").swapped(item) for at in range(200)]
    assert 60 < sum(sides) < 140
    assert voting.vote(task, item, "left", swapped=True)["shown"] == [item.right, item.left]
    assert not voting.voter(PAIRS, [], "Ada").swapped(PAIRS.items[0])


TWO = ("Ada", RULES, {"two": True, "errors": ["Slip", "Too vague"]})


def said(who, row, other, shown=BLIND, **more):
    return who, DECIDED, {"row": row, "with": other, "shown": shown, **more}


def voted(who, row, answer, **more):
    return who, DECIDED, {"row": row, "answer": answer, "shown": BLIND, **more}


def test_decisions_move_headlines_in_their_order_and_the_last_about_one_counts():
    done = said("Ada", 2, ALONE, OPEN), said("Bob", 3, 2, OPEN), said("Ada", 2, 0), said("Bob", 1, 1)
    settled = Adjudication(entries(*done), 4).settled
    stand = [(row, one.body["with"], one.who, desk.shown_for(one)) for row, one in settled.items()]
    assert stand == [(3, 2, "Bob", OPEN), (2, 0, "Ada", BLIND)]
    assert desk.adjudicated(np.array([0, 0, 1, 2]), settled).tolist() == [0, 0, 0, 1]
    alone = Adjudication(entries(said("Ada", 1, ALONE)), 4).settled
    assert desk.adjudicated(np.array([0, 0, 0, 1]), alone).tolist() == [0, 1, 0, 2]


def test_where_two_differ_the_item_returns_to_who_has_not_seen_that_and_a_third_may_settle_it():
    order = [3, 1, 0]
    done = [TWO, voted("Ada", 3, "same"), voted("Ada", 1, "same")]

    def now(*more):
        return Adjudication(entries(*done, *more), 4, choices=("same", "different"))

    assert (now().queue(order, "ada"), now().queue(order, "Bob")) == ([0], order)
    assert (now().settled, now().state(3)) == ({}, "one more decides")
    differ = now(voted("Bob", 3, "different"))
    assert differ.differ(3)
    assert differ.queue(order, "Ada") == [0, 3]
    assert differ.queue(order, "Bob") == [1, 0]
    assert differ.queue(order, "Cy") == order
    insists = now(voted("Bob", 3, "different"), voted("Ada", 3, "same"))
    assert (insists.queue(order, "Ada"), insists.queue(order, "Bob")) == ([0], [1, 0, 3])
    third = now(voted("Bob", 3, "different"), voted("Cy", 3, "different"))
    assert [entry.who for entry in third.settled.values()] == ["Cy"]
    assert third.queue(order, "Ada") == [0]


def test_two_agree_on_a_group_whichever_of_its_headlines_they_name():
    merged, done = np.array([0, 0, 1, 2]), (TWO, said("Ada", 2, 0), said("Bob", 2, 1))
    assert list(Adjudication(entries(*done), 4, merged).settled) == [2]
    assert not Adjudication(entries(*done), 4).settled


def test_a_decision_is_taken_back_by_its_maker_alone():
    done = voted("Ada", 0, "same"), ("Bob", TAKEN_BACK, {"of": "1"})
    stands = Adjudication(entries(*done), 2, choices=("same",))
    assert list(stands.own(" ADA ")) == [0]
    back = Adjudication(entries(*done, ("Ada", TAKEN_BACK, {"of": "1"})), 2, choices=("same",))
    assert (back.settled, back.queue([1, 0], "Ada")) == ({}, [1, 0])


def test_kinds_of_error_are_stored_as_text_and_counted_with_intervals():
    done = [voted("Ada", row, "same", error="Slip" if row < 3 else "") for row in range(12)]
    done += [TWO, ("Ada", RULES, {"two": False, "errors": []})]
    found = Adjudication(entries(*done), 12, choices=["same"])
    assert Adjudication(entries(TWO), 12).rules == (True, ("Slip", "Too vague"))
    assert found.rules == (False, ())
    (none, slips) = found.errors_table().rows
    assert (none[:2], slips[:2]) == (("none named", 9), ("Slip", 3))
    assert slips[2].interval == pytest.approx((0.0889, 0.5323), abs=1e-4)  # Wilson, 3 of 12
    assert found.columns()["error"][0] == "Slip"


def file_of(days):
    """Two answer twenty items a day each, in agreement on the first days and at random later."""
    lines = ["pair,worker,label,at,rules"]
    for at, (day, items) in enumerate(days):
        for item in range(items):
            for who in "ab":
                answer = item % 2 if at < 2 or who == "a" else item // 2 % 2
                lines.append(f"{day} {item},{who},{answer},{day}T10:00,{1 + (at > 1)}")
    return "\n".join(lines).encode()


def test_days_with_few_answers_are_joined_within_a_version_of_the_instructions():
    days = ("2026-05-04", 12), ("2026-05-05", 4), ("2026-05-06", 6), ("2026-05-07", 8), ("2026-05-08", 3)
    votes = read_votes(file_of(days), "v.csv", day="at", version="rules")
    table = agreement_tables.voted_over_time(votes)
    parts = ("1", "2026-05-04", "2026-05-05", 32), ("2", "2026-05-06", "2026-05-08", 34)
    assert tuple((*row[:3], row[4]) for row in table.rows) == parts
    assert [(row[0], row[4], row[6]) for row in table.below] == [("1", 32, 16), ("2", 34, 17)]
    assert table.rows[0][3].value == 1.0
    later = read_votes(file_of([("x", 0), ("x", 0), *days[2:]]), "v.csv", day="at")
    assert table.rows[1][3].value == pytest.approx(alpha(later).value)
    with pytest.raises(InputError, match="is no time"):
        read_votes(b"item,worker,label,at\n1,a,0,soon\n", "v.csv", day="at")


def test_groups_by_day_and_by_version_count_what_stands():
    task = grouping_task(TIMELINE)
    done = [(who, PLACED, place(row, shown={})) for who in ("Ada", "Bob") for row in range(5)]
    given = entries(*done)
    assert agreement_tables.grouped_over_time(task, given[:5]) is None
    day, body = timedelta(days=1), {"instructions": 2}
    late = [replace(entry, when=entry.when + day, body=entry.body | body) for entry in given[5:]]
    (first, second) = agreement_tables.grouped_over_time(task, [*given[:5], *late]).rows
    assert (*first[:3], first[4]) == ("", "2026-05-04", "2026-05-04", 5)
    assert (*second[:3], second[4]) == ("2", "2026-05-05", "2026-05-05", 5)
    (both,) = agreement_tables.grouped_over_time(task, given).rows
    assert (both[3], both[5]) == (10, 5)  # there is no column of versions


def test_answers_without_a_day_have_no_place_in_time():
    codes, given = np.zeros((3, 2), dtype=np.int64), np.full((3, 2, 2), "", dtype=object)
    assert agreement_tables.over_time(codes, given, lambda _: pytest.fail("measured")).rows == ()
