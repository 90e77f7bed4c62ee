from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings, stateful
from scipy import sparse

from core.errors import InputError
from core.groups.constraints import Constraints, Statement, enforce, resolve
from core.journal.backup import Backup, packed, taken, unpacked
from core.journal.entries import Entry, NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import Journal
from core.journal.opening import close
from core.journal.restore import put_back, without_forgotten
from core.journal.spellings import ErasureTarget
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


STREAM = st.sampled_from(["rooms/a", "rooms/b", "votes"])
PERSON = st.sampled_from(["Ada", "Bo", "Cy"])
SOMETHING = st.integers(0, 1_000)


class Storing(stateful.RuleBasedStateMachine):
    """Writers, readers and the person who runs the server. The model is a list of entries a stream."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        put_back(journal, Backup(entries=(), receipts=()))
        self.stored: dict[str, list[NewEntry]] = {}
        self.seen: dict[str, list[Entry]] = {}
        self.kept: tuple[bytes, dict[str, list[NewEntry]]] | None = None
        self.gone: set[str] = set()  # since the backup

    @stateful.rule(stream=STREAM, who=PERSON, bodies=st.lists(SOMETHING, min_size=1, max_size=3))
    def append(self, stream: str, who: str, bodies: list[int]) -> None:
        new = [NewEntry(kind="vote", who=who, body={"value": value}) for value in bodies]
        stored = self.journal.append(stream, new)
        assert [one.id for one in stored] == [one.id for one in new]
        self.stored.setdefault(stream, []).extend(new)

    @stateful.precondition(lambda self: self.stored)
    @stateful.rule(data=st.data(), forged=st.booleans())
    def replay(self, data: st.DataObject, forged: bool) -> None:
        """A form is sent again, as it was or with another answer."""
        stream = data.draw(st.sampled_from(sorted(self.stored)))
        old = data.draw(st.sampled_from(self.stored[stream]))
        if not forged:
            assert self.journal.append(stream, [old])[0].id == old.id
            return
        with pytest.raises(InputError):
            self.journal.append(stream, [replace(old, body={"value": -1}), NewEntry(kind="vote")])

    @stateful.rule(stream=STREAM)
    def look_for_news(self, stream: str) -> None:
        """A reader that asks only for what came since its last look."""
        seen = self.seen.setdefault(stream, [])
        seen += self.journal.read(stream, after=seen[-1].sequence if seen else 0)
        assert [one.id for one in seen] == [one.id for one in self.stored.get(stream, [])]

    @stateful.rule()
    def restart(self) -> None:
        close(self.journal.url)

    @stateful.rule()
    def back_up(self) -> None:
        self.gone.clear()
        self.kept = packed(taken(self.journal)), {name: list(some) for name, some in self.stored.items()}

    @stateful.precondition(lambda self: self.kept)
    @stateful.rule()
    def restore(self) -> None:
        assert self.kept is not None
        content, before = self.kept
        put_back(self.journal, without_forgotten(unpacked(content), taken(self.journal).receipts))
        self.stored = {name: list(some) for name, some in before.items()}
        self._without(self.gone)
        self.seen.clear()

    @stateful.rule(who=PERSON)
    def opt_out(self, who: str) -> None:
        before = sum(map(len, self.stored.values()))
        receipt = forget(self.journal, secret_of(ErasureTarget.PERSON, who), {})
        self.gone.add(who)
        self._without({who})
        assert receipt["removed"] == before - sum(map(len, self.stored.values()))
        self.seen.clear()

    def _without(self, people: set[str]) -> None:
        left = {name: [one for one in some if one.who not in people] for name, some in self.stored.items()}
        self.stored = {name: some for name, some in left.items() if some}

    @stateful.invariant()
    def holds_what_was_stored(self) -> None:
        assert set(self.journal.streams()) == set(self.stored)
        for stream, expected in self.stored.items():
            found = self.journal.read(stream)
            assert [(one.id, one.who, one.body) for one in found] == [
                (one.id, one.who, one.body) for one in expected
            ]
            numbers: list[Any] = [one.sequence for one in found]
            assert numbers == sorted(set(numbers))


@pytest.mark.slow
def test_the_journal_holds_what_lists_hold(journal):
    stateful.run_state_machine_as_test(
        lambda: Storing(journal), settings=settings(max_examples=12, stateful_step_count=20, deadline=None)
    )
