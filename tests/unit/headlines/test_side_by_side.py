from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.headlines.comparison.compare import compare
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.report import as_csv, as_latex
from core.headlines.comparison.table import table
from core.headlines.duels import (
    MEAN,
    SPREAD,
    ArticleMeasure,
    blinded_comparison,
    found,
    haystack,
    letter,
    marks_against,
    own_marks,
    shuffled,
    traced,
    within,
)
from core.headlines.reruns import GivenFile, load_given
from core.headlines.writing import title_of
from core.runtime import Runtime
from core.text.differences import MarkKind

ARTICLES = articles_of(
    "two",
    ["The council of Leeds banned 12 cars on Monday.", "Rain is expected in Rome for 3 days."],
    references=[("Leeds Bans 12 Cars",), ("Rain for Rome",)],
)
SYSTEMS = (
    Outputs(system="alpha", headlines=("Leeds bans 12 cars", "Rain in Rome"), source="a.txt"),
    Outputs(system="bravo", headlines=("Leeds bans 14 cars", "Sun in Milan"), source="b.txt"),
    Outputs(system="charlie", headlines=("", "Rain in Rome"), source="c.txt"),
)


@given(st.lists(st.text(min_size=1), unique=True, max_size=8), st.text(max_size=8))
def test_a_shuffle_is_stable_and_whole(systems: list[str], article: str) -> None:
    order = shuffled(systems, article)
    assert sorted(order) == list(range(len(systems)))
    assert order == shuffled(systems, article)


@pytest.mark.parametrize(
    ("place", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_letters(place: int, name: str) -> None:
    assert letter(place) == name


def test_a_blind_comparison_names_nobody_and_keeps_every_figure(tmp_path: Path) -> None:
    open_one = compare(ARTICLES, SYSTEMS, ["rouge", "novelty"], Runtime(cache=tmp_path))
    blind = blinded_comparison(open_one)
    assert blind.systems == ("System 1", "System 2", "System 3")
    for key in ("rouge1", "novel_words"):
        assert sorted(map(str, blind.scores(key).tolist())) == sorted(map(str, open_one.scores(key).tolist()))
    by_headlines = {one.headlines: row for row, one in enumerate(open_one.outputs)}
    for row, one in enumerate(blind.outputs):
        true = by_headlines[one.headlines]
        np.testing.assert_array_equal(blind.scores("rouge1")[row], open_one.scores("rouge1")[true])
        np.testing.assert_array_equal(
            blind.measured[0].resampled[:, row], open_one.measured[0].resampled[:, true]
        )
    shown = table(blind)
    for text in (as_csv(blind, shown), as_latex(blind, shown), as_json(blind, shown), scores_csv(blind)):
        assert not any(word in text for one in SYSTEMS for word in (one.system, one.source))


def test_measures_join_systems() -> None:
    values = np.array([[0.2, np.nan, 0.5], [0.6, np.nan, np.nan]])
    measure = ArticleMeasure("m", "M", values)
    names = ["alpha", "bravo"]
    np.testing.assert_allclose(measure.of(MEAN, names), [0.4, np.nan, 0.5])
    np.testing.assert_allclose(measure.of(SPREAD, names), [0.4, np.nan, 0.0])
    np.testing.assert_allclose(measure.of("bravo", names), [0.6, np.nan, np.nan])
    np.testing.assert_allclose(measure.of("gone", names), measure.of(MEAN, names))
    assert within(measure.of(MEAN, names), 0.4, 0.45).tolist() == [True, False, False]


def test_search_finds_all_words_anywhere() -> None:
    hay = haystack(ARTICLES, SYSTEMS)
    assert found(hay, "").tolist() == [True, True]
    assert found(hay, "LEEDS council").tolist() == [True, False]
    assert found(hay, "milan").tolist() == [False, True]
    assert found(hay, "leeds rome").tolist() == [False, False]


def test_marks_are_what_no_other_system_has() -> None:
    texts = ("Leeds bans 12 cars", "Leeds bans 14 cars today", "Leeds bans 12 lorries", "")
    shown = [
        [(text[m.start : m.end], m.kind) for m in marks]
        for text, marks in zip(texts, own_marks(texts), strict=True)
    ]
    assert shown[0] == [("12", MarkKind.CONFLICTING_NUMBER)]
    assert ("today", MarkKind.ADDED_WORD) in shown[1]
    assert ("lorries", MarkKind.ADDED_WORD) in shown[2]
    assert shown[3] == []
    assert own_marks(("alone",)) == ((),)


def test_unsupported_names_and_numbers_are_counted() -> None:
    held = traced(ARTICLES, SYSTEMS, Runtime())
    np.testing.assert_array_equal(held.unsupported, [[0, 0], [1, 0], [np.nan, 0]])


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("first_sentence.v1|most_words:0", "First sentence"),
        ("textrank.v1", "TextRank"),
        ("mbart.v1", "mBART"),
    ],
)
def test_generators_have_names_for_people(signature: str, name: str) -> None:
    assert title_of(signature) == name


def lines(rows: list[tuple[str, str, str]]) -> bytes:
    keys = ("id", "system", "headline")
    return "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows).encode()


TABLE = b"id,text,summary\n7,The council of Leeds banned 12 cars.,Leeds Bans Cars\n9,Rain in Rome.,Rain\n"


def test_articles_and_systems_are_loaded_together() -> None:
    loaded = load_given(
        GivenFile("news.csv", TABLE),
        [
            GivenFile("alpha.txt", b"Leeds bans cars\nRain in Rome\n"),
            GivenFile("two.jsonl", lines([("9", "bravo", "Rain"), ("7", "bravo", "Cars")])),
        ],
    )
    assert loaded.problems == ()
    assert loaded.articles is not None
    assert loaded.articles.ids == ("7", "9")
    assert [(one.system, one.headlines) for one in loaded.outputs] == [
        ("alpha", ("Leeds bans cars", "Rain in Rome")),
        ("bravo", ("Cars", "Rain")),
    ]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (GivenFile("short.txt", b"one headline\n"), "1 headlines for the 2 articles"),
        (GivenFile("ids.jsonl", b'{"id": "7", "headline": "a"}\n{"id": "8", "headline": "b"}\n'), "'9'"),
        (GivenFile("twice.jsonl", b'{"id": "7", "headline": "a"}\n{"id": "7", "headline": "b"}\n'), "twice"),
        (GivenFile("empty.csv", b""), "empty"),
    ],
)
def test_one_bad_file_and_nothing_is_loaded(file: GivenFile, said: str) -> None:
    good = GivenFile("alpha.txt", b"Leeds bans cars\nRain in Rome\n")
    loaded = load_given(GivenFile("news.csv", TABLE), [good, file])
    assert loaded.articles is None
    assert loaded.outputs == ()
    assert [said in problem.message for problem in loaded.problems] == [True]


def test_differences_are_those_from_the_original_headline() -> None:
    original, same, other = "Fire in Leeds kills 3", "Fire in Leeds kills 3", "Fire in Leeds kills 4"
    marks = marks_against(original, (same, other, ""))
    assert marks[0] == marks[2] == ()
    assert [(other[each.start : each.end], each.kind) for each in marks[1]] == [
        ("4", MarkKind.CONFLICTING_NUMBER)
    ]


@pytest.mark.parametrize(
    ("article", "red"),
    [
        ("The fire in Leeds killed 3 people; 4 people were hurt.", True),
        ("The fire in Leeds killed 4 people.", False),
        ("The fire in Leeds killed many people.", True),
    ],
)
def test_a_number_that_the_article_has_is_no_mistake(article: str, red: bool) -> None:
    (marks,) = marks_against("Fire in Leeds kills 3 people", ("Fire in Leeds kills 4 people",), article)
    assert [each.kind is MarkKind.CONFLICTING_NUMBER for each in marks] == [red]


def test_shuffles_differ_between_articles_and_favour_no_system() -> None:
    firsts = [shuffled(["a", "b", "c"], str(article))[0] for article in range(3000)]
    assert np.bincount(firsts).min() > 900
