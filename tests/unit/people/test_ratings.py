import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.people.evaluation import as_json, ratings_table
from core.people.evaluation_task import judgeable, make_task
from core.people.forms import form_of
from core.people.next_question import shown_order
from core.people.rating_files import merge, ratings_csv, read_ratings, template_csv
from core.people.ratings import check_ratings, empty_ratings
from tests.unit.people.by_hand import FORM, ratings_of, rows_of, task_of

NAN = np.nan


def shares(ratings):
    """The figures of each system, a question each."""
    return [row[4:] for row in ratings_table(ratings).rows]


def with_points(totals, articles=100):
    """Judges who give the one system so many points of numeral accuracy in all."""
    task = task_of(articles, ("BART",))
    ratings = empty_ratings(FORM, task, [f"judge {number}" for number in range(len(totals))])
    for judge, total in enumerate(totals):
        twos, ones = divmod(total, 2)
        ratings.values[judge, 0, :, 0] = [2] * twos + [1] * ones + [0] * (articles - twos - ones)
    return ratings


def test_a_table_worked_by_hand():
    ratings = ratings_of(
        task_of(2, ("A", "B", "C")),
        {
            "one": [[[2, 1, 0], [3, 2, 1], [5, 4, 1]], [[2, 0, 0], [1, 2, 3], [5, 1, 1]]],
            "two": [[[2, 2, 0], [3, 1, 2], [4, 4, 2]], [[1, 0, 0], [2, 3, 1], [5, 2, 1]]],
        },
    )
    table = shares(check_ratings(ratings))
    values = [[share.value for share in line] for line in table]
    expected = [7 / 8, 9 / 12, 19 / 20], [3 / 8, 8 / 12, 11 / 20], [0 / 8, 7 / 12, 5 / 20]
    np.testing.assert_allclose(values, expected)
    assert table[0][1].points == pytest.approx(4.5)
    assert [share.most for share in table[0]] == [4, 6, 10]
    judged = json.loads(as_json(ratings_table(ratings), ratings))["judges"]
    assert judged == {"one": 2, "two": 2}


def test_one_judge_or_two_are_said_to_be_too_few():
    for judges, marked in ((2, True), (3, False)):
        share = shares(with_points([118] * judges))[0][0]
        assert share.low is not None
        assert ("judges" in share.warning) == marked


def test_missing_answers_are_counted_and_never_0():
    ratings = ratings_of(
        task_of(2),
        {
            "one": [[[2, NAN], [2, 1], [NAN, 3]], [[2, 0], [2, NAN], [NAN, 3]]],
            "two": [[[NAN, NAN], [NAN, NAN], [NAN, NAN]], [[2, 1], [1, 2], [NAN, 5]]],
        },
    )
    table = ratings_table(check_ratings(ratings))
    first, second = [row[4:] for row in table.rows]
    assert (first[0].value, first[0].count, first[0].missing, first[0].points) == (1.0, 3, 1, None)
    assert second[0].value == pytest.approx(1 / 4)
    # The order of the second article lacks a place for the one judge: it does not count at all.
    assert (first[1].value, first[1].count, first[1].missing) == (pytest.approx(3 / 4), 2, 2)
    assert first[2].value is None
    assert first[2].reason
    assert (first[2].low, first[2].count, first[2].missing) == (None, 0, 4)
    row = json.loads(as_json(table, ratings))["systems"][0]
    assert (row["readability"], row["readability_reason"]) == (None, first[2].reason)


@pytest.mark.parametrize(
    ("form", "question", "place", "answers", "said"),
    [
        (FORM, 0, 0, [3, 1], "Num Acc. by Ada for the article 'a0' is 3."),
        (FORM, 1, 0, [2, 2], "gives 2 headlines 2"),
        (form_of("italian.v1"), 2, 0, [1, 1], "gives 2 headlines 1"),
        (form_of("italian.v1"), 0, 2, [1], "Correct by Ada"),
        (form_of("italian.v1"), 1, 0, [1], "Same article by Ada"),
    ],
)
def test_answers_that_are_not_allowed_are_refused(form, question, place, answers, said):
    ratings = empty_ratings(form, task_of(1), ["Ada"])
    ratings.values[0, question, 0, place : place + len(answers)] = answers
    with pytest.raises(InputError) as told:
        check_ratings(ratings)
    assert said in told.value.message
    assert told.value.hint.startswith("Give")


def test_files_of_several_judges_are_put_together():
    """Articles overlap, systems stand in another order, and each judge is in both files."""
    task = task_of(3)
    turned = make_task("turned", task.articles[1:], ("B", "A"), [line[::-1] for line in task.headlines[1:]])
    first, second = empty_ratings(FORM, task.at([0, 1]), ["Ada"]), empty_ratings(FORM, turned, ["Bo", "Ada"])
    first.values[:, 1] = [2, 1]
    second.values[0, 1] = [2, 1]
    second.values[1, 1, 1] = [1, 2]
    merged = merge([first, second])
    assert (merged.task.articles, merged.task.systems) == (task.articles, task.systems)
    assert merged.task.headlines == task.headlines
    assert merged.judges == ("Ada", "Bo")
    np.testing.assert_array_equal(merged.values[0, 1], [[2, 1]] * 3)
    np.testing.assert_array_equal(merged.values[1, 1], [[NAN, NAN], [1, 2], [1, 2]])
    assert np.isnan(merged.values[:, [0, 2]]).all()


def test_one_name_with_two_answers_is_refused():
    first, second = (empty_ratings(FORM, task_of(1), [name]) for name in ("Ada", "ADA"))
    first.values[0, 2, 0] = [4, NAN]
    second.values[0, 2, 0] = [4, 5]
    assert merge([first, second]).values[0, 2, 0].tolist() == [4, 5]
    second.values[0, 2, 0] = [3, 5]
    with pytest.raises(InputError, match="two different answers"):
        merge([first, second])


def test_published_orders_of_another_number_of_systems_are_said_to_be_no_comparison():
    five, two = (empty_ratings(FORM, task_of(4, tuple(names)), ["Ada"]) for names in ("ABCDE", "AB"))
    assert not [note for note in ratings_table(five).notes if "averages" in note]
    (said,) = [note for note in ratings_table(two).notes if "averages" in note]
    assert said.startswith("Reasonableness")
    assert "75 % over 2" in said
    assert "60 % over 5" in said  # (k + 1) / 2k, also what the published figures add up to, but for rounding


def test_articles_that_cannot_be_judged_are_left_out_and_counted():
    articles = articles_of("set", ["one", " ", "three", "four", "five", "six"])
    first = Outputs(system="A", headlines=("a", "b", "", "d", "e", "f"), source="x")
    unknown = ("Mayor of <UNK> resigns", "Mayor of ⁇ resigns")
    second = Outputs(system="B", headlines=("g", "h", "i", "j", *unknown), source="x")
    found = judgeable("Set", articles, [first, second])
    assert (found.rows, found.left_out, found.unknown) == ((0, 3), 4, 2)
    assert found.task.headlines == (("a", "g"), ("d", "j"))
    assert judgeable("Set", articles, []).left_out == 6


def test_each_judge_sees_an_order_of_their_own_and_the_same_again():
    task = task_of(40, ("A", "B", "C"))

    def orders_of(judge, **more):
        return [tuple(shown_order(task, article, judge, **more)) for article in task.articles]

    assert len(set(orders_of("Ada"))) == 6
    assert orders_of("Bo") != orders_of("Ada") == orders_of(" ADA ") != orders_of("Ada", seed=1)


HOSTILE = make_task(
    'odd "set"',
    ["=1+1", "a,b", "строка", "<b>x</b>"],
    ["@SUM(A1)", 'He said "no"'],
    [["-2 dead", "a, b"], ["=cmd|' /C calc'!A0", "x"], ["Ответ: 5", "y"], ["<script>1</script>", "z"]],
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
    rows = rows_of(written)
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
    head = ["Judge", "Article", "System", "Numeral accuracy", "Readability"]
    rows = [("Ada", 1, "A", 2, 5), ("Ada", 1, "B", 0, 4), ("Bo", 1, "A", 1, 3), ("Bo", 1, "B", None, 2)]
    data = io.BytesIO()
    pd.DataFrame(rows, columns=head).to_excel(data, index=False)
    back = read_ratings(data.getvalue(), "outside.xlsx", FORM)
    assert back.judges == ("Ada", "Bo")
    np.testing.assert_array_equal(back.values[:, 0, 0], [[2, 0], [1, np.nan]])
    assert np.isnan(back.values[:, 1]).all()


def test_lines_about_nothing_are_passed_over():
    data = b"judge,article,system,readability\n,,,\nAda,1,A,3\n,,,\nADA,1,B,4\n"
    ratings = read_ratings(data, "x.csv", FORM)
    assert ratings.judges == ("Ada",)
    np.testing.assert_array_equal(ratings.values[0, 2, 0], [3, 4])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("article,system,judge\n1,A,x\n", "has no column with answers"),
        ("judge,readability\nx,3\n", "does not say which headlines"),
        ("judge,article,system,readability\nx,1,A,six\n", "has 'six' in the column readability"),
        ("judge,article,system,readability\n,1,A,3\n", "Row 1 of x.csv has no judge"),
        ("judge,article,system,readability\nx,1,A,3\nX,1,A,4\n", "two different answers"),
        ("judge,article,system,reasonableness\nx,1,A,1\nx,1,B,1\n", "gives 0 headlines 2"),
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
