"""Whatever the timeline: what the builder draws is what the plain loops over all pairs allow."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.pair_sets.assembly import from_groups
from core.data.pair_sets.drawing import Sampling, draw_pairs
from core.data.pair_sets.pair_set import undrawn
from core.parts import Part

quick = settings(max_examples=150, derandomize=True)

days = st.one_of(st.just(float("nan")), st.floats(0, 12, allow_nan=False))
headlines = st.lists(st.tuples(st.integers(0, 2), days, st.integers(-1, 4)), min_size=0, max_size=24)
samplings = st.builds(
    Sampling,
    window_days=st.sampled_from([0.0, 1.0, 4.0, float("inf")]),
    ratio=st.one_of(st.none(), st.floats(0, 6)),
    most_positives=st.one_of(st.none(), st.integers(1, 10)),
    seed=st.integers(0, 99),
)


def columns(rows):
    timelines, day, groups = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    return np.array(timelines, np.int64), np.array(day, np.float64), np.array(groups, np.int64)


def allowed(rows, window):
    """All positives and all near negatives, by plain loops."""
    positives, negatives = set(), set()
    for i, (timeline, day, group) in enumerate(rows):
        for j in range(i + 1, len(rows)):
            other_timeline, other_day, other_group = rows[j]
            if timeline != other_timeline or group < 0 or other_group < 0:
                continue
            gap = abs(np.floor(day) - np.floor(other_day))
            if group == other_group:
                positives.add((i, j))
            elif np.isnan(gap) or gap <= window:
                negatives.add((i, j))
    return positives, negatives


@quick
@given(headlines, samplings)
def test_pairs_are_those_of_the_plain_loops(rows, sampling):
    left, right, labels = draw_pairs(*columns(rows), sampling)
    again = draw_pairs(*columns(rows), sampling)
    assert np.array_equal(again[0], left)
    assert np.array_equal(again[1], right)
    drawn = list(zip(left.tolist(), right.tolist(), strict=True))
    same = {pair for pair, label in zip(drawn, labels.tolist(), strict=True) if label == 1}
    different = {pair for pair, label in zip(drawn, labels.tolist(), strict=True) if label == 0}
    positives, negatives = allowed(rows, sampling.window_days)

    assert len(set(drawn)) == len(drawn)
    assert drawn == sorted(drawn)
    assert same <= positives
    assert different <= negatives
    assert len(same) == min(len(positives), sampling.most_positives or len(positives))
    wanted = len(negatives) if sampling.ratio is None else round(sampling.ratio * len(same))
    assert len(different) == min(len(negatives), wanted)


@pytest.mark.slow
@quick
@given(headlines, samplings, st.integers(0, 5))
def test_no_pair_joins_timelines_or_parts(rows, sampling, shift):
    timelines, day, groups = columns(rows)
    names = [part.value for part in Part]
    parts = np.array([names[(row * 7 + shift) % 3] for row in range(len(rows))], dtype=np.str_)
    texts = [f"headline {(row * 5 + shift) % 17}" for row in range(len(rows))]
    pairs = from_groups("drawn", undrawn(texts, day, timelines, parts, groups), sampling)
    assert np.array_equal(pairs.timelines[pairs.left], pairs.timelines[pairs.right])
    assert np.array_equal(pairs.parts[pairs.left], pairs.parts[pairs.right])
    of_part = {
        part: {t for t, p in zip(pairs.texts, pairs.parts, strict=True) if p == part} for part in names
    }
    assert not any(of_part[one] & of_part[other] for one, other in combinations(names, 2))
    assert of_part["test"] == {t for t, p in zip(texts, parts, strict=True) if p == "test"}
