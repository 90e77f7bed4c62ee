"""Ratings: the arithmetic of the paper, a table worked by hand, what is refused, what is put together."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import InputError
from core.people.evaluation import as_csv, as_json, as_latex, as_text, notes, ratings_table
from core.people.ratings import Ratings, check_ratings, drawn, empty_ratings, judge_name, make_task, merge
from tests.unit.people.by_hand import FORM, ratings_of, task_of

NAN = np.nan


def with_points(totals: Sequence[int], articles: int = 100) -> Ratings:
    """Judges who give the one system so many points of numeral accuracy in all."""
    task = task_of(articles, ("BART",))
    ratings = empty_ratings(FORM, task, [f"judge {number}" for number in range(len(totals))])
    for judge, total in enumerate(totals):
        twos, ones = divmod(total, 2)
        ratings.values[judge, 0, :, 0] = [2] * twos + [1] * ones + [0] * (articles - twos - ones)
    return ratings


def test_the_paper_s_example_is_59_2() -> None:
    """Five judges whose points add up to 118.4 on average, over 200."""
    share = ratings_table(with_points([118, 119, 118, 118, 119])).shares[0][0]
    assert share.points == pytest.approx(118.4)
    assert share.most == 200
    assert share.value == pytest.approx(0.592)
    assert share.low is not None
    assert share.low < 0.592 < (share.high or 0)
    assert "59.2 [" in as_text(ratings_table(with_points([118, 119, 118, 118, 119])))


def test_a_table_worked_by_hand() -> None:
    ratings = ratings_of(
        task_of(2, ("A", "B", "C")),
        {
            "one": [[[2, 1, 0], [3, 2, 1], [5, 4, 1]], [[2, 0, 0], [1, 2, 3], [5, 1, 1]]],
            "two": [[[2, 2, 0], [3, 1, 2], [4, 4, 2]], [[1, 0, 0], [2, 3, 1], [5, 2, 1]]],
        },
    )
    table = ratings_table(check_ratings(ratings))
    values = [[share.value for share in line] for line in table.shares]
    assert values == [
        [pytest.approx(7 / 8), pytest.approx(9 / 12), pytest.approx(19 / 20)],
        [pytest.approx(3 / 8), pytest.approx(8 / 12), pytest.approx(11 / 20)],
        [pytest.approx(0 / 8), pytest.approx(7 / 12), pytest.approx(5 / 20)],
    ]
    assert table.shares[0][1].points == pytest.approx(4.5)
    assert [share.most for share in table.shares[0]] == [4, 6, 10]
    assert table.judged == (2, 2)


def test_an_interval_holds_for_other_articles_and_other_judges() -> None:
    """Where judges agree, it is nearly that of articles drawn with replacement, and else it is wider."""
    ratings = with_points([118, 119, 118, 118, 119])
    share = ratings_table(ratings).shares[0][0]
    points = ratings.values[:, 0, :, 0].sum(axis=0)
    generator = np.random.default_rng(1)
    draws = points[generator.integers(0, 100, (20_000, 100))].sum(axis=1) / 1000
    assert (share.low, share.high) == pytest.approx(np.percentile(draws, [2.5, 97.5]), abs=0.01)
    strict = ratings_table(with_points([78, 159, 118, 98, 139])).shares[0][0]
    assert strict.value == pytest.approx(share.value)
    assert strict.low is not None
    assert strict.low < (share.low or 0) - 0.05


def test_one_judge_or_two_are_said_to_be_too_few() -> None:
    for judges, marked in ((2, True), (3, False)):
        share = ratings_table(with_points([118] * judges)).shares[0][0]
        assert share.low is not None
        assert ("judges" in share.warning) == marked


def test_missing_answers_are_counted_and_never_0() -> None:
    ratings = ratings_of(
        task_of(2),
        {
            "one": [[[2, NAN], [2, 1], [NAN, 3]], [[2, 0], [2, NAN], [NAN, 3]]],
            "two": [[[NAN, NAN], [NAN, NAN], [NAN, NAN]], [[2, 1], [1, 2], [NAN, 5]]],
        },
    )
    table = ratings_table(check_ratings(ratings))
    first, second = table.shares
    assert (first[0].value, first[0].count, first[0].missing, first[0].points) == (1.0, 3, 1, None)
    assert second[0].value == pytest.approx(1 / 4)
    # The order of the second article lacks a place for the one judge: it does not count at all.
    assert (first[1].value, first[1].count, first[1].missing) == (pytest.approx(3 / 4), 2, 2)
    assert first[2].value is None
    assert first[2].reason
    assert (first[2].low, first[2].count, first[2].missing) == (None, 0, 4)
    assert "Missing answers: 3 for Num Acc., 4 for Reasonableness, 5 for Readability." in " ".join(
        notes(table)
    )
    assert json.loads(as_json(table))["systems"][0]["scores"]["readability"]["value"] is None


def test_few_articles_are_told_in_every_form() -> None:
    table = ratings_table(
        check_ratings(ratings_of(task_of(2), {"one": [[[2, 1], [2, 1], [1, 3]], [[2, 0], [2, 1], [1, 3]]]}))
    )
    told = "Too few articles for a reliable interval (2; it takes at least 10)."
    for form in (as_text, as_csv, as_latex, as_json):
        assert told in form(table)
    assert "] †" in as_text(table)


def test_few_articles_that_all_got_the_same_have_no_interval() -> None:
    (share, *_), *_ = ratings_table(with_points([8], articles=4)).shares
    assert (share.value, share.low, share.high) == (1.0, None, None)
    assert share.warning == "All 4 articles have the same value: too few for an interval."
    assert "[" not in as_text(ratings_table(with_points([8], articles=4))).partition("\n\n")[0]


def test_one_article_has_no_interval_and_none_no_value() -> None:
    one = ratings_table(with_points([1], articles=1)).shares[0][0]
    assert (one.value, one.low, one.high) == (0.5, None, None)
    nothing = ratings_table(empty_ratings(FORM, task_of(0)))
    assert [share.value for line in nothing.shares for share in line] == [None] * 6
    assert "–" in as_text(nothing)


@pytest.mark.parametrize(
    ("question", "answers", "said"),
    [
        (0, [3, 1], "Num Acc. by Ada for the article 'a0' is 3."),
        (1, [2, 2], "gives two headlines the same place"),
        (1, [0, 1], "is 0."),
        (2, [0, 5], "Readability by Ada for the article 'a0' is 0."),
    ],
)
def test_answers_that_are_not_allowed_are_refused(question: int, answers: list[float], said: str) -> None:
    ratings = empty_ratings(FORM, task_of(1), ["Ada"])
    ratings.values[0, question, 0] = answers
    with pytest.raises(InputError, match=r"Give (a whole|each)") as told:
        check_ratings(ratings)
    assert said in told.value.message


def test_files_of_several_judges_are_put_together() -> None:
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


def test_one_name_with_two_answers_is_refused() -> None:
    first, second = (empty_ratings(FORM, task_of(1), [name]) for name in ("Ada", "ADA"))
    first.values[0, 2, 0] = [4, NAN]
    second.values[0, 2, 0] = [4, 5]
    assert merge([first, second]).values[0, 2, 0].tolist() == [4, 5]
    second.values[0, 2, 0] = [3, 5]
    with pytest.raises(InputError, match="two different answers"):
        merge([first, second])


def test_other_systems_and_other_headlines_are_refused() -> None:
    with pytest.raises(InputError, match="different systems"):
        merge([empty_ratings(FORM, task_of(1, ("A", "B"))), empty_ratings(FORM, task_of(1, ("A", "C")))])
    other = make_task("other", ["a0"], ("A", "B"), [["A on a0", "something else"]])
    with pytest.raises(InputError, match="different headlines for the article 'a0'"):
        merge([empty_ratings(FORM, task_of(1)), empty_ratings(FORM, other)])


def test_the_published_rows_stand_beside() -> None:
    table = ratings_table(with_points([118]))
    assert table.paper is not None
    assert len(table.paper.columns) - 1 == len(FORM.questions)
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    brio = rows[-1]
    assert (brio["system"], brio["numeral_accuracy"], brio["reasonableness"], brio["readability"]) == (
        *("BRIO", "0.791", "0.652", "0.635"),
    )
    assert brio["source"].startswith("published: Huang et al. 2023")
    assert "BART (published) & 59.2 & 43.9 & 53.7" in as_latex(table)
    percent = json.loads(as_json(table))["published"]["systems"][1]["percent"]
    assert list(percent.values()) == [53.9, 52.1, 55.9]


def test_fewer_articles_are_the_first_of_more_and_keep_the_fingerprint() -> None:
    task = task_of(50)
    few, many = drawn(task, 10, seed=3), drawn(task, 40, seed=3)
    assert few.articles == many.articles[:10]
    assert few.fingerprint == many.fingerprint == task.fingerprint
    assert few.articles != drawn(task, 10, seed=4).articles
    assert sorted(drawn(task, 99).articles) == sorted(task.articles)
    row = task.articles.index(few.articles[0])
    assert few.item(0, "B") == task.item(row, "B")
    assert few.headlines[0] == task.headlines[row]


def test_judges_have_names_that_can_be_kept() -> None:
    assert judge_name("  A\u202eda \n L. ") == "Ada L."
    for name in ("", " \u200b ", "x" * 61):
        with pytest.raises(InputError, match="name"):
            judge_name(name)
