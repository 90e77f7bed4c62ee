"""One judge's answers as a file of lines: each line is one answer to one question about one headline.

Lines are only appended. What the judge thinks now is what the lines give when they are followed in their
order: a later answer to the same question replaces an earlier one, a line may take an earlier one back, and
an order of headlines moves the others as `placed` says. So every window that reads the file sees the same.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.people.appended import ReadPosition, read_on
from core.people.form import Asks, FormQuestion

FORMAT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer.

    Attributes:
        article: Id of the article.
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

    Args:
        question: The question.
        given: The answers before; they stay as they are.
        answer: One that the question allows.
        systems: All that are judged.
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
    """The answers in a file, read on at each look.

    Attributes:
        path: The file; it need not exist.
        questions: By key; what asks something else is no answer.
        systems: All that are judged.
        subjects: By question, what it asks about.
        judge: Name in the file, "" as long as it holds none.
        damaged: Lines that are no answer, as a crash or another program leaves them.
    """

    path: Path
    questions: Mapping[str, FormQuestion]
    systems: tuple[str, ...]
    subjects: Mapping[str, frozenset[str]]
    judge: str = ""
    damaged: int = 0
    _levels: dict[str, frozenset[int]] = field(init=False)
    _place: ReadPosition | None = None
    _steps: dict[tuple[str, str], list[tuple[str, Answer]]] = field(default_factory=dict)
    _asked: dict[str, tuple[str, str]] = field(default_factory=dict)
    _undone: set[str] = field(default_factory=set)
    _now: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    _looking: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Looks the levels up once and not for every line."""
        self._levels = {
            key: frozenset(level.value for level in question.allowed(len(self.systems)))
            for key, question in self.questions.items()
        }

    def look(self) -> Mapping[tuple[str, str], Mapping[str, int]]:
        """The answers as they stand now: by article and question, and by system.

        Raises:
            DataSourceError: The file cannot be read.
        """
        with self._looking:
            news = read_on(self.path, self._place)
            if news.anew:
                self._forget()
            self._place = news.place
            changed = {key for line in news.lines if (key := self._take(line)) is not None}
            for key in changed:
                self._now[key] = self._follow(key)
            return dict(self._now)

    @property
    def cut(self) -> bool:
        """Whether the file ends within a line."""
        return self._place is not None and self._place.cut

    def _forget(self) -> None:
        self.judge, self.damaged = "", 0
        for kept in (self._steps, self._asked, self._undone, self._now):
            kept.clear()

    def _take(self, line: bytes) -> tuple[str, str] | None:
        """Keeps what a line says; article and question that it is about, None where it changes nothing."""
        told = _told(line)
        undone = None if told is None else told.get("undo")
        answer = None if told is None or undone is not None else self._answer(told)
        if told is None or (answer is None and not isinstance(undone, str)):
            self.damaged += 1
            return None
        self.judge = self.judge or told["judge"]
        if answer is None:
            self._undone.add(str(undone))
            return self._asked.get(str(undone))
        # A line that was copied counts once.
        if told["id"] in self._asked:
            return None
        key = (answer.article, answer.question)
        self._asked[told["id"]] = key
        self._steps.setdefault(key, []).append((told["id"], answer))
        return key

    def _follow(self, key: tuple[str, str]) -> dict[str, int]:
        now: dict[str, int] = {}
        for name, answer in self._steps[key]:
            if name not in self._undone:
                now = placed(self.questions[answer.question], now, answer, self.systems)
        return now

    def _answer(self, told: dict[str, Any]) -> Answer | None:
        article, asked, system, value = (
            told.get(name) for name in ("article", "question", "system", "value")
        )
        if not (isinstance(article, str) and isinstance(asked, str) and isinstance(system, str)):
            return None
        levels = self._levels.get(asked)
        if levels is None or system not in self.subjects[asked]:
            return None
        if value is not None and (type(value) is not int or value not in levels):
            return None
        return Answer(article=article, question=asked, system=system, value=value)


def _told(line: bytes) -> dict[str, Any] | None:
    """What a line of this program says; None where it is none."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        return None
    return told if all(isinstance(told.get(name), str) for name in ("id", "judge")) else None
