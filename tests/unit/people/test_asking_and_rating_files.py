import csv
import io

import numpy as np
import pandas as pd
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.people.evaluation import judgeable, shown_order
from core.people.rating_files import ratings_csv, read_ratings, template_csv
from core.people.ratings import empty_ratings, make_task
from tests.unit.people.by_hand import FORM, task_of


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


HOSTILE = make_task(
    'odd "set"',
    ["=1+1", "a,b", "строка", "<b>x</b>"],
    ["@SUM(A1)", 'He said "no"'],
    [
        ["-2 dead", "line, with comma"],
        ["=cmd|' /C calc'!A0", "x"],
        ["Ответ: 5", "y"],
        ["<script>1</script>", "z"],
    ],
)


def answered(task, *judges):
    ratings = empty_ratings(FORM, task, judges)
    for at, question in enumerate(FORM.questions):
        levels = [level.value for level in question.allowed(2)]
        ratings.values[:, at] = np.array([levels[-1], levels[0]])
    return ratings


@pytest.mark.parametrize("task", [task_of(3), HOSTILE], ids=["plain", "hostile"])
@pytest.mark.parametrize("known", [True, False])
def test_what_is_written_is_read_back(task, known):
    ratings = answered(task, "=Ada", "O'Neil, Bo")
    ratings.values[1, 2, 0, 1] = np.nan
    back = read_ratings(ratings_csv(ratings).encode(), "out.csv", FORM, task if known else None)
    assert back.judges == ratings.judges
    assert back.task.articles == task.articles
    assert back.task.systems == task.systems
    assert back.task.fingerprint == task.fingerprint
    np.testing.assert_array_equal(back.values, ratings.values)


@pytest.mark.parametrize("task", [task_of(3), HOSTILE], ids=["plain", "hostile"])
def test_a_template_is_blind_and_is_read_back_when_filled(task):
    texts = ["=An article\nof two lines"] * len(task.articles)
    orders = [[1, 0]] * len(task.articles)
    written = template_csv(empty_ratings(FORM, task, ["Ada"]), texts, orders)
    rows = list(csv.DictReader(io.StringIO(written)))
    if task is HOSTILE:
        cells = [cell for row in rows for cell in row.values()]
        assert not any(system in cell for cell in cells for system in task.systems)
    asked = [name for name in rows[0] if name.startswith("reasonableness")]
    assert asked == ["reasonableness (1 last, 2 best)"]
    assert [bool(row["text"]) for row in rows[:2]] == [True, False]
    assert not any(row["headline"].startswith(("=", "@", "+")) for row in rows)
    for number, row in enumerate(rows):
        row["numeral_accuracy (0 none, 1 some, 2 all)"] = "2.0" if number % 2 else ""
        row[asked[0]] = str(1 + number % 2)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    back = read_ratings(out.getvalue().encode("utf-8-sig"), "filled.csv", FORM, task)
    # The second headline of each article is the first system's.
    np.testing.assert_array_equal(back.values[0, 0], [[2, np.nan]] * len(task.articles))
    np.testing.assert_array_equal(back.values[0, 1], [[2, 1]] * len(task.articles))
    assert np.isnan(back.values[0, 2]).all()


def test_a_spreadsheet_made_outside_is_read():
    table = pd.DataFrame(
        {
            "Judge": ["Ada", "Ada", "Bo", "Bo"],
            "Article": ["1", "1", "1", "1"],
            "System": ["A", "B", "A", "B"],
            "Numeral accuracy": [2, 0, 1, None],
            "Readability": [5, 4, 3, 2],
        }
    )
    data = io.BytesIO()
    table.to_excel(data, index=False)
    back = read_ratings(data.getvalue(), "outside.xlsx", FORM)
    assert back.judges == ("Ada", "Bo")
    np.testing.assert_array_equal(back.values[:, 0, 0], [[2, 0], [1, np.nan]])
    assert np.isnan(back.values[:, 1]).all()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("article,system,judge\n1,A,x\n", "has no column with answers"),
        ("judge,readability\nx,3\n", "does not say which headlines"),
        ("judge,item,readability\nx,0123456789ab,3\n", "does not name the systems"),
        ("judge,article,system,readability\nx,1,A,six\n", "has 'six' in the column readability"),
        ("judge,article,system,readability\nx,1,A," + "9" * 400 + "\n", "has '9999"),
        ("judge,article,system,readability\n,1,A,3\n", "Row 1 of x.csv has no judge"),
        ("judge,article,system,readability\nx,1,A,3\nX,1,A,3\n", "same headline"),
        ("judge,article,system,reasonableness\nx,1,A,1\nx,1,B,1\n", "the same place"),
        ("judge,article,system,readability\n" + "y" * 70 + ",1,A,3\n", "at most 60"),
    ],
)
def test_bad_tables_say_what_is_wrong(data, said):
    with pytest.raises(InputError) as told:
        read_ratings(data.encode(), "x.csv", FORM)
    assert said in told.value.message
    assert told.value.hint


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x,ffffffffffff,,,,3", "not judged here"),
        ("x,,a9,A,,3", "not judged here"),
        ("x,,a0,A,another headline,3", "another headline"),
    ],
)
def test_answers_about_other_headlines_are_refused(row, said):
    data = f"judge,item,article,system,headline,readability\nx,,a0,B,,1\n{row}\n".encode()
    with pytest.raises(InputError, match=r"Row 2 of x\.csv") as told:
        read_ratings(data, "x.csv", FORM, task_of(1))
    assert said in told.value.message
