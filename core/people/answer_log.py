"""The answers to one task, followed in their order: an entry is one answer to a question about a headline.

What a judge thinks now is what the entries give: a later answer to the same question replaces an earlier
one, an entry may take an earlier one back, and an order of headlines moves the others as `placed` says. So
every window that reads them sees the same.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.data.answers import ROWS
from core.data.identity import HeadlineKey
from core.journal.entry import Entry
from core.people.form import BETWEEN, Asks, FormQuestion
from core.people.ratings import judge_key

ANSWER: Final = "answer"
UNDO: Final = "undo"

Key = tuple[str, str, str]
"""A judge's key, the identity of an article, and the key of a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer.

    Attributes:
        article: Id of the article; in a log its identity.
        question: Key of the question.
        system: Name of the system whose headline is judged, or of the pair (`core.people.form.subjects`).
        value: One of the question's levels; None leaves the question open again.
    """

    article: str
    question: str
    system: str
    value: int | None


def placed(
    question: FormQuestion, given: Mapping[str, int], answer: Answer, systems: Collection[str]
) -> dict[str, int]:
    """The answers to a question about an article, by system, after one more.

    Of several headlines one is chosen: the others get 0. In an order no place is given twice: a headline
    that had the place takes the one that the other leaves, and the last headline without a place takes the
    last place.
    """
    after = dict(given)
    before = after.pop(answer.system, None)
    if answer.value is None:
        return {} if question.asks is Asks.ONE else after
    if question.ranks:
        for other in [system for system, value in after.items() if value == answer.value]:
            del after[other]
            if before is not None:
                after[other] = before
    if question.asks is Asks.ONE:
        return {system: int(system == answer.system) for system in systems} if answer.value else dict(given)
    after[answer.system] = answer.value
    without = [system for system in systems if system not in after]
    if question.ranks and len(without) == 1:
        after[without[0]] = (set(range(1, len(systems) + 1)) - set(after.values())).pop()
    return after


@dataclass(slots=True, kw_only=True)
class AnswerLog:
    """The answers to a task as they stand, brought up to date at each look.

    Attributes:
        questions: By key; what asks something else is no answer.
        systems: All that are judged.
        subjects: By question, what it asks about.
        keys: Of the headlines that are judged.
        names: The judges who did anything, by key, as they first gave their names.
        damaged: Entries that are no answer, as another program or version leaves them.
    """

    questions: Mapping[str, FormQuestion]
    systems: tuple[str, ...]
    subjects: Mapping[str, frozenset[str]]
    keys: Sequence[HeadlineKey]
    names: dict[str, str] = field(default_factory=dict)
    damaged: int = 0
    _levels: dict[str, frozenset[int]] = field(init=False)
    _read: tuple[Entry, ...] = ()
    _steps: dict[Key, list[tuple[str, Answer]]] = field(default_factory=dict)
    _asked: dict[str, Key] = field(default_factory=dict)
    _undone: set[tuple[str, str]] = field(default_factory=set)
    _now: dict[Key, dict[str, int]] = field(default_factory=dict)
    _looking: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Looks the levels up once and not for every entry."""
        self._levels = {
            key: frozenset(level.value for level in question.allowed(len(self.systems)))
            for key, question in self.questions.items()
        }

    def look(self, entries: tuple[Entry, ...]) -> Mapping[Key, Mapping[str, int]]:
        """The answers by judge, article and question, and by system."""
        with self._looking:
            seen = len(self._read)
            # Entries that were read anew, as after some were removed, are followed anew.
            if seen and (len(entries) < seen or entries[seen - 1] is not self._read[-1]):
                self._forget()
                seen = 0
            self._read = entries
            changed = {key for entry in entries[seen:] if (key := self._take(entry)) is not None}
            for key in changed:
                self._now[key] = self._follow(key)
            return dict(self._now)

    def _forget(self) -> None:
        self.damaged = 0
        for kept in (self.names, self._steps, self._asked, self._undone, self._now):
            kept.clear()

    def _take(self, entry: Entry) -> Key | None:
        judge = judge_key(entry.who)
        if entry.kind == UNDO and isinstance(undone := entry.body.get("answer"), str):
            # Nobody takes back what another has answered.
            self._undone.add((judge, undone))
            asked = self._asked.get(undone)
            return asked if asked is not None and asked[0] == judge else None
        answer = self._answer(entry.body) if entry.kind == ANSWER else None
        if answer is None or not judge:
            self.damaged += 1
            return None
        self.names.setdefault(judge, entry.who)
        key = (judge, answer.article, answer.question)
        self._asked[entry.id] = key
        self._steps.setdefault(key, []).append((entry.id, answer))
        return key

    def _follow(self, key: Key) -> dict[str, int]:
        now: dict[str, int] = {}
        for name, answer in self._steps[key]:
            if (key[0], name) not in self._undone:
                now = placed(self.questions[answer.question], now, answer, self.systems)
        return now

    def _answer(self, told: Mapping[str, Any]) -> Answer | None:
        asked, value = told.get("question"), told.get("value")
        rows = [told[name] for name in ROWS if name in told]
        whole = all(type(row) is int and 0 <= row < len(self.keys) for row in rows)
        if not rows or not whole or not isinstance(asked, str):
            return None
        keys = [self.keys[row] for row in rows]
        article, system = keys[0].address, BETWEEN.join(key.outlet for key in keys)
        levels = self._levels.get(asked)
        if levels is None or system not in self.subjects[asked] or keys[-1].address != article:
            return None
        if value is not None and (type(value) is not int or value not in levels):
            return None
        return Answer(article=article, question=asked, system=system, value=value)
