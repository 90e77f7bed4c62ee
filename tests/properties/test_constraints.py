"""Constraints on groups: whatever was said and however headlines were grouped, what holds must hold."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from core.groups.constraints import Constraints, Statement, enforce, resolve
from core.similarities import Similarities

COUNT = 14
ROWS = st.integers(0, COUNT - 1)
SETS = st.lists(ROWS, min_size=1, max_size=5, unique=True).map(tuple)
STATEMENTS = st.lists(
    st.one_of(
        st.builds(lambda one: Statement(together=(one,)), SETS),
        st.builds(
            lambda one, rest: Statement(together=(one,), apart=((one, tuple(set(rest) - set(one))),)),
            SETS,
            SETS,
        ),
        st.builds(lambda one: Statement(alone=one), SETS),
    ),
    max_size=8,
)
LABELS = st.lists(st.integers(0, 4), min_size=COUNT, max_size=COUNT).map(np.array)
SEEDS = st.integers(0, 2**16)


def drawn(seed):
    values = np.random.default_rng(seed).random((COUNT, COUNT), dtype=np.float32)
    matrix = (values + values.T) / 2
    np.fill_diagonal(matrix, 1.0)
    return Similarities(matrix)


def partition(labels):
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in set(labels.tolist())}


def check(labels, constraints):
    for members in constraints.together:
        assert len({labels[row] for row in members}) == 1
    for one, other in constraints.apart:
        assert labels[constraints.together[one][0]] != labels[constraints.together[other][0]]
    for row in constraints.alone:
        assert (labels == labels[row]).sum() == 1


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(LABELS, STATEMENTS, SEEDS, st.booleans())
def test_all_constraints_hold(labels, said, seed, thin):
    constraints, similar = resolve(said), drawn(seed)
    if thin:
        similar = Similarities(sparse.csr_matrix(np.where(similar.matrix > 0.5, similar.matrix, 0)))
    check(enforce(labels, constraints, similar), constraints)


@settings(max_examples=200, deadline=None)
@given(LABELS, STATEMENTS, SEEDS)
def test_groups_that_nothing_was_said_about_stay(labels, said, seed):
    constraints = resolve(said)
    named = {row for members in constraints.together for row in members} | constraints.alone
    after = partition(enforce(labels, constraints, drawn(seed)))
    for members in partition(labels):
        if not members & named:
            assert members in after


@settings(max_examples=200, deadline=None)
@given(LABELS, STATEMENTS, SEEDS, st.permutations(range(COUNT)))
def test_the_order_of_headlines_is_ignored(labels, said, seed, order):
    """Row `at` of the second timeline is row order[at] of the first."""
    constraints, similar = resolve(said), drawn(seed)
    before = enforce(labels, constraints, similar, rank=np.arange(COUNT))
    place = {row: at for at, row in enumerate(order)}
    moved = constraints.at({row: [at] for row, at in place.items()})
    matrix = similar.matrix[np.ix_(order, order)]
    after = enforce(labels[order], moved, Similarities(matrix), rank=np.array(order))
    assert partition(after) == {frozenset(place[row] for row in one) for one in partition(before)}


def test_what_joins_follows_the_side_it_is_more_similar_to():
    """Headlines 0 and 1 are parted; 2 and 3 came later, into the same group."""
    matrix = np.full((4, 4), 0.5, dtype=np.float32)
    matrix[0, 2] = matrix[2, 0] = matrix[1, 3] = matrix[3, 1] = 0.9
    constraints = resolve([Statement(together=((0,),), apart=(((0,), (1,)),))])
    labels = enforce(np.zeros(4, dtype=np.int64), constraints, Similarities(matrix))
    assert partition(labels) == {frozenset({0, 2}), frozenset({1, 3})}


def test_of_a_contradiction_the_later_statement_wins():
    joined, parted = Statement(together=((0, 1, 2),)), Statement(together=((0,),), apart=(((0,), (1,)),))
    assert resolve([joined, parted]).together == ((0, 2), (1,))
    assert resolve([parted, joined]) == resolve([joined])
    assert resolve([Statement(alone=(0, 1)), joined]).alone == frozenset()
    assert resolve([joined, Statement(alone=(1,))]) == Constraints(together=((0, 2),), alone=frozenset({1}))
