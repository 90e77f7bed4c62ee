"""What every registered grouping method promises."""

import math

import numpy as np
import pytest
from scipy import sparse

from core.errors import InputError
from core.groups.grouper import GroupingInput, by_first_appearance, groupers
from core.runtime import Runtime
from core.similarities import Similarities

NAMES = groupers.names()
SLIDER = (0.0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0)


@pytest.fixture(params=NAMES)
def grouper(request):
    return groupers.get(request.param)()


def events(size, seed=0, *, form="dense"):
    """Headlines about a handful of events, without ties."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(size // 6, 1), 24))
    vectors = centres[random.integers(0, len(centres), size)] + random.normal(scale=0.6, size=(size, 24))
    return from_vectors(vectors, form=form)


def from_vectors(vectors, *, form="dense"):
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    matrix = np.clip(unit @ unit.T, 0, 1).astype(np.float32)
    matrix = np.maximum(matrix, matrix.T)
    np.fill_diagonal(matrix, 1.0)
    if form == "sparse":
        return GroupingInput(Similarities(sparse.csr_matrix(np.where(matrix >= 0.2, matrix, 0))), unit)
    return GroupingInput(Similarities(matrix), unit)


def reordered(given, order):
    matrix = given.similarities.matrix
    moved = matrix[order][:, order]
    dense = isinstance(matrix, np.ndarray)
    similar = Similarities(np.ascontiguousarray(moved) if dense else sparse.csr_matrix(moved))
    return GroupingInput(similar, given.vectors[order])


@pytest.mark.parametrize(("size", "form"), [(1, "dense"), (2, "sparse"), (60, "dense"), (60, "sparse")])
def test_labels_are_canonical(grouper, size, form):
    hierarchy = grouper.fit(events(size, form=form), Runtime())
    for granularity in SLIDER:
        labels = hierarchy.cut(granularity)
        assert labels.shape == (size,)
        assert labels.dtype == np.int64
        np.testing.assert_array_equal(labels, by_first_appearance(labels))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_no_headlines(grouper, form):
    nothing = GroupingInput(Similarities(form(np.zeros((0, 0), np.float32))), np.zeros((0, 24), np.float32))
    labels = grouper.fit(nothing, Runtime()).cut(0.5)
    assert labels.shape == (0,)
    assert labels.dtype == np.int64


@pytest.mark.parametrize(("form", "granularity"), [("dense", 0.05), ("dense", 0.95), ("sparse", 0.5)])
def test_identical_headlines_are_together(grouper, form, granularity):
    same = from_vectors(np.tile([[0.6, 0.8]], (25, 1)), form=form)
    assert grouper.fit(same, Runtime()).cut(granularity).tolist() == [0] * 25


@pytest.mark.parametrize(("form", "seed"), [("dense", 0), ("sparse", 1)])
def test_order_of_rows_plays_no_part(grouper, form, seed):
    given = events(70, seed, form=form)
    order = np.random.default_rng(seed + 100).permutation(70)
    straight = grouper.fit(given, Runtime())
    shuffled = grouper.fit(reordered(given, order), Runtime())
    for granularity in (0.2, 0.45, 0.6, 0.75):
        np.testing.assert_array_equal(
            shuffled.cut(granularity), by_first_appearance(straight.cut(granularity)[order])
        )


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_nested_methods_only_merge_as_the_slider_grows(grouper, form):
    if not grouper.nested:
        pytest.skip("declares that it is not nested")
    hierarchy = grouper.fit(events(80, form=form), Runtime())
    fine = hierarchy.cut(0.0)
    for granularity in np.linspace(0, 1, 41)[1:]:
        coarse = hierarchy.cut(float(granularity))
        pairs = set(zip(fine.tolist(), coarse.tolist(), strict=True))
        assert len(pairs) == fine.max() + 1  # each fine group lies in one coarse group
        fine = coarse


def test_same_answer_twice_and_the_input_is_left_as_it_was(grouper):
    given = events(80)
    before = np.array(given.similarities.matrix)
    once, again = grouper.fit(given, Runtime()), grouper.fit(given, Runtime())
    for granularity in (0.7, 0.3, 0.7):
        np.testing.assert_array_equal(once.cut(granularity), again.cut(granularity))
    np.testing.assert_array_equal(before, given.similarities.matrix)


def test_clear_events_are_found(grouper):
    random = np.random.default_rng(5)
    centres = np.eye(4)
    gold = np.repeat(np.arange(4), 8)
    given = from_vectors(centres[gold] + random.normal(scale=0.02, size=(32, 4)))
    np.testing.assert_array_equal(grouper.fit(given, Runtime()).cut(0.5), gold)


@pytest.mark.parametrize("granularity", [-0.1, 1.1, math.nan])
def test_granularity_outside_0_to_1_is_refused(grouper, granularity):
    with pytest.raises(InputError, match="granularity"):
        grouper.fit(events(5), Runtime()).cut(granularity)
