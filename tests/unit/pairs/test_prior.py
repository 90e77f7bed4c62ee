"""How common pairs of one event are in a timeline: found again where it is known."""

from __future__ import annotations

import numpy as np
import pytest

from core.pairs.features.additive import USUAL_SHARE, level_of, log_odds, probability


def ratios(pairs: int, share: float, spread: float, seed: int) -> np.ndarray:
    """Log likelihood ratios of two normal populations whose ratio is exact."""
    random = np.random.default_rng(seed)
    same = random.random(pairs) < share
    centre = np.where(same, 0.5, -0.5) * spread**2
    return np.asarray(centre + spread * random.normal(size=pairs), dtype=np.float32)


@pytest.mark.parametrize("share", [0.003, 0.03, 0.3])
def test_the_share_of_a_timeline_is_found(share: float) -> None:
    given = ratios(200_000, share, 4.0, 3)
    found = float(probability(given + np.float32(level_of(given))).mean())
    assert share / 1.5 < found < share * 1.5


def test_a_single_pair_is_read_at_about_the_usual_share() -> None:
    assert level_of(np.empty(0, np.float32)) == pytest.approx(log_odds(USUAL_SHARE))
    for ratio in (-6.0, -1.0, 2.0, 6.0):
        assert level_of(np.float32([ratio])) == pytest.approx(log_odds(USUAL_SHARE), abs=0.6)


def test_ratios_that_are_not_finite_in_a_float_still_give_a_level() -> None:
    assert np.isfinite(level_of(np.float32([-1e30, 1e30, 0.0])))
