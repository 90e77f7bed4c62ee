"""Files of headlines beside their articles: aligned by id or by line, or refused in one sentence."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.comparison_file import parse_comparison
from core.data.articles.load import load_articles
from core.data.articles.outputs import load_outputs, parse_outputs
from core.errors import DataSourceError, InputError
from tests.unit.data.articles.test_article_file import as_csv, as_jsonl

TEXTS = ["The first article.", "The second article.", "The third article."]


@pytest.fixture
def named():
    return articles_of("news", TEXTS, ids=["a", "b", "c"])


@pytest.fixture
def numbered():
    return articles_of("news", TEXTS)


def headlines(data, name, articles):
    return {one.system: one.headlines for one in parse_outputs(data, name, articles)}


def refused(data, name, articles):
    with pytest.raises(InputError) as error:
        parse_outputs(data, name, articles)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_line_a_headline(numbered, end):
    data = f"One{end}\u2028Two  b{end}Three{end}".encode()
    assert headlines(data, "bart.txt", numbered) == {"bart": ("One", "Two b", "Three")}
    assert headlines(f"One{end}{end}Three".encode(), "a.txt", numbered) == {"a": ("One", "", "Three")}


@pytest.mark.parametrize("count", [1, 4])
def test_another_number_of_lines_says_both(numbered, count):
    rows = as_csv([["headline", "system"], *[["x", "s"]] * count])
    for data, name in ((b"x\n" * count, "a.txt"), (rows, "a.csv")):
        assert f"{count} headlines for the 3 articles of news" in refused(data, name, numbered)


@pytest.mark.parametrize("column", ["headline", "prediction", "title"])
def test_rows_find_their_articles_by_id(named, column):
    rows = [["id", column], ["c", "Three"], ["a", "One"], ["b", "Two"]]
    assert headlines(as_csv(rows), "bart.csv", named) == {"bart": ("One", "Two", "Three")}
    objects = [{"id": key, column: value} for key, value in rows[1:]]
    assert headlines(as_jsonl(*objects), "bart.jsonl", named) == {"bart": ("One", "Two", "Three")}


def test_ids_missing_on_one_side_are_counted_and_the_first_is_named(named):
    few = as_csv([["id", "headline"], ["a", "One"]])
    assert re.search("2 of the ids have no row.*first is 'b'", refused(few, "a.csv", named))
    more = as_csv([["id", "headline"], *([name, "x"] for name in "abcde")])
    assert re.search("2 of the ids are no ids.*first is 'd'", refused(more, "a.csv", named))


def test_systems_below_each_other(named):
    rows = [["system", "id", "headline"]]
    rows += [[system, key, f"{system} {key}"] for key in "bca" for system in ("t5", "bart")]
    data = as_csv(rows)
    systems = {system: tuple(f"{system} {key}" for key in "abc") for system in ("t5", "bart")}
    assert headlines(data, "all.csv", named) == systems


@pytest.mark.parametrize("prefix", ["", "pred_", "prediction_"])
def test_a_column_a_system_with_published_scores(named, prefix):
    header = ["id", "reference", f"{prefix}t5", "rougeL_t5", f"{prefix}bart", "rougeL_bart"]
    rows = [header, *[[key, "gold", f"T {key}", "0.5", f"B {key}", ""] for key in "cab"]]
    t5, bart = parse_outputs(as_csv(rows), "all.csv", named)
    assert (t5.system, t5.headlines, t5.source) == ("t5", ("T a", "T b", "T c"), "all.csv")
    assert t5.published["rougeL"].tolist() == [0.5, 0.5, 0.5]
    assert bart.headlines == ("B a", "B b", "B c")
    assert np.isnan(bart.published["rougeL"]).all()


def test_another_article_in_a_row_is_told(numbered):
    rows = [["text", "headline"], [TEXTS[0], "1"], [TEXTS[2], "3"], [TEXTS[1], "2"]]
    assert "Row 2 of a.csv holds another article" in refused(as_csv(rows), "a.csv", numbered)


def test_articles_and_systems_in_one_file():
    rows: list[Sequence[str]] = [["news", "reference", "pred_x", "score_x", "pred_y", "mine"]]
    rows += [[text, "gold", f"x{k}", f"0.{k}", f"y{k}", "z"] for k, text in enumerate(TEXTS)]
    read, outputs = parse_comparison(as_csv(rows), "two.csv")
    assert read.articles.references == (("gold",),) * 3
    assert [one.headlines for one in outputs] == [("x0", "x1", "x2"), ("y0", "y1", "y2")]
    assert outputs[0].published["score"].tolist() == [0.0, 0.1, 0.2]
    assert [one.unused for one in outputs] == [("mine",)] * 2


def test_what_the_write_command_made_is_articles_and_one_system():
    rows = [
        ["text", "summary", "headline", "headline_2"],
        *[[text, "gold", "ours", "more"] for text in TEXTS],
    ]
    read, (ours,) = parse_comparison(as_csv(rows), "pn.csv")
    assert read.articles.references == (("gold",),) * 3
    assert (ours.system, ours.headlines) == ("pn", ("ours",) * 3)


def test_the_semeval_predictions():
    try:
        articles = load_articles("numeval")
    except DataSourceError as error:
        pytest.skip(error.message)
    from core.runtime import data_folder

    path = data_folder() / "numeval2024" / "dev_headlines_two_systems.csv.gz"
    outputs = load_outputs(path, articles)
    assert [(one.system, len(one.headlines), sorted(one.published)) for one in outputs] == [
        ("michal", 2_365, ["bert_f1", "rougeL"]),
        ("cz", 2_365, ["bert_f1"]),
    ]
    assert outputs[0].published["rougeL"].mean() == pytest.approx(0.3787707, abs=1e-7)
    assert all(one.headlines[0] == one.headlines[0].strip() for one in outputs)
