import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from core.statistics.bootstrap import bootstrap_sums, enough_resamples, holm, interval, paired_bootstrap
from core.statistics.calibration import calibration


def mean(sums):
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[..., 1:] / sums[..., :1]


def counted(values):
    return np.column_stack([np.ones(len(values)), values])


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
        assert (one.low, one.high, one.pairs) == (place / 10, (place + 1) / 10, len(bins.get(place, [])))


@pytest.mark.parametrize("scores", [[-0.1, 0.5], [0.5, 1.1]])
def test_what_is_no_probability_is_not_measured(scores):
    found = calibration([0, 1], scores)
    assert found.error.value is None
    assert found.brier.value is None
    assert "not between 0 and 1" in found.error.reason


def gaps_of(values):
    return st.lists(values, min_size=40, max_size=300)


@given(
    gaps=st.one_of(
        gaps_of(st.floats(-1, 1)),
        gaps_of(st.sampled_from([-0.1, 0.0, 0.1, 0.2])),
        gaps_of(st.floats(-1e-15, 1e-15)),
    ),
    value=st.floats(-1, 1),
)
def test_the_interval_leaves_out_zero_exactly_where_p_is_below_5_percent(gaps, value):
    found = paired_bootstrap(np.array(gaps), np.zeros(len(gaps)), value, count=50, units="articles")
    low, high = found.interval
    assert 0 < found.p <= 1
    assert (low > 0 or high < 0) == (found.p < 0.05)


def test_half_a_percent_of_resamples_beyond_zero_and_an_interval_above_it():
    gaps = np.concatenate([np.full(10, -0.01), np.linspace(0.05, 0.25, 1989)])
    found = paired_bootstrap(gaps, np.zeros(1999), 0.15, count=200, units="groups")
    assert found.interval[0] > 0
    assert found.p == pytest.approx(2 * 11 / 2000)


@pytest.mark.parametrize("comparisons", [1, 26, 253])
def test_a_sure_difference_survives_the_correction_for_all_that_are_shown(comparisons):
    resamples = enough_resamples(comparisons)
    assert resamples >= 2000
    sure = paired_bootstrap(np.ones(resamples), np.zeros(resamples), 1.0, count=50, units="articles").p
    assert max(holm([sure] * comparisons)) < 0.05


@pytest.mark.parametrize(
    ("count", "told"), [(1, "for an interval"), (2, "reliable"), (9, "reliable"), (10, "")]
)
def test_few_units_are_told_and_one_has_no_interval(count, told):
    gaps = np.linspace(0.1, 0.2, 500)
    found = paired_bootstrap(gaps, np.zeros(500), 0.15, count=count, units="articles")
    assert told in found.warning
    assert bool(told) == bool(found.warning)
    assert (found.interval == (None, None)) == (count < 2)
    assert (found.p is None) == (count < 10)
    assert found.value == 0.15


def test_few_units_that_are_all_alike_have_no_interval():
    found = paired_bootstrap(np.full(500, 0.2), np.zeros(500), 0.2, count=4, units="articles")
    assert (found.interval, found.p) == ((None, None), None)
    assert found.warning == "All 4 articles have the same value: too few for an interval."
    sure = paired_bootstrap(np.full(500, 0.2), np.zeros(500), 0.2, count=10, units="articles")
    assert sure.interval == (0.2, 0.2)


@given(p_values=st.lists(st.floats(0, 1), max_size=12))
@example(p_values=[0.03, 0.01, 0.02])
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values):
    corrected = holm(p_values)
    rejected, ranked = set(), sorted(range(len(p_values)), key=lambda k: p_values[k])
    for step, place in enumerate(ranked):
        if p_values[place] * (len(p_values) - step) > 0.05:
            break
        rejected.add(place)
    assert {k for k, p in enumerate(corrected) if p <= 0.05} == rejected
