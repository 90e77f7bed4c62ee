"""Weighted accuracy against the table of the shared task, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.selection_sets.dialogue2021 import Verdict
from core.errors import InputError
from core.headlines.selection.study import (
    chosen,
    resampled_accuracy,
    weighted_accuracy,
    worth,
)
from core.statistics.bootstrap import interval

LEFT, RIGHT, DRAW, BAD = Verdict.LEFT, Verdict.RIGHT, Verdict.DRAW, Verdict.BAD
TABLE = {
    (LEFT, LEFT): 1.0,
    (LEFT, RIGHT): 0.0,
    (LEFT, DRAW): 0.5,
    (RIGHT, LEFT): 0.0,
    (RIGHT, RIGHT): 1.0,
    (RIGHT, DRAW): 0.5,
    (DRAW, LEFT): 0.5,
    (DRAW, RIGHT): 0.5,
    (DRAW, DRAW): 1.0,
}
"""Table of section 4.1: what people said, what was chosen, what it is worth."""


@pytest.mark.parametrize(("pair", "value"), TABLE.items())
def test_every_cell_of_the_papers_table(pair: tuple[Verdict, Verdict], value: float) -> None:
    assert worth([pair[0]], [pair[1]]).tolist() == [value]


def test_a_worked_example_leaves_bad_pairs_out() -> None:
    said = [LEFT, RIGHT, DRAW, BAD, LEFT, RIGHT]
    system = [LEFT, LEFT, RIGHT, LEFT, DRAW, RIGHT]
    # 1 + 0 + 0.5 + (left out) + 0.5 + 1 of five.
    assert weighted_accuracy(said, system) == pytest.approx(3 / 5)
    assert np.isnan(worth(said, system)[3])


def test_it_is_undefined_where_nothing_counts() -> None:
    assert weighted_accuracy([], []) is None
    assert weighted_accuracy([BAD, BAD], [LEFT, DRAW]) is None
    assert np.isnan(resampled_accuracy(worth([BAD], [LEFT]), np.array([0]))).all()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="2 verdicts and 1 choices"):
        worth([LEFT, LEFT], [LEFT])
    with pytest.raises(InputError, match="cannot choose `bad`"):
        worth([LEFT], [BAD])


@given(st.lists(st.tuples(st.sampled_from(Verdict), st.sampled_from([LEFT, RIGHT, DRAW])), max_size=30))
def test_it_does_not_matter_which_headline_stands_left(pairs: list[tuple[Verdict, Verdict]]) -> None:
    said, system = [one for one, _ in pairs], [other for _, other in pairs]
    other_side = {LEFT: RIGHT, RIGHT: LEFT, DRAW: DRAW, BAD: BAD}
    mirrored = weighted_accuracy([other_side[one] for one in said], [other_side[one] for one in system])
    assert mirrored == weighted_accuracy(said, system)


def test_a_draw_is_chosen_up_to_the_margin() -> None:
    assert chosen(np.array([0.3, 0.1, 0.0, -0.1, -0.3]), 0.1) == [LEFT, DRAW, DRAW, DRAW, RIGHT]
    assert chosen(np.array([0.1, 0.0, -0.1]), 0.0) == [LEFT, DRAW, RIGHT]


def test_events_are_resampled_and_not_pairs() -> None:
    random = np.random.default_rng(1)
    events = np.repeat(np.arange(40), 10)
    # All pairs of an event have the same worth: ten pairs tell no more than one.
    values = np.repeat(random.integers(0, 2, 40).astype(np.float64), 10)
    low, high = interval(resampled_accuracy(values, events))
    assert (low, high) == pytest.approx(interval(resampled_accuracy(values[::10], events[::10])))
    assert low is not None
    assert high is not None
    assert low < values.mean() < high
