"""What somebody has made of a timeline, from the entries alone."""

from __future__ import annotations

from typing import Any

import pytest

from core.data.timelines.load import load_text
from core.people.agreement import group_agreement
from core.people.grouping import (
    PLACED,
    UNDONE,
    everybody,
    feedback,
    grouping_task,
    person_groups,
    place,
    released_format,
    training,
    with_people,
)
from tests.unit.people.annotation.entries import entries

TIMELINE = load_text(
    "headline,date\nStorm shuts airport,2024-05-03\nBank raises rates,2024-05-01\n"
    "Rates raised by bank,2024-05-02\nThe week in pictures,2024-05-04\nAirport shut by storm,2024-05-04\n"
)
TASK = grouping_task(TIMELINE)
RATES, STORM, VAGUE = 1, 0, 3


def put(
    row: int, group: str = "", *, who: str = "Ada", single: bool = False
) -> tuple[str, str, dict[str, Any]]:
    return who, PLACED, place(row, group=group, single=single, shown={})


def test_groups_are_numbered_in_the_order_of_time_whatever_the_order_of_the_answers() -> None:
    done = entries(put(STORM), put(4, "1"), put(RATES), put(2, "3"), put(VAGUE, single=True))
    assert person_groups(TASK, done, "Ada").numbers.tolist() == [2, 1, 1, 3, 2]
    assert person_groups(TASK, done, "Ada").open_row is None


def test_a_later_answer_replaces_an_earlier_one_and_is_taken_back_by_undo() -> None:
    done = [put(RATES), put(2), put(2, "1")]
    assert len(person_groups(TASK, entries(*done), "Ada").groups) == 1
    undone = person_groups(TASK, entries(*done, ("Ada", UNDONE, {"of": "3"})), "Ada")
    assert [group.rows for group in undone.groups] == [(1,), (2,)]
    assert undone.steps == (("1", 1), ("2", 2))


def test_the_number_of_a_group_stays_whatever_is_placed_later() -> None:
    """The day of its first headline, a vague one between and a group that is left empty move no number."""
    done = [put(STORM), put(VAGUE, single=True), put(RATES)]
    numbers = []
    for further in ([], [put(4, "1")], [put(2)], [put(2, "3")], [put(4, "1"), put(2, "3"), put(STORM, "3")]):
        made = person_groups(TASK, entries(*done, *further), "Ada")
        numbers.append({group.id: group.number for group in made.groups})
    assert all(one["1"] == 1 and one["2"] == 0 and one["3"] == 2 for one in numbers)
    assert numbers[2]["4"] == 3
    taken_back = person_groups(TASK, entries(*done, ("Ada", UNDONE, {"of": "3"}), put(2)), "Ada")
    assert {group.id: group.number for group in taken_back.groups} == {"1": 1, "2": 0, "5": 2}


def test_digits_choose_a_group_once_no_other_number_begins_with_them() -> None:
    timeline = load_text("headline\n" + "\n".join(f"Event {at}" for at in range(14)))
    made = person_groups(grouping_task(timeline), entries(*[put(row) for row in range(12)]), "Ada")
    for digits, number, further in (("1", 1, True), ("12", 12, False), ("2", 2, False), ("13", None, False)):
        group, more = made.numbered(13, digits)
        assert (group and group.number, more) == (number, further)


def test_nobody_changes_the_groups_of_another() -> None:
    done = entries(put(RATES), put(2, "1"), ("Bob", UNDONE, {"of": "2"}), put(2, who="Bob"))
    assert person_groups(TASK, done, " ADA ").numbers.tolist() == [-1, 1, 1, -1, -1]
    assert {name: len(one.placed) for name, one in everybody(TASK, done).items()} == {"Ada": 2, "Bob": 1}


@pytest.mark.parametrize(("row", "group"), [(None, ""), (9, ""), (-1, ""), (True, ""), (1, None)])
def test_entries_that_make_no_sense_are_ignored(row: object, group: object) -> None:
    done = entries(("Ada", PLACED, {"row": row, "group": group}))
    assert not person_groups(TASK, done, "Ada").placed


def test_the_group_that_was_added_to_last_is_offered_first_and_a_vague_headline_never() -> None:
    made = person_groups(TASK, entries(put(RATES), put(2), put(STORM, "1"), put(VAGUE, single=True)), "Ada")
    assert [group.id for group in made.offered(4)] == ["1", "2"]
    # Its own group, with nobody else in it, is what "new group" stands for.
    assert [group.id for group in made.offered(2)] == ["1"]


def test_the_model_suggests_the_group_in_which_it_sees_most_of_the_event() -> None:
    made = person_groups(TASK, entries(put(RATES), put(2, "1"), put(STORM)), "Ada")
    assert made.suggested(4, [7, 5, 5, 6, 7]) == "3"
    assert made.suggested(3, [7, 5, 5, 6, 7]) == ""


def test_the_task_is_that_of_the_headlines_whatever_groups_the_file_brings() -> None:
    annotated = with_people(TIMELINE, {"Ada": person_groups(TASK, entries(put(RATES)), "Ada").numbers})
    assert grouping_task(annotated).index.fingerprint == TASK.index.fingerprint
    assert grouping_task(TIMELINE.select([0, 1, 2])).index.fingerprint != TASK.index.fingerprint


def test_two_people_become_table_1_and_the_file_that_hlgd_released() -> None:
    both = entries(
        put(RATES), put(2, "1"), put(STORM), put(VAGUE), put(4, "3"),
        put(RATES, who="Bob"), put(2, "6", who="Bob"), put(STORM, who="Bob"), put(4, "8", who="Bob"),
    )  # fmt: skip
    people = {name: made.numbers for name, made in everybody(TASK, both).items()}
    timeline = with_people(TIMELINE, people)
    found = group_agreement(timeline)
    assert (found.headlines, found.groups, found.positive_pairs, found.mean("ami")) == (5, 3, 2, 1.0)
    table = released_format(timeline, found.merged, {})
    assert list(table) == ["url", "headline", "date", "annot_1_group", "annot_2_group", "global_group"]
    assert table["date"].tolist()[0] == "2024-05-01"
    again = load_text(table.to_csv(index=False))
    assert len(again.annotators) == 2
    assert again.has_gold
    assert group_agreement(again).mean("ami") == 1.0


def test_the_training_says_what_is_right_and_why() -> None:
    lesson = training()
    first, second, third = lesson.task.order[:3]
    right = [("Ada", PLACED, place(first, shown={})), ("Ada", PLACED, place(second, group="1", shown={}))]
    made = person_groups(lesson.task, entries(*right), "Ada")
    assert feedback(lesson, made, second)[0]
    made = person_groups(
        lesson.task, entries(*right, ("Ada", PLACED, place(third, group="1", shown={}))), "Ada"
    )
    right_here, should, reason = feedback(lesson, made, third)
    assert (right_here, should) == (False, None)
    assert "another event" in reason
    alone = person_groups(lesson.task, entries(right[0], ("Ada", PLACED, place(second, shown={}))), "Ada")
    assert feedback(lesson, alone, second)[1] == first
