"""Which question is open, and what an answer does to an order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.ratings import Ratings, check_ratings
from core.articles.articles import articles_of
from core.articles.outputs import Outputs
from core.workflows.human_scores.asking import Open, answered, next_open
from core.workflows.human_scores.task import judgeable, shown_order
from tests.unit.annotation.by_hand import FORM, task_of

NAN = np.nan
ASKED = st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from([None, 1, 2, 3, 4]))


def test_headlines_are_asked_about_one_by_one_and_the_order_comes_last() -> None:
    values = np.full((3, 3), NAN)
    asked = []
    while (found := next_open(FORM, values, [2, 0, 1])) is not None:
        asked.append(found)
        free = [place for place in (1, 0, 2) if np.isnan(values[found.question, place])]
        system = free[0] if found.system is None else found.system
        values = answered(FORM, values, found.question, system, found.value or 1)
    assert asked == [
        *(Open(question, system, None) for system in (2, 0, 1) for question in (0, 2)),
        Open(1, None, 3),
        Open(1, None, 2),
    ]
    # Best first: the second system, then the first; the third took the last place by itself.
    assert values[1].tolist() == [2, 3, 1]


def test_headlines_swap_places() -> None:
    values = np.array([[NAN] * 3, [3, 2, 1], [NAN] * 3])
    assert answered(FORM, values, 1, 2, 3)[1].tolist() == [1, 2, 3]
    assert values[1].tolist() == [3, 2, 1]
    np.testing.assert_array_equal(answered(FORM, values, 1, 0, None)[1], [NAN, 2, 1])


def test_a_lone_headline_takes_the_only_place() -> None:
    values = np.full((3, 1), NAN)
    assert answered(FORM, values, 1, 0, 1)[1].tolist() == [1]


@given(st.lists(ASKED, max_size=30))
def test_no_row_of_answers_makes_a_tie(steps: list[tuple[int, int, int | None]]) -> None:
    values = np.full((3, 4), NAN)
    for question, system, value in steps:
        allowed = [level.value for level in FORM.questions[question].allowed(4)]
        values = answered(FORM, values, question, system, value if value in allowed else None)
        task = task_of(1, ("A", "B", "C", "D"))
        check_ratings(Ratings(form=FORM, task=task, judges=("x",), values=values[None, :, None]))


def test_articles_that_cannot_be_judged_are_left_out_and_counted() -> None:
    articles = articles_of("set", ["one", " ", "three", "four"])
    first = Outputs(system="A", headlines=("a", "b", "", "d"), source="x")
    second = Outputs(system="B", headlines=("e", "f", "g", "h"), source="x")
    found = judgeable("Set", articles, [first, second])
    assert (found.rows, found.left_out) == ((0, 3), 2)
    assert found.task.headlines == (("a", "e"), ("d", "h"))
    assert judgeable("Set", articles, []).left_out == 4


def test_each_judge_sees_an_order_of_their_own_and_the_same_again() -> None:
    task = task_of(40, ("A", "B", "C"))
    orders = {
        judge: [tuple(shown_order(task, article, judge)) for article in task.articles]
        for judge in ("Ada", "Bo")
    }
    assert orders["Ada"] != orders["Bo"]
    assert len(set(orders["Ada"])) == 6
    assert orders["Ada"] == [tuple(shown_order(task, article, " ADA ")) for article in task.articles]
    assert orders["Ada"] != [tuple(shown_order(task, article, "Ada", seed=1)) for article in task.articles]
