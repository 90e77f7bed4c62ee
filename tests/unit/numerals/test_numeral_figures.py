"""Shares, areas and paired tests, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from research.benchmark.numerals.figures import auc, mcnemar, share

scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=30)


@given(scores, scores)
@settings(max_examples=60)
def test_the_area_is_that_of_scikit_learn(higher: list[float], lower: list[float]) -> None:
    from sklearn.metrics import roc_auc_score

    found = auc(
        np.array(higher), np.array(lower), np.arange(len(higher)), np.arange(len(lower)), resamples=20
    )
    labels = [1] * len(higher) + [0] * len(lower)
    assert found.value == pytest.approx(roc_auc_score(labels, higher + lower))


def test_resamples_weigh_articles_as_scikit_learn_weighs_samples() -> None:
    from sklearn.metrics import roc_auc_score

    random = np.random.default_rng(0)
    articles = np.arange(40)
    higher, lower = random.normal(0.6, 1, 40).round(1), random.normal(0, 1, 40).round(1)
    found = auc(higher, lower, articles, articles, resamples=500, seed=7)
    drawn = np.random.default_rng(7).integers(0, 40, size=(500, 40))
    draws = [np.bincount(one, minlength=40) for one in drawn]
    labels, both = np.r_[np.ones(40), np.zeros(40)], np.r_[higher, lower]
    areas = [roc_auc_score(labels, both, sample_weight=np.r_[draw, draw]) for draw in draws]
    assert (found.low, found.high) == pytest.approx((sorted(areas)[11], sorted(areas)[-12]))
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    assert found.low < found.value < found.high


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    articles = np.arange(30) // 2
    higher, lower = np.linspace(0.2, 1, 30), np.linspace(0, 0.8, 30)
    whole = auc(higher, lower, articles, articles, resamples=100)
    monkeypatch.setattr("core.statistics.bootstrap._CELLS", 200)
    assert auc(higher, lower, articles, articles, resamples=100) == whole


def test_what_is_undefined_says_why() -> None:
    nothing = np.empty(0)
    none = np.empty(0, dtype=np.int64)
    assert auc(nothing, np.ones(2), none, np.arange(2)).value is None
    assert share(nothing.astype(np.bool_), none).reason == "there are no such rows"
    one = share(np.array([True, False]), np.array([5, 5]))
    assert (one.value, one.low) == (0.5, None)
    with pytest.raises(InputError, match="not a number"):
        auc(np.array([np.nan]), np.ones(1), np.arange(1), np.arange(1))


def test_a_share_resamples_articles_not_rows() -> None:
    right = np.repeat([True, False] * 20, 10)
    by_row = share(right, np.arange(400), seed=1)
    by_article = share(right, np.repeat(np.arange(40), 10), seed=1)
    assert by_row.value == by_article.value == 0.5
    assert by_row.low is not None
    assert by_article.low is not None
    assert by_article.low < by_row.low
    assert by_row.low == pytest.approx(0.5 - 1.96 * 0.5 / 20, abs=0.01)
    assert by_article.low == pytest.approx(0.5 - 1.96 * 0.5 / np.sqrt(40), abs=0.02)


def test_mcnemar_counts_rows_that_differ() -> None:
    one = np.array([True] * 9 + [False] * 11)
    other = np.array([False] * 8 + [True] + [True] + [False] * 10)
    assert mcnemar(one, other) == pytest.approx(2 * (1 + 9) / 2**9)  # 8 wins, 1 loss
    assert mcnemar(one, one) is None
