from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from core.errors import InputError
from core.people import adjudication as desk
from core.people.adjudication import ALONE, BLIND, DECIDED, OPEN, RULES, TAKEN_BACK, Adjudication
from core.people.grouping import PLACED, grouping_task, place
from core.people.votes import alpha, read_votes
from tests.unit.people.by_hand import entries
from tests.unit.people.test_annotation import TIMELINE

TWO = ("Ada", RULES, {"two": True, "errors": ["Slip", "Too vague"]})


def said(who, row, other, shown=BLIND, **more):
    return who, DECIDED, {"row": row, "with": other, "shown": shown, **more}


def voted(who, row, answer, **more):
    return who, DECIDED, {"row": row, "answer": answer, "shown": BLIND, **more}


def test_decisions_move_headlines_in_their_order_and_the_last_about_one_counts():
    done = said("Ada", 2, ALONE, OPEN), said("Bob", 3, 2, OPEN), said("Ada", 2, 0), said("Bob", 1, 1)
    settled = Adjudication(entries(*done), 4).settled
    assert [(row, one.body["with"], one.who, desk.shown_for(one)) for row, one in settled.items()] == [
        (3, 2, "Bob", OPEN),
        (2, 0, "Ada", BLIND),
    ]
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
    table = desk.voted_over_time(votes)
    assert [(*row[:3], row[4]) for row in table.rows] == [
        ("1", "2026-05-04", "2026-05-05", 32),
        ("2", "2026-05-06", "2026-05-08", 34),
    ]
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
    assert desk.grouped_over_time(task, given[:5]) is None
    day, body = timedelta(days=1), {"instructions": 2}
    late = [replace(entry, when=entry.when + day, body=entry.body | body) for entry in given[5:]]
    (first, second) = desk.grouped_over_time(task, [*given[:5], *late]).rows
    assert (*first[:3], first[4]) == ("", "2026-05-04", "2026-05-04", 5)
    assert (*second[:3], second[4]) == ("2", "2026-05-05", "2026-05-05", 5)
    (both,) = desk.grouped_over_time(task, given).rows
    assert (both[3], both[5]) == (10, 5)  # there is no column of versions


def test_answers_without_a_day_have_no_place_in_time():
    codes, given = np.zeros((3, 2), dtype=np.int64), np.full((3, 2, 2), "", dtype=object)
    assert desk.over_time(codes, given, lambda _: pytest.fail("measured")).rows == ()
