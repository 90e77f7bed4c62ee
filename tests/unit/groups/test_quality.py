"""Measures of groups against scikit-learn and a table worked by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

from core.errors import InputError
from core.groups.quality import MEASURES, quality


def noisy(size: int, gold_groups: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    gold = random.integers(0, gold_groups, size)
    labels = np.where(random.random(size) < 0.6, gold, random.integers(0, 2 * gold_groups, size))
    return labels, gold


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("size", "gold_groups"), [(2, 2), (200, 15), (900, 400), (700, 2)])
def test_equals_scikit_learn(size: int, gold_groups: int, seed: int) -> None:
    labels, gold = noisy(size, gold_groups, seed)
    found = quality(labels, gold)
    for name, theirs in {
        "ami": sk.adjusted_mutual_info_score,
        "ari": sk.adjusted_rand_score,
        "v_measure": sk.v_measure_score,
        "homogeneity": sk.homogeneity_score,
        "completeness": sk.completeness_score,
    }.items():
        if found[name].value is not None:
            assert found[name].value == pytest.approx(theirs(gold, labels), abs=1e-9), name
        else:
            assert size == 2


def test_worked_by_hand() -> None:
    # gold {a, b, c} {d, e}; found {a, b} {c, d, e}
    found = quality([0, 0, 1, 1, 1], ["x", "x", "x", "y", "y"])
    # B-cubed precision: a 1, b 1, c 1/3, d 2/3, e 2/3; recall: a 2/3, b 2/3, c 1/3, d 1, e 1
    assert found["bcubed_precision"].value == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    assert found["bcubed_recall"].value == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    p, r = 11 / 15, 11 / 15
    assert found["bcubed_f1"].value == pytest.approx(2 * p * r / (p + r))
    # pairs found ab cd ce de; gold ab ac bc de; both ab de
    assert found["pair_precision"].value == pytest.approx(2 / 4)
    assert found["pair_recall"].value == pytest.approx(2 / 4)
    assert found["pair_f1"].value == pytest.approx(0.5)
    assert (found.judged, found.unjudged, found.groups, found.gold_groups) == (5, 0, 2, 2)


def test_perfect_groups_score_1() -> None:
    found = quality([3, 3, 1, 1, 0], list("aabbc"), resamples=50)
    assert [score.value for score in found.scores.values()] == pytest.approx([1.0] * len(MEASURES))
    many = np.repeat(np.arange(30), 4)
    assert [score.low for score in quality(many, many, resamples=50).scores.values()] == pytest.approx(
        [1.0] * 11
    )


def test_headlines_without_gold_are_left_out_and_counted() -> None:
    gold = ["a", None, "a", "b", "", float("nan"), pd.NA, pd.NaT]
    found = quality([0, 0, 0, 1, 2, 2, 2, 2], gold)
    assert (found.judged, found.unjudged) == (3, 5)
    assert found["pair_f1"].value == 1.0


@pytest.mark.parametrize(("gold", "reason"), [([None, None], "no headline"), (["a", None], "only one")])
def test_too_little_gold_is_undefined_with_a_reason(gold: list[str | None], reason: str) -> None:
    for score in quality([0, 1], gold, resamples=10).scores.values():
        assert score.value is None
        assert score.low is None
        assert reason in score.reason
    with pytest.raises(InputError, match="gold"):
        quality([0], gold)


def test_undefined_pairs_say_why() -> None:
    apart = quality([0, 1, 2], ["a", "a", "b"])
    assert apart["pair_precision"].value is None
    assert "grouped together" in apart["pair_precision"].reason
    assert apart["pair_recall"].value == 0
    assert apart["pair_f1"].value == 0
    alone = quality([0, 0, 1], ["a", "b", "c"])
    assert alone["pair_recall"].value is None
    assert alone["pair_precision"].value == 0
    both = quality([0, 1, 2], ["a", "b", "c"])
    assert both["pair_f1"].value is None
    assert both["ami"].value is None
    assert both["ari"].value is None
    assert both["ami"].reason
    assert both["v_measure"].value == 1


def test_intervals_hold_the_value_and_repeat() -> None:
    labels, gold = noisy(400, 40, 2)
    found = quality(labels, gold, resamples=200, seed=3)
    for score in found.scores.values():
        assert score.low is not None
        assert score.high is not None
        assert score.low <= score.value <= score.high
    assert quality(labels, gold, resamples=200, seed=3) == found
    assert quality(labels, gold, resamples=200, seed=4) != found
    assert quality([0, 0, 1], ["a", "a", "a"], resamples=50)["pair_recall"].interval == (None, None)
