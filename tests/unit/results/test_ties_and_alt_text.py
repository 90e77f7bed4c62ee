"""Letters of systems that do not differ, the smallest difference, and what a picture shows in words."""

from itertools import combinations

import numpy as np
import pytest

from core.results.alt_text import alt_text, tally_text
from core.results.ties import differing, smallest_difference, tie_letters, tie_notes
from core.statistics.bootstrap import Figure


def test_systems_share_a_letter_exactly_where_they_do_not_differ():
    generator = np.random.default_rng(0)
    for _ in range(60):
        count = int(generator.integers(2, 9))
        pairs = list(combinations(range(count), 2))
        differ = {pair for pair in pairs if generator.random() < 0.5}
        letters = tie_letters(list(range(count)), differ)
        assert all(letters.values())
        for first, second in pairs:
            assert bool(set(letters[first]) & set(letters[second])) == ((first, second) not in differ)
    assert tie_letters([2, 0, 1], {(0, 1), (1, 2)}) == {2: "a", 0: "a", 1: "b"}


def gap(value, spread=0.01, resamples=2000):
    low, high = value - 1.96 * spread, value + 1.96 * spread
    p = 2 / (resamples + 1) if low > 0 else 0.4
    return Figure(value, low=low, high=high, p=p, unit="articles", resamples=resamples)


def test_a_clear_difference_survives_the_correction_for_hundreds_of_pairs():
    """The least p of the resamples, times 400, is above .05: a normal tail of them goes on."""
    gaps = {(0, at): gap(0.2) for at in range(1, 301)} | {(1, at): gap(0.001) for at in range(2, 102)}
    assert differing(gaps) == {pair for pair in gaps if pair[0] == 0}
    assert differing({(0, 1): Figure(0.5)}) == set()


def test_the_smallest_difference_is_seen_by_four_of_five_simulated_studies():
    least = smallest_difference([gap(0.1)] * 10)
    drawn = np.random.default_rng(0).normal(least, 0.01, 100_000)
    seen = np.abs(drawn) / 0.01 > 2.807  # two-sided .05 over ten comparisons
    assert seen.mean() == pytest.approx(0.8, abs=0.01)
    assert smallest_difference([Figure(0.1)]) is None
    assert tie_notes("F1", {(0, 1): Figure(0.1)}, str) == ()
    ties, smallest = tie_notes("F1", {(0, 1): gap(0.1)}, lambda value: f"{value:.3f}")
    assert "1 comparison" in ties
    assert "0.028" in smallest


def test_alt_text_has_the_figures_of_the_data():
    rows = [["system", "F1", "low", "high"], ["ours", 0.81, 0.7, 0.9], ["base", 0.5, None, None]]
    assert alt_text("Who is best?", rows) == "Who is best? F1 – ours: 0.81 (0.7 to 0.9); base: 0.5."
    many = [["day", "reports"], *([f"day {at}", at] for at in range(12))]
    assert alt_text("Reports", many).endswith("highest day 11: 11; then day 10: 10; lowest day 0: 0.")
    assert tally_text("Map", ["a", "b", "a"], of="headlines") == "Map. 3 headlines: a (2), b (1)."
    assert alt_text("Empty", []) == "Empty."
