"""The paired tests find differences that are there, seldom others; Holm's correction is his."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.pair_intervals import Units
from core.metrics.significance import approximate_randomisation, compare, holm


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
    assert approximate_randomisation(labels, one, other, alone(800)) < 0.01


def test_false_alarms_are_about_as_rare_as_they_should_be() -> None:
    rng, alarms = np.random.default_rng(1), np.zeros(2)
    for _ in range(120):
        labels = rng.integers(0, 2, 200)
        one, other = decisions(rng, labels, 0.8), decisions(rng, labels, 0.8)
        alarms[0] += compare(labels, one, other, alone(200), resamples=200).p <= 0.05
        alarms[1] += approximate_randomisation(labels, one, other, alone(200), rounds=200) <= 0.05
    assert (alarms <= 0.1 * 120).all()
    assert (alarms >= 1).all()


def test_the_same_decisions_are_no_difference() -> None:
    labels = np.array([0, 1] * 20)
    found = compare(labels, labels == 1, labels == 1, alone(40))
    assert (found.value, found.p) == (0.0, 1.0)
    assert approximate_randomisation(labels, labels == 1, labels == 1, alone(40)) == 1.0


def test_randomisation_swaps_whole_units() -> None:
    # Two units: the first scorer is right in both, the second wrong; four swaps, two of them as extreme.
    labels = np.array([1, 1, 1, 1])
    units = Units("groups", np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), 2)
    p = approximate_randomisation(labels, labels == 1, labels == 0, units, rounds=4000)
    assert p == pytest.approx(0.5, abs=0.03)


def test_an_undefined_measure_has_no_difference() -> None:
    nothing = np.zeros(4, dtype=bool)
    assert compare([0, 0, 0, 0], nothing, nothing, alone(4)).p is None
    assert approximate_randomisation([0, 0, 0, 0], nothing, nothing, alone(4)) is None


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
