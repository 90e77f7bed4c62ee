"""The paired tests find differences that are there, seldom others; Holm's correction is his."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.pair_intervals import Units
from core.metrics.significance import compare, holm, paired_bootstrap


def alone(pairs):
    return Units("pairs", np.arange(pairs), np.arange(pairs), pairs)


def decisions(rng, labels, right):
    return np.where(rng.random(len(labels)) < right, labels, 1 - labels).astype(bool)


def test_a_real_difference_is_found_and_the_seed_fixes_p() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 800)
    one, other = decisions(rng, labels, 0.9), decisions(rng, labels, 0.8)
    found = compare(labels, one, other, alone(800), seed=4)
    assert found == compare(labels, one, other, alone(800), seed=4)
    assert found.p < 0.01
    assert found.interval[0] > 0
    assert found.interval[0] < found.value < found.interval[1]
    swapped = compare(labels, other, one, alone(800), seed=4)
    assert swapped.value == pytest.approx(-found.value)
    assert swapped.p == found.p


def test_false_alarms_are_about_as_rare_as_they_should_be() -> None:
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(120):
        labels = rng.integers(0, 2, 200)
        one, other = decisions(rng, labels, 0.8), decisions(rng, labels, 0.8)
        alarms += compare(labels, one, other, alone(200), resamples=200).p <= 0.05
    assert 1 <= alarms <= 0.1 * 120


def test_the_same_decisions_are_no_difference() -> None:
    labels = np.array([0, 1] * 20)
    found = compare(labels, labels == 1, labels == 1, alone(40))
    assert (found.value, found.p) == (0.0, 1.0)


def test_a_sure_difference_survives_a_correction_for_hundreds_of_comparisons() -> None:
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 800)
    one, other = decisions(rng, labels, 0.95), decisions(rng, labels, 0.7)
    sure = compare(labels, one, other, alone(800), resamples=200).p
    assert 0 < 300 * sure < 0.05


def test_the_tail_is_that_of_students_t_with_few_degrees_of_freedom_for_few_units() -> None:
    from scipy.stats import t

    gaps = np.random.default_rng(3).normal(0.4, 0.05, 500)
    few, many, counted = (paired_bootstrap(gaps, np.zeros(500), 0.4, units=n).p for n in (12, 1000, 0))
    assert few == pytest.approx(2 * t.sf(0.4 / gaps.std(), 11))
    assert many < few < counted == pytest.approx(2 / 501)
    assert paired_bootstrap(np.full(9, 0.2), np.zeros(9), 0.2, units=9).p == pytest.approx(0.2)


def test_an_undefined_measure_has_no_difference() -> None:
    nothing = np.zeros(4, dtype=bool)
    assert compare([0, 0, 0, 0], nothing, nothing, alone(4)).p is None


def test_holm_on_a_worked_example() -> None:
    assert holm([0.01, 0.04, None, 0.03, 0.005]) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])


@given(p_values=st.lists(st.floats(0, 1), max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values) -> None:
    corrected = holm(p_values)
    rejected, ranked = set(), sorted(range(len(p_values)), key=lambda k: p_values[k])
    for step, place in enumerate(ranked):
        if p_values[place] * (len(p_values) - step) > 0.05:
            break
        rejected.add(place)
    assert {k for k, p in enumerate(corrected) if p <= 0.05} == rejected
