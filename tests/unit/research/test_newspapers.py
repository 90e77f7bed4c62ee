"""The newspaper of an article as a variable of the scores."""

import numpy as np
import pytest

from core.data.timelines.tables import read_table
from core.errors import InputError
from core.people.evaluation_task import make_task
from core.people.forms import form_of
from core.people.rating_files import ratings_csv
from core.people.ratings import Ratings
from research.benchmark.headlines.newspapers import newspaper_table, newspapers_in

FORM = form_of("scale.v1")


def rated(effect, *, articles=40, judges=6, seed=0):
    """Scores 1 to 5 of two systems; the first gets `effect` points more on articles of the even rows."""
    random = np.random.default_rng(seed)
    rows = range(articles)
    headlines = [[f"x{n}", f"y{n}"] for n in rows]
    task = make_task("desk", [f"a{n}" for n in rows], ["ours", "theirs"], headlines)
    values = random.normal(3, 0.5, (judges, 1, articles, 2)) + random.normal(0, 0.3, (judges, 1, 1, 1))
    values[:, :, ::2, 0] += effect
    values = np.clip(np.round(values), 1, 5)
    return Ratings(form=FORM, task=task, judges=tuple("abcdefghij"[:judges]), values=values)


def papers_csv(articles=40):
    rows = "".join(f"a{n},{'Post' if n % 2 == 0 else 'Herald'}\n" for n in range(articles))
    return f"article,newspaper\n{rows}".encode()


def papers(articles=40):
    return read_table(papers_csv(articles), "papers.csv")


def gaps(ratings):
    table = newspaper_table(ratings, newspapers_in(papers(), "papers.csv", ratings))
    return {row[1:3]: (row[4], row[5]) for row in table.rows}


def test_a_newspaper_moves_one_system_and_not_the_other():
    found = gaps(rated(1.0))
    score, gap = found["ours", "Post"]
    assert score.value > found["ours", "Herald"][0].value
    assert gap.value == pytest.approx(score.value - found["ours", "Herald"][0].value)
    assert gap.low > 0
    assert found["ours", "Herald"][1].value == pytest.approx(-gap.value)
    other = found["theirs", "Post"][1]
    assert other.low < 0 < other.high


def test_the_command_splits_the_table_by_newspaper(command, tmp_path):
    (tmp_path / "papers.csv").write_bytes(papers_csv())
    (tmp_path / "ratings.csv").write_text(ratings_csv(rated(1.0)), encoding="utf-8")
    given = (tmp_path / "ratings.csv", "--form", "scale", "--by", tmp_path / "papers.csv")
    code, out, err = command("evaluate", "table", *given)
    assert (code, "Herald" in out) == (0, True), err


def test_without_an_effect_few_intervals_leave_out_zero():
    figures = [gaps(rated(0.0, seed=seed))["ours", "Post"][1] for seed in range(60)]
    alarms = sum(not gap.low <= 0 <= gap.high for gap in figures)
    assert alarms <= 9  # 5 % of 60 are 3; 10 and more come once in 1,500 such counts


def test_articles_without_a_newspaper_are_named():
    ratings = rated(0.0, articles=4)
    with pytest.raises(InputError, match="2 articles have no newspaper"):
        newspapers_in(papers(2), "papers.csv", ratings)
    with pytest.raises(InputError, match="lacks newspaper"):
        newspapers_in(read_table(b"article,paper\na0,Post\n", "papers.csv"), "papers.csv", ratings)
    one = "".join(f"a{n},Post\n" for n in range(4))
    with pytest.raises(InputError, match="one newspaper"):
        newspapers_in(read_table(f"article,newspaper\n{one}".encode(), "papers.csv"), "papers.csv", ratings)
