from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.runs.schedule import LAST_SHARE, schedule


def test_the_papers_run_keeps_its_warm_up() -> None:
    # 15,492 pairs in batches of 32, three times.
    rates = schedule(3e-5, steps=1455, warmup=1000)
    assert rates.warmup == 1000
    assert rates.rate(0) == pytest.approx(3e-8)
    assert rates.rate(499) == pytest.approx(1.5e-5)
    assert rates.rate(999) == rates.rate(1000) == 3e-5
    assert rates.rate(1454) == pytest.approx(3e-6)


def test_each_step_of_the_decay_multiplies_by_the_same_factor() -> None:
    rates = schedule(1.0, steps=100, warmup=20)
    factors = [rates.rate(step + 1) / rates.rate(step) for step in range(20, 99)]
    assert factors == pytest.approx([LAST_SHARE ** (1 / 79)] * 79)


def test_a_short_run_warms_up_for_a_tenth() -> None:
    assert schedule(1.0, steps=280, warmup=1000).warmup == 28
    assert schedule(1.0, steps=1, warmup=1000).warmup == 0


@given(st.integers(1, 3000), st.integers(0, 3000))
def test_every_rate_learns_and_none_passes_the_highest(steps: int, warmup: int) -> None:
    rates = schedule(0.5, steps=steps, warmup=warmup)
    drawn = [rates.rate(step) for step in {0, steps // 2, rates.warmup, steps - 1}]
    assert all(0 < rate <= 0.5 for rate in drawn)
    assert rates.rate(rates.warmup) == 0.5
