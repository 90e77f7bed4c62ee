"""Numbers of groups that stay."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.groups.stable_ids import stable_ids


def ids(labels, reference=None, previous=None):
    keys = [chr(ord("a") + row) for row in range(len(labels))]
    found = stable_ids(
        np.array(labels, np.int64),
        keys,
        reference=None if reference is None else np.array(reference, np.int64),
        previous=previous,
    )
    return found.tolist()


def test_first_numbers_go_by_founder():
    assert ids([5, 2, 5, 0]) == [1, 2, 1, 3]
    found = stable_ids(np.array([0, 0, 1]), ["2015-03", "2015-02", "2015-01"])
    assert found.tolist() == [2, 2, 1]
    assert found.dtype == np.int64


@pytest.mark.parametrize(
    ("labels", "reference", "wanted"),
    [
        ([0, 1, 1, 2], [0, 0, 0, 1], [3, 1, 1, 2]),  # the larger part of a split keeps the number
        ([0, 1, 1, 0, 2], [0, 0, 0, 0, 1], [1, 4, 4, 1, 2]),  # of even parts the founder's
        ([0, 0, 0, 1], [0, 1, 1, 2], [2, 2, 2, 3]),  # merged groups go by the largest
        ([0, 0, 1], [0, 1, 2], [1, 1, 3]),  # then by the earliest
        ([0, 1, 2], [0, 0, 0], [2, 3, 4]),  # no part with half of a group
        ([], [], []),
    ],
)
def test_a_group_takes_the_number_of_what_it_holds_most_of(labels, reference, wanted):
    assert ids(labels, reference=reference) == wanted


@pytest.mark.parametrize(
    ("labels", "previous", "wanted"),
    [
        ([0, 1, 0, 2, 1], {"b": 1, "c": 2, "d": 7}, [2, 1, 2, 7, 1]),
        ([0, 1, 2], {"b": 4, "gone": 9}, [10, 4, 11]),  # new groups get numbers above all earlier ones
        ([0, 0, 0, 1], {"a": 1, "b": 2, "c": 2}, [2, 2, 2, 3]),
        ([0, 0, 1, 1], dict.fromkeys("abcd", 5), [5, 5, 6, 6]),
        ([0, 1, 1, 1], dict.fromkeys("abcd", 5), [6, 5, 5, 5]),
    ],
)
def test_added_headlines_leave_the_numbers(labels, previous, wanted):
    assert ids(labels, previous=previous) == wanted


groupings = st.integers(1, 25).flatmap(
    lambda size: st.tuples(
        st.lists(st.integers(0, 6), min_size=size, max_size=size),
        st.lists(st.integers(0, 6), min_size=size, max_size=size),
        st.permutations(range(size)),
    )
)


def one_to_one(left, right):
    pairs = set(zip(left, right, strict=True))
    return len(pairs) == len(set(left)) == len(set(right))


@settings(max_examples=200)
@given(groupings)
def test_numbers_stand_for_groups_one_to_one(case):
    labels, reference, _ = case
    found = ids(labels, reference)
    assert one_to_one(labels, found)
    assert min(found) >= 1
    start = ids(reference)
    assert sorted(set(start)) == list(range(1, len(set(reference)) + 1))


@settings(max_examples=200)
@given(groupings)
def test_order_of_rows_plays_no_part(case):
    labels, reference, order = case
    keys = [f"{row:03}" for row in range(len(labels))]
    straight = stable_ids(np.array(labels), keys, reference=np.array(reference))
    shuffled = stable_ids(
        np.array(labels)[list(order)],
        [keys[row] for row in order],
        reference=np.array(reference)[list(order)],
    )
    np.testing.assert_array_equal(shuffled, straight[list(order)])


@settings(max_examples=200)
@given(groupings)
def test_the_reference_itself_and_what_was_stored_keep_their_numbers(case):
    reference = case[0]
    start = ids(reference)
    assert ids(reference, reference) == start
    keys = [chr(ord("a") + row) for row in range(len(reference))]
    assert ids(reference, previous=dict(zip(keys, start, strict=True))) == start


@settings(max_examples=200)
@given(groupings, st.lists(st.integers(0, 6), min_size=25, max_size=25))
def test_a_group_with_the_same_members_keeps_its_number_at_every_cut(case, other):
    labels, reference, _ = case
    other = other[: len(labels)]
    other = [label if label < 3 else 100 + mark for label, mark in zip(labels, other, strict=True)]
    one, two = ids(labels, reference), ids(other, reference)
    for group in {label for label in labels if label < 3}:
        members = [row for row, label in enumerate(labels) if label == group]
        assert {one[row] for row in members} == {two[row] for row in members}


@settings(max_examples=200)
@given(groupings, st.data())
def test_adding_headlines_keeps_every_group_that_only_grew(case, data):
    labels, _, _ = case
    keys = [f"{row:03}" for row in range(len(labels))]
    before = stable_ids(np.array(labels), keys)
    added = data.draw(st.lists(st.integers(0, 9), max_size=10))
    more = [f"{data.draw(st.integers(0, 999)):03}x{at}" for at in range(len(added))]
    after = stable_ids(
        np.array(labels + added), keys + more, previous=dict(zip(keys, before.tolist(), strict=True))
    )
    np.testing.assert_array_equal(after[: len(labels)], before)
    fresh = set(after.tolist()) - set(before.tolist())
    assert all(number > before.max() for number in fresh)
