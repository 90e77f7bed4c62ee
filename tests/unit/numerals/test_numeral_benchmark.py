"""The benchmark of numerals on rows and verdicts made by hand: what is counted, and how it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from components.headlines.numerals.lights import worth
from core.data.articles.blanks import Blanks
from core.numerals.checked_headline import CheckedHeadline, CheckedNumeral, Derivation, Light
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.parse import parse_expression
from core.numerals.question import blank_of, question_at, questions_of, read_article
from core.numerals.worth import OURS, UNSEEN, light_worth
from core.parts import Part
from core.runtime import Runtime
from research.benchmark.numerals.baselines import BASELINES, fitting_answers, read_articles
from research.benchmark.numerals.figures import (
    Figures,
    OpenedRows,
    cells_of,
    compare_fillings,
    filling,
    ranking,
    same_number,
    share,
)
from research.benchmark.numerals.run import derived
from research.benchmark.numerals.sets import NumeralRows, find_set, rows_of
from research.benchmark.numerals.tables import FILE, NumeralBenchmark
from research.benchmark.results import BenchmarkSet, BenchmarkSystem
from tests.unit.numerals.numerals_by_hand import claim

GIVEN = (
    ("Seven men and 40 women met. 12 left.", "____ Men Meet", "7", "Trans( seven )", "reasoning"),
    ("It lost $65,000 and $3 million.", "Bank Loses $____K", "65", "Paraphrase( 65,000 , K )", "reasoning"),
    ("Police shot 11 people on Monday and 4 more.", "____ Shot", "11", "Copy( 11 )", "copy"),
    ("In 1999, 28% of 500 people said no.", "____% Say No", "28", "Copy( 28 )", "copy"),
)
"""Article, headline with a blank, answer, annotation, operation."""


@pytest.fixture(scope="module")
def rows() -> NumeralRows:
    texts, headlines, answers, annotations, operations = zip(*GIVEN, strict=True)
    n = len(GIVEN)
    ids, parts = tuple(map(str, range(n))), (Part.TEST,) * n
    blanks = Blanks("numhg", ids, texts, headlines, answers, annotations, parts, operations)
    return rows_of(blanks, list(range(n)))


@pytest.fixture(scope="module")
def scope(rows: NumeralRows) -> OpenedRows:
    articles = read_articles(rows.given.texts, Runtime())
    questions = [question_at(*one) for one in zip(rows.headlines, articles, rows.starts, strict=True)]
    return OpenedRows(find_set("numhg"), rows, questions, resamples=100)


class ByHeart:
    """A judge that knows the right headlines by heart."""

    def __init__(self, rows: NumeralRows) -> None:
        self._golds = dict(zip(rows.headlines, rows.golds, strict=True))

    def check(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[CheckedHeadline]:
        return [self._one(*pair) for pair in zip(headlines, articles, strict=True)]

    def _one(self, headline: str, text: str) -> CheckedHeadline:
        article = read_article(text)
        way = DerivationCandidate(self._golds[headline], (), Fraction(0), "", "other")
        numerals = tuple(
            CheckedNumeral(question.numeral, claim(Light.FOUND), (Derivation(way, 0.9),), None)
            for question in questions_of(headline, article)
            if question.numeral is not None
        )
        return CheckedHeadline(headline, article, numerals, "by heart")


def value(found: Figures, name: str, part: str = "") -> float | None:
    return found[part][name].value


def test_ranking_counts_same_and_equivalent_expressions(scope: OpenedRows) -> None:
    def way(text: str, worth: int) -> DerivationCandidate:
        return DerivationCandidate(parse_expression(text), (), Fraction(worth), "", "other")

    ranked = [
        [way("Copy( 7 )", 7), way("Trans( Seven )", 7)],
        [way("Paraphrase( 65000 , K )", 65)],
        [],
        [way(f"Add( {28 - less} , {less} )", 28) for less in (14, 1, 2)] + [way("Copy( 28 )", 28)],
    ]
    cells = ranking(scope, ranked)
    assert value(cells, "first") == 0.25
    assert value(cells, "first", "operation: reasoning") == 0.5
    assert value(cells, "first", "operator: Paraphrase") == 1
    assert value(cells, "first_three") == 0.5
    assert value(cells, "equivalent") == 0.5
    assert value(cells, "equivalent", "operator: Copy") == 0
    kinds = {part for part in cells if part.startswith("kind: ")}
    assert kinds == {f"kind: {kind}" for kind in ("count", "money", "percent")}


def test_filling_is_sign_for_sign_and_by_value(scope: OpenedRows) -> None:
    cells, right = filling(scope, ["7", "65.0", "12", " 28 "], np.arange(4))
    assert right.tolist() == [True, False, False, True]
    assert (value(cells, "right"), value(cells, "equal")) == (0.5, 0.75)
    assert same_number("1,200", "1200")
    assert not same_number("1/0", "1")
    assert same_number("9-11", "9-11")


def test_a_judge_that_knows_all_reaches_the_top(scope: OpenedRows) -> None:
    cells = derived(ByHeart(scope.rows), scope, Runtime())
    assert [value(cells, name) for name in ("first", "equivalent", "first_three")] == [1, 1, 1]


def test_duels_are_mcnemar_with_holm() -> None:
    one = np.array([True] * 10)
    other = np.array([False] * 9 + [True])
    third = np.array([True] * 9 + [False])
    every = np.arange(10)
    found = compare_fillings("numhg", [("one", every, one), ("other", every, other), ("third", every, third)])
    assert [(one.one, one.other, one.wins, one.losses) for one in found] == [
        ("one", "other", 9, 0),
        ("one", "third", 1, 0),
        ("other", "third", 1, 9),
    ]
    assert found[0].difference.p == pytest.approx(2 / 2**9)
    assert found[0].corrected == pytest.approx(3 * 2 / 2**9)


@pytest.fixture(scope="module")
def benchmark(scope: OpenedRows) -> NumeralBenchmark:
    heart = derived(ByHeart(scope.rows), scope, Runtime())
    filled, right = filling(scope, ["7", "65", "12", "28"], np.arange(4))
    heart = {part: heart[part] | filled[part] for part in heart}
    base, wrong = filling(scope, ["2", "2", "2", "28"], np.arange(4))
    signature = "headline-lab · set:numhg · part:test · heart.v1 · seed:0 · resamples:100"
    return NumeralBenchmark(
        date="2026-01-01",
        program="headline-lab",
        machine={"cores": 2, "processor": "x"},
        seed=0,
        resamples=100,
        settings={"part": "test"},
        sets=(
            BenchmarkSet(key="numhg", name="NumHG & more", count=4, whole=4, units=4),
            BenchmarkSet(key="numeval", name="SemEval", why_not="It is not here."),
        ),
        systems=(*BASELINES, BenchmarkSystem(key="heart", name="By|heart", signature="heart.v1")),
        cells=(
            *cells_of("numhg", "heart", heart, signature=signature),
            *cells_of("numhg", "majority", base, signature="majority"),
        ),
        comparisons=compare_fillings(
            "numhg", [("heart", np.arange(4), right), ("majority", np.arange(4), wrong)]
        ),
    )


def test_every_form_tells_the_same(benchmark: NumeralBenchmark) -> None:
    text, page, latex = benchmark.as_text(), benchmark.as_markdown(), benchmark.as_latex()
    assert "SemEval: It is not here." in text
    assert "75.0 [" in text
    assert r"By\|heart" in page
    tables = [block.splitlines() for block in page.split("\n\n") if block.startswith("|")]
    assert all(len({line.replace(r"\|", "").count("|") for line in table}) == 1 for table in tables)
    lines = list(csv.DictReader(io.StringIO(benchmark.as_csv())))
    assert len(lines) == sum(len(cell.figures) for cell in benchmark.cells)
    right = [line for line in lines if (line["measure"], line["group"]) == ("right", "all")]
    assert {line["system"]: line["value"] for line in right} == {"heart": "0.75", "majority": "0.25"}
    assert r"NumHG \& more" in latex
    assert r"\textbf{75.0}" in latex
    assert r"\textbf{25.0}" not in latex
    assert FILE.from_json(FILE.to_json(benchmark)) == benchmark


def test_what_is_undefined_says_why() -> None:
    nothing = np.empty(0)
    none = np.empty(0, dtype=np.int64)
    assert share(nothing.astype(np.bool_), none).reason == "there are no such rows"
    one = share(np.array([True, False]), np.array([5, 5]))
    assert (one.value, one.low) == (0.5, None)


TEXT = "(Sep 25, 2016) Seven men, 7 women and a 12-year-old stole $65,000, 28% of $3 million, on the 3rd day."


@pytest.mark.parametrize(
    ("blank", "wanted"),
    [
        ("Gang Steals $____K", ["65", "3,000"]),
        ("____% of Money Gone", ["28"]),
        ("____-Year-Old Steals", ["12"]),
    ],
)
def test_the_signs_beside_a_blank_choose(blank: str, wanted: list[str]) -> None:
    assert fitting_answers(blank_of(blank, read_article(TEXT))) == wanted


def test_all_numbers_where_nothing_is_asked_for_but_none_of_the_dateline() -> None:
    found = fitting_answers(blank_of("Gang of ____ Caught", read_article(TEXT)))
    assert found[:3] == ["7", "7", "12"]
    assert "25" not in found
    assert "2016" not in found
    assert fitting_answers(blank_of("____ Left", read_article("Nothing here."))) == []


def stored(folder: Path, day: str, red: int) -> None:
    rows = [
        {"system": OURS, "set": UNSEEN, "kind": "true", "headlines": 40, "green": 9, "found": 28, "red": 1},
        {
            "system": OURS,
            "set": UNSEEN,
            "kind": "false",
            "headlines": 60,
            "green": 1,
            "found": 28,
            "red": red,
        },
        {"system": "digits occur", "set": UNSEEN, "kind": "true", "headlines": 40, "green": 1},
    ]
    path = folder / f"claims-{day}.json"
    path.write_text(json.dumps({"rows": rows, "date": day}), encoding="utf-8")


def test_the_newest_result_says_what_green_and_red_are_worth(tmp_path: Path) -> None:
    stored(tmp_path, "2026-11-01", 4)
    stored(tmp_path, "2026-11-02", 19)
    found = light_worth(tmp_path)
    assert found is not None
    assert worth(found) == {
        Light.SUPPORTED: ("9 of 10 true", "9 of 10 true"),
        Light.FOUND: ("5 of 10 true", "28 of 56 true"),
        Light.WRONG: ("10 of 10 false", "19 of 20 false"),
    }
    assert worth(found._replace(found=2_000))[Light.FOUND][1] == "28 of 2,000 true"
    assert worth(None) == {}
