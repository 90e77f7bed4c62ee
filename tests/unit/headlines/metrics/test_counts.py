"""Numeral accuracy, novelty, compression and duplication, by hand and against slow references."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.metrics.metric import HeadlineMetric, MetricInput
from core.headlines.metrics.numerals import NumeralAccuracy
from core.headlines.metrics.wording import Compression, Duplication, Novelty
from core.runtime import Runtime


def each(metric: HeadlineMetric, written: MetricInput) -> np.ndarray:
    return metric.values(metric.statistics(written, Runtime()))


def test_numeral_accuracy_apart(make) -> None:
    given = make(
        ["3 dead", "4 dead", "1 of 2", "7", "8"],
        numbers=["3", "5", "1", "", "8"],
        operations=["copy", "copy", "reasoning", "reasoning", ""],
    )
    rows = NumeralAccuracy().statistics(given, Runtime())
    np.testing.assert_allclose(NumeralAccuracy().values(rows.sum(axis=0)), [2 / 4, 1 / 2, 0])
    assert np.isnan(NumeralAccuracy().values(rows[3])).all()


def test_novelty_by_hand(make) -> None:
    """Words: the · bank · cut · rates · today. Runs: "the bank" and "rates"; cut and today are new."""
    article = "On Monday the bank said it lowers rates."
    found = each(Novelty(), make(["The Bank cut rates today"], articles=[article]))[0]
    np.testing.assert_allclose(found, [2 / 5, 3 / 4, 3 / 5, (4 + 1) / 5, 2 / 5])


def test_novelty_is_undefined_without_words_or_article(make) -> None:
    found = each(Novelty(), make(["", "?!", "bank", "bank"], articles=["a", "a", "", "bank"]))
    assert np.isnan(found[:3]).all()
    np.testing.assert_allclose(found[3], [0, math.nan, 1, 1, 1])


WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_novelty_against_plain_loops(headline: list[str], article: list[str]) -> None:
    given = MetricInput(headlines=[" ".join(headline)], references=[[]], articles=[" ".join(article)])
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
