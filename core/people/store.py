"""The answers of judges in the journal: a stream a form and set of headlines, an entry an answer.

An answer is on the disk when `record` returns, and an entry says nothing but its own answer, so nobody writes
over what another has answered meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.journal.entry import NewEntry
from core.journal.journal import Journal
from core.people.answer_log import ANSWER, UNDO, Answer, AnswerLog, Key
from core.people.form import BETWEEN, EvaluationForm, evaluation_forms, subjects
from core.people.ratings import Ratings, check_ratings, empty_ratings, judge_key, judge_name
from core.people.task import EvaluationTask

STREAMS: Final = "ratings/"
"""What the names of the streams begin with."""
_LOGS: Final[dict[tuple[Journal, str], AnswerLog]] = {}
_MOST_LOGS: Final = 200
_OPENING: Final = threading.Lock()

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingStore:
    """The answers about one task under one form.

    Attributes:
        form: The questions.
        task: What is judged, or a part of it.
        journal: Where the answers of all tasks are.
    """

    form: EvaluationForm
    task: EvaluationTask
    journal: Journal

    @property
    def stream(self) -> str:
        """Where the answers are in the journal."""
        return f"{STREAMS}{evaluation_forms.name_of(self.form)}/{self.task.fingerprint}"

    @property
    def subjects(self) -> tuple[str, ...]:
        """What is answered about."""
        return subjects(self.form, self.task.systems)

    def record(self, judge: str, answer: Answer) -> str:
        """Stores one answer; it is on the disk when this returns.

        Args:
            judge: A name.
            answer: About an article of the task.

        Returns:
            Id of the answer, with which it can be undone.

        Raises:
            InputError: The name is empty or too long, or the answer is not allowed.
            DataSourceError: It cannot be stored; the answers are as they were.
        """
        new = self._entry(judge_name(judge), self._checked(judge, answer))
        self.journal.append(self.stream, [new])
        return new.id

    def undo(self, judge: str, answer: str) -> None:
        """Takes one answer back: the answers are as if it had never been given.

        Args:
            judge: A name.
            answer: Id of an answer of the judge's.

        Raises:
            InputError: The name is empty or too long.
            DataSourceError: It cannot be stored; the answers are as they were.
        """
        self.journal.append(
            self.stream, [NewEntry(kind=UNDO, who=judge_name(judge), body={"answer": answer})]
        )

    def ratings(self, *judges: str) -> Ratings:
        """The answers about the articles of the task.

        Args:
            judges: Names; left out, everybody who has answered anything about these articles.

        Raises:
            DataSourceError: They cannot be read.
        """
        answers, names = self._answers()
        asked = [judge_name(judge) for judge in judges] if judges else list(names.values())
        found = {judge_key(name): name for name in asked}
        ratings = empty_ratings(self.form, self.task, [found[key] for key in sorted(found)])
        self._fill(ratings, answers)
        if judges:
            return ratings
        given = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 2, 3)))
        some = tuple(name for name, here in zip(ratings.judges, given, strict=True) if here)
        return replace(ratings, judges=some, values=ratings.values[given])

    def damaged(self) -> int:
        """How many entries are no answers to this form and were ignored.

        Raises:
            DataSourceError: They cannot be read.
        """
        self._answers()
        return self._log().damaged

    def add(self, ratings: Ratings) -> int:
        """Adds answers that were given elsewhere, all or none; gives how many are new.

        Args:
            ratings: About the same task.

        Raises:
            InputError: An answer is not allowed, or a judge of that name has answered otherwise here.
            DataSourceError: They cannot be stored; the answers are as they were.
        """
        check_ratings(ratings)
        new = [self._new(judge, values) for judge, values in zip(ratings.judges, ratings.values, strict=True)]
        entries = [
            self._entry(judge_name(judge), answer)
            for judge, answers in zip(ratings.judges, new, strict=True)
            for answer in answers
        ]
        self.journal.append(self.stream, entries)
        return len(entries)

    def _new(self, judge: str, values: FloatArray) -> list[Answer]:
        """What a judge's answers from elsewhere add to those given here."""
        before = self.ratings(judge).values[0]
        known, given = ~np.isnan(before), ~np.isnan(values)
        conflict = known & given & (before != values)
        if conflict.any():
            at, row, _ = np.argwhere(conflict)[0].tolist()
            raise InputError(
                f"{judge} has judged the article {self.task.articles[row][:60]!r} otherwise here "
                f"({self.form.questions[at].label}).",
                hint="Give the judge of the file another name; nothing was loaded.",
            )
        for row in np.flatnonzero((given & ~known).any(axis=(0, 2))).tolist():
            joined = np.where(known[:, row], before[:, row], values[:, row])
            self._check_ties(joined, judge, row)
            self._check_order(joined, given[:, row] & ~known[:, row], judge, row)
        return [
            Answer(
                article=self.task.articles[row],
                question=self.form.questions[at].key,
                system=self.subjects[place],
                value=int(values[at, row, place]),
            )
            for at, row, place in np.argwhere(given & ~known).tolist()
        ]

    def _check_order(self, joined: FloatArray, new: npt.NDArray[np.bool_], judge: str, row: int) -> None:
        """Refuses answers to questions after the article without all answers to those before it."""
        hidden, systems = self.form.hidden, len(self.task.systems)
        missing = any(
            np.isnan(joined[at, question.places(systems)]).any()
            for at, question in enumerate(self.form.questions[:hidden])
        )
        if missing and new[hidden:].any():
            raise InputError(
                f"{judge} answers questions about the article {self.task.articles[row][:60]!r} without all "
                f"of the first {hidden} questions, which come before it is shown.",
                hint="Answer these first; nothing was loaded.",
            )

    def _check_ties(self, joined: FloatArray, judge: str, row: int) -> None:
        for question, values in zip(self.form.questions, joined, strict=True):
            given = values[~np.isnan(values)]
            if question.ranks and len(np.unique(given)) < len(given):
                raise InputError(
                    f"With the answers that {judge} gave here, two headlines of the article "
                    f"{self.task.articles[row][:60]!r} would share a place.",
                    hint="Give the judge of the file another name; nothing was loaded.",
                )

    def _checked(self, judge: str, answer: Answer) -> Answer:
        """The answer itself, if the form allows it."""
        at = [question.key for question in self.form.questions].index(answer.question)
        task = self.task.at([self.task.articles.index(answer.article)])
        one = empty_ratings(self.form, task, [judge_name(judge)])
        if answer.value is not None:
            one.values[0, at, 0, self.subjects.index(answer.system)] = answer.value
        check_ratings(one)
        return answer

    def _entry(self, judge: str, answer: Answer) -> NewEntry:
        row = self.task.articles.index(answer.article)
        headlines = dict(zip(self.task.systems, self.task.headlines[row], strict=True))
        body = {
            "form": evaluation_forms.name_of(self.form),
            "title": self.task.title,
            "article": answer.article,
            "question": answer.question,
            "system": answer.system,
            "headlines": [headlines[one] for one in answer.system.split(BETWEEN) if one in headlines],
            "value": answer.value,
        }
        return NewEntry(kind=ANSWER, who=judge, body=body)

    def _log(self) -> AnswerLog:
        """The answers as this process has followed them so far."""
        key = self.journal, self.stream
        with _OPENING:
            log = _LOGS.pop(key, None) or AnswerLog(
                questions={question.key: question for question in self.form.questions},
                systems=self.task.systems,
                subjects={
                    question.key: frozenset(
                        self.subjects[place] for place in question.places(len(self.task.systems))
                    )
                    for question in self.form.questions
                },
            )
            _LOGS[key] = log
            if len(_LOGS) > _MOST_LOGS:
                del _LOGS[next(iter(_LOGS))]
        return log

    def _answers(self) -> tuple[Mapping[Key, Mapping[str, int]], dict[str, str]]:
        """What everybody has answered, and the names of the judges by their keys."""
        log = self._log()
        return log.look(self.journal.read(self.stream)), dict(log.names)

    def _fill(self, ratings: Ratings, answers: Mapping[Key, Mapping[str, int]]) -> None:
        """Writes answers into ratings of the task's articles."""
        judges = {judge_key(name): at for at, name in enumerate(ratings.judges)}
        rows = {article: row for row, article in enumerate(self.task.articles)}
        questions = {question.key: at for at, question in enumerate(self.form.questions)}
        places = {subject: place for place, subject in enumerate(self.subjects)}
        for (judge, article, question), given in answers.items():
            if judge in judges and article in rows:
                for system, value in given.items():
                    ratings.values[judges[judge], questions[question], rows[article], places[system]] = value
