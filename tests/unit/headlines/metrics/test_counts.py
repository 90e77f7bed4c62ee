"""Numeral accuracy, novelty, compression and duplication, by hand and against slow references."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.metrics.metric import HeadlineMetric, Written
from core.headlines.metrics.numerals import NumeralAccuracy, is_right
from core.headlines.metrics.wording import Compression, Duplication, Novelty
from core.runtime import Runtime


def each(metric: HeadlineMetric, written: Written) -> np.ndarray:
    return metric.values(metric.statistics(written, Runtime()))


@pytest.mark.parametrize(
    ("headline", "gold", "right"),
    [
        ("3 Killed in Quarry", "3", True),
        ("3 Killed, 6 Hurt", "3", False),  # a second number
        ("$1.5M Won", "1.5", True),
        ("1,200 Jobs Go", "1,200", True),
        ("1,200 Jobs Go", "1200", False),  # sign for sign
        ("1200 Jobs Go", "1,200", False),
        ("On 9/11 again", "9/11", True),
        ("A 3-2 Win", "3", False),
        ("Up 5%", "5", True),
        ("No number", "3", False),
        ("3rd Victim", "3", True),
        ("12,50 euros", "12", False),  # two numbers for the expression
        ("Room 10.", "10", True),
        ("", "3", False),
    ],
)
def test_numbers_by_hand(headline: str, gold: str, right: bool) -> None:
    assert is_right(headline, gold) == right


@given(st.text("0123456789,./ a", max_size=14), st.text("0123456789,.", min_size=1, max_size=6))
def test_numbers_are_the_official_rule(headline: str, gold: str) -> None:
    found = re.findall(r"\d{1,3}(?:,\d{3})+|\d+[\/\.]{0,1}\d+|\d+", headline)
    assert is_right(headline, gold) == (gold in found and len(found) == 1)


def test_numeral_accuracy_of_the_official_example(shared, make) -> None:
    """All five predictions of the example files hold one number, and it is the gold one."""
    folder = shared / "data/numhg"
    lines = {
        name: (folder / f"examples_{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("prediction", "number_gt", "number_type")
    }
    given = make(
        lines["prediction"],
        numbers=lines["number_gt"],
        operations=["copy" if kind == "0" else "reasoning" for kind in lines["number_type"]],
    )
    rows = NumeralAccuracy().statistics(given, Runtime())
    np.testing.assert_array_equal(rows[:, :3].sum(axis=0), [5, 3, 2])
    np.testing.assert_array_equal(NumeralAccuracy().values(rows.sum(axis=0)), [1, 1, 1])


def test_numeral_accuracy_apart(make) -> None:
    given = make(
        ["3 dead", "4 dead", "1 of 2", "7", "8"],
        numbers=["3", "5", "1", "", "8"],
        operations=["copy", "copy", "reasoning", "reasoning", ""],
    )
    rows = NumeralAccuracy().statistics(given, Runtime())
    np.testing.assert_allclose(NumeralAccuracy().values(rows.sum(axis=0)), [2 / 4, 1 / 2, 0])
    assert np.isnan(NumeralAccuracy().values(rows[3])).all()


def test_without_numbers_undefined(make) -> None:
    assert np.isnan(each(NumeralAccuracy(), make(["3 dead"]))).all()


def test_novelty_by_hand(make) -> None:
    """Words: the · bank · cut · rates · today. Runs: "the bank" and "rates"; cut and today are new."""
    article = "On Monday the bank said it lowers rates."
    found = each(Novelty(), make(["The Bank cut rates today"], articles=[article]))[0]
    np.testing.assert_allclose(found, [2 / 5, 3 / 4, 3 / 5, (4 + 1) / 5, 2 / 5])


def test_a_copied_headline(make) -> None:
    found = each(Novelty(), make(["the bank lowers rates"], articles=["Why the bank lowers rates, again"]))[0]
    np.testing.assert_allclose(found, [0, 0, 1, 4, 1])


def test_novelty_is_undefined_without_words_or_article(make) -> None:
    found = each(Novelty(), make(["", "?!", "bank", "bank"], articles=["a", "a", "", "bank"]))
    assert np.isnan(found[:3]).all()
    np.testing.assert_allclose(found[3], [0, math.nan, 1, 1, 1])


WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_novelty_against_plain_loops(headline: list[str], article: list[str]) -> None:
    given = Written(headlines=[" ".join(headline)], references=[[]], articles=[" ".join(article)])
    found = each(Novelty(), given)[0]
    runs, at = [], 0
    while at < len(headline):
        longest = max(
            k
            for k in range(len(headline) - at + 1)
            if k == 0 or f" {' '.join(headline[at : at + k])} " in f" {' '.join(article)} "
        )
        runs += [longest] if longest else []
        at += max(1, longest)
    n = len(headline)
    new = [word not in article for word in headline]
    np.testing.assert_allclose(found[0], sum(new) / n)
    np.testing.assert_allclose(
        found[2:], [sum(runs) / n, sum(k * k for k in runs) / n, max(runs, default=0) / n]
    )
    np.testing.assert_allclose(found[0], 1 - found[2], atol=1e-12)


def test_compression_by_hand(make) -> None:
    found = each(
        Compression(), make(["Bank cuts", "", "Bank"], articles=["The bank, it said, cuts.", "a", ""])
    )
    np.testing.assert_allclose(found, [[2.5, 2], [math.nan, 0], [math.nan, 1]])


def test_duplication_by_hand(make) -> None:
    found = each(
        Duplication(),
        make(["the bank the bank cuts", "Bank cuts", "BANK CUTS!", "", "bank"], articles=list("abcde")),
    )
    np.testing.assert_allclose(
        found, [[2 / 5, 1 / 4, 0], [0, 0, 1], [0, 0, 1], [math.nan] * 3, [0, math.nan, 0]]
    )


def test_the_same_headline_for_the_same_article_is_not_reused(make) -> None:
    found = each(Duplication(), make(["Bank cuts"] * 3, articles=["one", "one", "one"]))
    assert not found[:, 2].any()
    unknown = each(Duplication(), make(["Bank cuts"] * 3))
    assert unknown[:, 2].all()


def test_articles_of_fifty_thousand_words(make) -> None:
    article = " ".join(f"word{k % 997} the" for k in range(25_000))
    given = make(["The word5 the end"], articles=[article])
    np.testing.assert_allclose(each(Novelty(), given)[0], [1 / 4, 1 / 3, 3 / 4, 9 / 4, 3 / 4])
    np.testing.assert_allclose(each(Compression(), given)[0], [12_500, 4])
