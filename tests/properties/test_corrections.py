"""Corrections compared with a list that is kept by hand."""

from dataclasses import replace
from functools import cache

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.data.timelines.load import load_sample
from core.errors import InputError
from core.events.correcting import Correcting
from core.events.correction import Correction, History, Kind
from core.events.corrections import fitted
from core.events.grouping import Grouping, Settings, prepare, regroup
from core.runtime import Runtime

ROWS = st.lists(st.integers(0, 46), min_size=1, max_size=4, unique=True)
PICKED = st.integers(0, 46)


@cache
def iss():
    sample = load_sample("iss")
    # Without gold groups nothing is measured, which would take most of the time.
    return prepare(replace(sample, table=sample.table.assign(gold_group=None)), Settings(), Runtime())


def partition(ids):
    return {frozenset(np.flatnonzero(ids == one).tolist()) for one in set(ids.tolist())}


class Editing(RuleBasedStateMachine):
    """One person corrects the sample at one setting of the slider."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.steps: list[set[frozenset[int]]] = []
        self.ahead: list[set[frozenset[int]]] = []
        self.cut = 0.74

    @initialize(cut=st.sampled_from([0.0, 0.4, 0.6, 0.74, 0.9, 1.0]))
    def begin(self, cut: float) -> None:
        self.cut = cut
        self.steps = [partition(regroup(iss(), cut).ids)]

    def seen(self) -> Grouping:
        return regroup(iss(), self.cut, corrections=fitted(self.history, iss().timeline.index.row))

    def correcting(self) -> Correcting:
        return Correcting(iss(), self.seen(), self.history, "Ada")

    def done(self, correction: Correction, wanted: set[frozenset[int]]) -> None:
        self.history = self.history.with_more([correction])
        self.steps.append(wanted)
        self.ahead.clear()

    def without(self, rows: frozenset[int]) -> set[frozenset[int]]:
        return {one - rows for one in self.steps[-1] if one - rows}

    @rule(rows=ROWS, goal=PICKED)
    def move(self, rows: list[int], goal: int) -> None:
        correcting = self.correcting()
        ids = correcting.grouping.ids
        try:
            correction = correcting.move(rows, int(ids[goal]))
        except InputError:
            assert {int(ids[row]) for row in rows} == {int(ids[goal])}
            return
        moved = frozenset(row for row in rows if ids[row] != ids[goal])
        rest = self.without(moved)
        into = next(one for one in rest if goal in one)
        self.done(correction, (rest - {into}) | {into | moved})

    @rule(rows=ROWS)
    def split(self, rows: list[int]) -> None:
        try:
            correction = self.correcting().split(rows)
        except InputError:
            assert frozenset(rows) in self.steps[-1]
            return
        self.done(correction, self.without(frozenset(rows)) | {frozenset(rows)})

    @rule(one=PICKED, other=PICKED)
    def merge(self, one: int, other: int) -> None:
        correcting = self.correcting()
        groups = [int(correcting.grouping.ids[row]) for row in (one, other)]
        if groups[0] != groups[1]:
            both = frozenset(row for part in self.steps[-1] if part & {one, other} for row in part)
            self.done(correcting.merge(groups), self.without(both) | {both})

    @rule(row=PICKED)
    def free(self, row: int) -> None:
        correcting = self.correcting()
        rows = next(one for one in self.steps[-1] if row in one)
        if len(rows) > 1:
            group = int(correcting.grouping.ids[row])
            self.done(correcting.not_an_event(group), self.without(rows) | {frozenset({r}) for r in rows})

    @precondition(lambda self: len(self.steps) > 1)
    @rule()
    def undo(self) -> None:
        last = self.history.last
        self.history = self.history.with_more([Correction(kind=Kind.UNDO, text=last.id)])
        self.ahead.append(self.steps.pop())

    @precondition(lambda self: self.ahead)
    @rule()
    def redo(self) -> None:
        again = self.history.undone[-1]
        self.history = self.history.with_more([Correction(kind=Kind.REDO, text=again.id)])
        self.steps.append(self.ahead.pop())

    @invariant()
    def shows_what_was_asked_for(self) -> None:
        if self.steps:
            assert partition(self.seen().ids) == self.steps[-1]

    @invariant()
    def a_person_can_go_back_to_the_start(self) -> None:
        if self.steps:
            assert (self.history.last is None) == (len(self.steps) == 1)


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)


def test_what_an_event_loses_says_nothing_about_what_is_left():
    """After many headlines were split off, the slider still takes the rest apart."""
    history, rows = History(), iss().timeline.index.row
    for row in range(12):
        grouping = regroup(iss(), 1.0, corrections=fitted(history, rows))
        history = history.with_more([Correcting(iss(), grouping, history).split([row])])
    wide = partition(regroup(iss(), 1.0, corrections=fitted(history, rows)).ids)
    assert sorted(map(len, wide)) == [1] * 12 + [35]
    narrow = partition(regroup(iss(), 0.0, corrections=fitted(history, rows)).ids)
    assert max(map(len, narrow)) == max(map(len, partition(regroup(iss(), 0.0).ids)))


@settings(max_examples=25, deadline=None)
@given(data=st.data(), cut=st.sampled_from([0.74, 0.9, 1.0]))
def test_two_windows_that_correct_one_event_keep_what_both_said(data, cut):
    grouping = regroup(iss(), cut)
    event = data.draw(st.sampled_from([one for one in partition(grouping.ids) if len(one) > 2]))
    first, second = (
        frozenset(part) for part in data.draw(st.permutations(sorted(event)).map(lambda r: (r[:1], r[1:2])))
    )
    ends = []
    for order in ((first, second), (second, first)):
        history = History()
        for rows in order:  # each sees the groups as they were before the other
            history = history.with_more([Correcting(iss(), grouping, history).split(sorted(rows))])
        ends.append(partition(regroup(iss(), cut, corrections=fitted(history, iss().timeline.index.row)).ids))
    assert ends[0] == ends[1] == (partition(grouping.ids) - {event}) | {first, second, event - first - second}
