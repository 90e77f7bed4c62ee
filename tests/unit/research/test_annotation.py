"""Expressions that people write for numbers of headlines: laid out, validated, agreed on."""

import numpy as np
import pandas as pd
import pytest

from core.data.articles.articles import articles_of
from core.data.timelines.tables import read_table
from core.errors import InputError
from research.benchmark.numerals.annotation import gathered, questions, sheet

ARTICLES = articles_of(
    "desk",
    [
        "The bridge opened in 1979 and fell in 2018. Seven people were hurt.",
        "Seven people were hurt at the pier on Monday, police said.",
        "Nothing was said of how many came to the concert.",
        "The mayor spoke.",
    ],
    ids=["a", "b", "c", "d"],
    references=[["Bridge Falls After 39 Years"], ["7 Hurt at Pier"], ["Concert Draws 900"], ["Mayor Speaks"]],
)


def filled(answers):
    """The sheet with answers by question and judge, read as a file of theirs."""
    table = sheet(ARTICLES, judges=3)
    for row, line in table.iterrows():
        table.loc[row, ["expression", "unanswerable"]] = answers.get((line["id"], line["judge"]), ("", ""))
    return [read_table(table.to_csv(index=False).encode(), "sheet.csv")]


def test_a_sheet_asks_each_judge_every_number_once_and_hides_it():
    table = sheet(ARTICLES, judges=3)
    assert sorted(table["id"]) == ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    assert set(table["cloze"]) == {"Bridge Falls After ____ Years", "____ Hurt at Pier", "Concert Draws ____"}
    assert (
        not table.drop(columns="text")
        .astype(str)
        .apply(lambda cells: cells.str.contains("39|900"))
        .any(axis=None)
    )
    assert len({tuple(own) for _, own in sheet(ARTICLES, judges=9).groupby("judge")["id"]}) > 1
    assert questions(ARTICLES)["a"] == (0, "Bridge Falls After ____ Years", "39")
    with pytest.raises(InputError, match="No article"):
        sheet(articles_of("empty", ["A text."]), judges=3)


def test_what_two_judges_agree_on_is_gold_and_what_is_wrong_is_said():
    gold, table, refused = gathered(
        ARTICLES,
        filled(
            {
                ("a", "1"): ("Subtract( 2018 , 1979 )", ""),
                ("a", "2"): ("Subtract(2018, 1979)", ""),
                ("a", "3"): ("Copy( 39 )", ""),  # the article has no 39
                ("b", "1"): ("Trans( seven )", ""),
                ("b", "2"): ("Copy( 8 )", ""),  # another number
                ("b", "3"): ("Trans( ", ""),  # no expression
                ("c", "1"): ("", "no number is given"),
                ("c", "2"): ("", "it is not said"),
            }
        ),
    )
    answers = dict(zip(gold["id"], gold["cloze_annotation"], strict=True))
    assert answers == {"a": "Subtract( 2018 , 1979 )", "c": ""}
    assert gold.set_index("id").loc["a", ["cloze_gt", "need_reasoning"]].tolist() == ["39", 1]
    counts = {row[0]: row[1] for row in table.rows}
    assert counts["refused"] == 3
    assert counts["questions on which 2 judges agree"] == 2
    assert (counts["Subtract"], counts["no answer"]) == (1, 1)
    assert (counts["expressions"], counts["unanswerable"], counts["left empty"]) == (3, 2, 1)
    assert len(refused) == 3
    assert any("b, judge 2" in line and "8" in line for line in refused)


def test_a_sheet_of_other_articles_or_columns_is_refused():
    strange = pd.DataFrame(
        {"id": ["x"], "judge": ["1"], "expression": ["Copy( 1 )"], "unanswerable": [np.nan]}
    )
    with pytest.raises(InputError, match="No row answers"):
        gathered(ARTICLES, [read_table(strange.to_csv(index=False).encode(), "other.csv")])
    short = strange.drop(columns="judge")
    with pytest.raises(InputError, match="lacks"):
        gathered(ARTICLES, [read_table(short.to_csv(index=False).encode(), "short.csv")])
