"""The store compared with a dictionary: windows that answer, clear and undo."""

import shutil
import tempfile
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.data import identity
from core.journal.database import close, sqlite_url
from core.journal.journal import Journal
from core.people import store as stores
from core.people.store import Answer, RatingStore
from tests.unit.people.by_hand import FORM, task_of

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
        answer = Answer(article=article, question=question, system=system, value=value)
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
        stores._LOGS.clear()
        identity._HERE.clear()
        identity._FILES.clear()
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
