import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from core.statistics.bootstrap import bootstrap_sums, interval, unit_sums, units_of
from core.statistics.calibration import calibration


def mean(sums):
    """Of statistics (count, total)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[..., 1:] / sums[..., :1]


def counted(values):
    return np.column_stack([np.ones(len(values)), values])


def test_units_of_one_event_are_one():
    assert units_of(["", "a", "", "a", "b"]).tolist() == [0, 1, 2, 1, 3]


def test_sums_of_units_are_sums_of_their_headlines():
    found = unit_sums(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 1, 0]))
    assert found.tolist() == [[6.0, 8.0], [3.0, 4.0]]


@given(st.integers(1, 40), st.integers(0, 5))
def test_a_resample_is_the_sum_of_the_drawn_units(units, seed):
    values = np.random.default_rng(1).normal(size=(units, 3))
    draws = np.random.default_rng(seed).integers(0, units, size=(7, units))
    expected = [sum(values[unit] for unit in drawn) for drawn in draws.tolist()]
    assert np.allclose(bootstrap_sums(values, resamples=7, seed=seed), expected)


def test_too_few_or_undefined_resamples_have_no_interval():
    assert interval(np.array([np.nan] * 6 + [0.5] * 94)) == (None, None)
    assert interval(np.array([])) == (None, None)
    assert interval(np.arange(39.0)) == (None, None)
    assert interval(np.arange(100.0)) == (1.0, 98.0)


def test_the_interval_of_a_skewed_mean_covers_it():
    random, covered = np.random.default_rng(0), 0
    for seed in range(300):
        values = random.exponential(size=60)
        low, high = interval(mean(bootstrap_sums(counted(values.tolist()), resamples=499, seed=seed))[:, 0])
        covered += low <= 1.0 <= high
    # 95 % is wanted; a percentile interval of 60 skewed values covers about 93 %.
    assert 270 <= covered <= 294


ROWS = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=50)


@given(rows=ROWS)
def test_error_is_the_mean_distance_of_bins_and_brier_is_scikit_learns(rows):
    labels, scores = zip(*rows, strict=True)
    found = calibration(labels, scores)
    bins: dict[int, list[tuple[int, float]]] = {}
    for label, score in rows:
        bins.setdefault(min(int(score * 10), 9), []).append((label, score))
    expected = sum(abs(sum(y for y, _ in members) - sum(s for _, s in members)) for members in bins.values())
    assert found.error.value == pytest.approx(expected / len(rows))
    assert found.brier.value == pytest.approx(brier_score_loss(labels, scores, pos_label=1))
    assert sum(one.pairs for one in found.bins) == len(rows)
    for place, one in enumerate(found.bins):
        assert one.pairs == len(bins.get(place, []))


@pytest.mark.parametrize("scores", [[-0.1, 0.5], [0.5, 1.1]])
def test_what_is_no_probability_is_not_measured(scores):
    found = calibration([0, 1], scores)
    assert found.error.value is None
    assert found.brier.value is None
    assert "not between 0 and 1" in found.error.reason
