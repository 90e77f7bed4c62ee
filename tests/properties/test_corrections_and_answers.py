"""Corrections, and answers in the store, compared with a list and a dictionary that are kept by hand."""

import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.data import answers
from core.data.answers import _FILES
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.events.correcting import Correcting
from core.events.correction import Correction, History, Kind
from core.events.corrections import fitted
from core.events.grouping import Grouping, Settings, prepare, regroup
from core.journal.journal import Journal
from core.journal.opening import close, sqlite_url
from core.people import store as stores
from core.people.store import JudgeAnswer, RatingStore
from core.runtime import Runtime
from tests.unit.people.by_hand import FORM, task_of

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


def test_an_event_that_another_window_changed_is_the_one_with_most_of_its_headlines():
    grouping = regroup(iss(), 0.74)
    large, other = sorted(partition(grouping.ids), key=len)[-1:-3:-1]
    gone, moved = min(large), min(other)
    history = History().with_more([Correcting(iss(), grouping, History()).split([gone])])
    target = int(grouping.ids[max(large)])
    history = history.with_more([Correcting(iss(), grouping, history).move([moved], target)])
    found = partition(regroup(iss(), 0.74, corrections=fitted(history, iss().timeline.index.row)).ids)
    assert {frozenset({gone}), large - {gone} | {moved}, other - {moved}} <= found


SYSTEMS = ("A", "B", "C")
VERSIONS = task_of(2, SYSTEMS), task_of(3, SYSTEMS).at([2, 1, 0])
LEVELS = {"numeral_accuracy": [0, 1, 2], "readability": [1, 2, 3, 4, 5]}
ARTICLE, SYSTEM = st.sampled_from(["a0", "a1"]), st.sampled_from(SYSTEMS)
WINDOW = st.integers(0, 1)
RATED = st.sampled_from(list(LEVELS)).flatmap(
    lambda question: st.tuples(st.just(question), st.sampled_from([None, *LEVELS[question]]))
)


class Judging(RuleBasedStateMachine):
    """One judge in two windows, each with its version of the table.

    The model of the levels is a dictionary of what was given to each headline, in its order; of an order of
    headlines it knows the last place that was given.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.journal = Journal(sqlite_url(self.root))
        self.given: dict[tuple[str, str, str], dict[str, int | None]] = {}
        self.undoable: list[list[tuple[tuple[str, str, str], str]]] = [[], []]
        self.placed: tuple[str, str, int] | None = None

    def teardown(self) -> None:
        close(self.journal.url)
        shutil.rmtree(self.root)

    def store(self, window: int) -> RatingStore:
        return RatingStore(form=FORM, task=VERSIONS[window], journal=self.journal)

    def record(self, window: int, article: str, question: str, system: str, value: int | None) -> None:
        answer = JudgeAnswer(article=article, question=question, system=system, value=value)
        key, name = (article, question, system), self.store(window).record("Ada", answer)
        if question in LEVELS:
            self.given.setdefault(key, {})[name] = value
        self.undoable[window].append((key, name))

    @rule(window=WINDOW, article=ARTICLE, system=SYSTEM, rated=RATED)
    def rate(self, window: int, article: str, system: str, rated: tuple[str, int | None]) -> None:
        self.record(window, article, rated[0], system, rated[1])
        self.placed = None

    @rule(window=WINDOW, article=ARTICLE, system=SYSTEM, value=st.sampled_from([None, 1, 2, 3]))
    def rank(self, window: int, article: str, system: str, value: int | None) -> None:
        self.record(window, article, "reasonableness", system, value)
        self.placed = None if value is None else (article, system, value)

    @rule(window=WINDOW)
    def undo(self, window: int) -> None:
        if self.undoable[window]:
            key, name = self.undoable[window].pop()
            self.store(window).undo("Ada", name)
            self.given.get(key, {}).pop(name, None)
            self.placed = None

    @rule()
    def start_anew(self) -> None:
        """Another process, which remembers nothing."""
        for folds in (stores._LOGS, answers._HERE, _FILES):
            folds._known.clear()
        close(self.journal.url)

    @invariant()
    def shows_what_was_given(self) -> None:
        for window in (0, 1):
            self.shows_in(window)

    def shows_in(self, window: int) -> None:
        found = self.store(window).ratings("Ada")
        for at, question in enumerate(FORM.questions):
            for row, article in enumerate(found.task.articles):
                values = found.values[0, at, row]
                if question.ranks:
                    places = values[~np.isnan(values)].tolist()
                    assert len(set(places)) == len(places)
                    continue
                for place, system in enumerate(SYSTEMS):
                    steps = self.given.get((article, question.key, system), {})
                    expected = next(reversed(steps.values()), None)
                    np.testing.assert_equal(values[place], np.nan if expected is None else expected)
        if self.placed is not None:
            article, system, value = self.placed
            row, place = found.task.articles.index(article), SYSTEMS.index(system)
            assert found.values[0, 1, row, place] == value


TestJudging = Judging.TestCase
TestJudging.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
