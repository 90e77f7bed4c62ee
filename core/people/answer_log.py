"""The answers to one task, followed in their order: an entry is one answer to a question about a headline.

What a judge thinks now is what the entries give: a later answer to the same question replaces an earlier
one, an entry may take an earlier one back, and an order of headlines moves the others as `placed` says. So
every window that reads them sees the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.data.answers import ROWS
from core.data.identity import HeadlineKey
from core.journal.entry import Entry
from core.people.form import BETWEEN, Asks, EvaluationForm, FormQuestion, subjects
from core.people.ratings import judge_key

ANSWER: Final = "answer"
UNDO: Final = "undo"

Key = tuple[str, str, str]
"""A judge's key, the identity of an article, and the key of a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer; of a value None the question is open again.

    In a log `article` is its identity; `system` is a system or a pair (`core.people.form.subjects`).
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


def standing(entries: Iterable[Entry], undo: str) -> list[Entry]:
    """The entries that their own writers did not take back by one of a kind, which names them as "of"."""
    entries = list(entries)
    undone = {(str(entry.body.get("of")), judge_key(entry.who)) for entry in entries if entry.kind == undo}
    return [entry for entry in entries if (entry.id, judge_key(entry.who)) not in undone]


class AnswerLog:
    """The answers to a task as they stand after the entries that were folded in.

    `now` has them by judge, article and question, and by system; `names` the judges who did anything, by key,
    as they first gave their names; `damaged` counts what is no answer, as another program leaves it.
    """

    def __init__(self, form: EvaluationForm, systems: tuple[str, ...], keys: Sequence[HeadlineKey]) -> None:
        known = subjects(form, systems)
        self.questions = {question.key: question for question in form.questions}
        self.systems, self.keys = systems, keys
        self.now: dict[Key, dict[str, int]] = {}
        self.names: dict[str, str] = {}
        self.damaged = 0
        self._allowed = {
            question.key: (
                {known[place] for place in question.places(len(systems))},
                {level.value for level in question.allowed(len(systems))},
            )
            for question in form.questions
        }
        self._steps: dict[Key, list[tuple[str, Answer]]] = {}
        self._asked: dict[str, Key] = {}
        self._undone: set[tuple[str, str]] = set()

    def with_more(self, entries: Sequence[Entry]) -> AnswerLog:
        """Folds further entries in."""
        self.names = dict(self.names)
        changed = {key for entry in entries if (key := self._take(entry)) is not None}
        # Another window may be reading the answers as they were.
        self.now = self.now | {key: self._follow(key) for key in changed}
        return self

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

    def _answer(self, body: Mapping[str, Any]) -> Answer | None:
        asked, value = body.get("question"), body.get("value")
        rows = [body[name] for name in ROWS if name in body]
        whole = all(type(row) is int and 0 <= row < len(self.keys) for row in rows)
        if not rows or not whole or not isinstance(asked, str):
            return None
        keys = [self.keys[row] for row in rows]
        article, system = keys[0].address, BETWEEN.join(key.outlet for key in keys)
        about, levels = self._allowed.get(asked, (set(), set()))
        if system not in about or keys[-1].address != article:
            return None
        if value is not None and (type(value) is not int or value not in levels):
            return None
        return Answer(article=article, question=asked, system=system, value=value)
