"""Which question is open, and who sees the headlines in which order."""

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.people.evaluation.asking import judgeable, shown_order
from tests.unit.people.by_hand import task_of


def test_articles_that_cannot_be_judged_are_left_out_and_counted():
    articles = articles_of("set", ["one", " ", "three", "four"])
    first = Outputs(system="A", headlines=("a", "b", "", "d"), source="x")
    second = Outputs(system="B", headlines=("e", "f", "g", "h"), source="x")
    found = judgeable("Set", articles, [first, second])
    assert (found.rows, found.left_out) == ((0, 3), 2)
    assert found.task.headlines == (("a", "e"), ("d", "h"))
    assert judgeable("Set", articles, []).left_out == 4


def test_each_judge_sees_an_order_of_their_own_and_the_same_again():
    task = task_of(40, ("A", "B", "C"))
    orders = {
        judge: [tuple(shown_order(task, article, judge)) for article in task.articles]
        for judge in ("Ada", "Bo")
    }
    assert orders["Ada"] != orders["Bo"]
    assert len(set(orders["Ada"])) == 6
    assert orders["Ada"] == [tuple(shown_order(task, article, " ADA ")) for article in task.articles]
    assert orders["Ada"] != [tuple(shown_order(task, article, "Ada", seed=1)) for article in task.articles]
