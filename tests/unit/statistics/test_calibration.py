"""Calibration agrees with scikit-learn and with a plain loop, and is refused for what is no probability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from core.statistics.calibration import calibration

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
