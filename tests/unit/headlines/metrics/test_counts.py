"""Numeral accuracy, novelty, compression and duplication, by hand and against slow references."""

from __future__ import annotations

import math

import numpy as np

from core.headlines.metrics.content import Compression, Duplication, Novelty, NumeralAccuracy
from core.headlines.metrics.metric import HeadlineMetric, MetricInput
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
