import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.pair_scores import f1_difference
from core.pairs.metrics import Units
from core.statistics.bootstrap import enough_resamples, holm, paired_bootstrap


def alone(pairs):
    return Units("pairs", np.arange(pairs), np.arange(pairs), pairs)


def decisions(rng, labels, right):
    return np.where(rng.random(len(labels)) < right, labels, 1 - labels).astype(bool)


def test_a_real_difference_is_found_and_the_seed_fixes_p():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 800)
    one, other = decisions(rng, labels, 0.9), decisions(rng, labels, 0.8)
    found = f1_difference(labels, one, other, alone(800), seed=4)
    assert found == f1_difference(labels, one, other, alone(800), seed=4)
    assert found.p < 0.01
    assert found.interval[0] > 0
    assert found.interval[0] < found.value < found.interval[1]
    swapped = f1_difference(labels, other, one, alone(800), seed=4)
    assert swapped.value == pytest.approx(-found.value)
    assert swapped.p == found.p


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


def test_holm_on_a_worked_example():
    assert holm([0.01, 0.04, None, 0.03, 0.005]) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])


@given(p_values=st.lists(st.floats(0, 1), max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values):
    corrected = holm(p_values)
    rejected, ranked = set(), sorted(range(len(p_values)), key=lambda k: p_values[k])
    for step, place in enumerate(ranked):
        if p_values[place] * (len(p_values) - step) > 0.05:
            break
        rejected.add(place)
    assert {k for k, p in enumerate(corrected) if p <= 0.05} == rejected
