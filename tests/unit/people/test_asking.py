"""Which question is open, and who sees the headlines in which order."""

from __future__ import annotations

import numpy as np

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.people.asking import Open, judgeable, next_open, shown_order
from tests.unit.people.by_hand import FORM, task_of

NAN = np.nan


def test_headlines_are_asked_about_one_by_one_and_the_order_comes_last() -> None:
    values = np.full((3, 3), NAN)
    asked = []
    while (found := next_open(FORM, values, [2, 0, 1])) is not None:
        asked.append(found)
        free = [place for place in (1, 0, 2) if np.isnan(values[found.question, place])]
        system = free[0] if found.subject is None else found.subject
        values[found.question, system] = found.value or 1
    assert asked == [
        *(Open(question, system, None) for system in (2, 0, 1) for question in (0, 2)),
        Open(1, None, 3),
        Open(1, None, 2),
        Open(1, None, 1),
    ]
    assert values[1].tolist() == [2, 3, 1]


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
