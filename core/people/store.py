"""Answers on disk: one file a judge, to which every single answer is appended as a line of its own.

An answer is on the disk when `record` returns. Threads, windows and processes append under a lock, and a line
says nothing but its own answer, so nobody writes over what another has answered meanwhile.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.errors import InputError
from core.people.answer_log import FORMAT, Answer, AnswerLog
from core.people.form import EvaluationForm, evaluation_forms, subjects
from core.people.ratings import Ratings, check_ratings, empty_ratings, judge_file, judge_key, judge_name
from core.people.task import EvaluationTask
from core.runtime import user_folder

_TASK: Final = "task.json"
_HINT: Final = "Check that the folder may be written and that there is space, then answer again."
_LOGS: Final[dict[Path, AnswerLog]] = {}
_MOST_LOGS: Final = 2_000
_OPENING: Final = threading.Lock()

FloatArray = npt.NDArray[np.float64]


def default_folder() -> Path:
    """The folder of the answers that the page keeps."""
    return user_folder() / "evaluations"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingStore:
    """The answers about one task under one form.

    Attributes:
        form: The questions.
        task: What is judged, or a part of it.
        root: The folder of all tasks; `default_folder` as a rule.
    """

    form: EvaluationForm
    task: EvaluationTask
    root: Path

    @property
    def folder(self) -> Path:
        """Where the files are: one folder a form and task."""
        return self.root / f"{evaluation_forms.name_of(self.form)}-{self.task.fingerprint}"

    @property
    def subjects(self) -> tuple[str, ...]:
        """What is answered about."""
        return subjects(self.form, self.task.systems)

    def record(self, judge: str, answer: Answer) -> str:
        """Keeps one answer; it is on the disk when this returns.

        Args:
            judge: A name.
            answer: About an article of the task.

        Returns:
            Id of the answer, with which it can be undone.

        Raises:
            InputError: The name is empty or too long, or the answer is not allowed.
            DataSourceError: It cannot be written; the answers are as they were.
        """
        (name,) = self._write(judge, [self._said(self._checked(judge, answer))])
        return name

    def undo(self, judge: str, answer: str) -> None:
        """Takes one answer back: the answers are as if it had never been given.

        Args:
            judge: A name.
            answer: Id of an answer of the judge's.

        Raises:
            InputError: The name is empty or too long.
            DataSourceError: It cannot be written; the answers are as they were.
        """
        self._write(judge, [{"undo": answer}])

    def ratings(self, *judges: str) -> Ratings:
        """The answers about the articles of the task.

        Args:
            judges: Names; left out, everybody who has answered anything about these articles.

        Raises:
            DataSourceError: A file cannot be read.
        """
        found: list[tuple[str, FloatArray]] = []
        if judges:
            found = [(judge_name(judge), self._values(self._log(judge_file(judge)))) for judge in judges]
        else:
            logs = [self._log(path.name) for path in self.folder.glob("*.jsonl")]
            answered = [(self._values(log), log.judge) for log in logs]
            found = [(name, values) for values, name in answered if name and not np.isnan(values).all()]
        found.sort(key=lambda one: judge_key(one[0]))
        ratings = empty_ratings(self.form, self.task, [name for name, _ in found])
        for place, (_, values) in enumerate(found):
            ratings.values[place] = values
        return ratings

    def damaged(self) -> int:
        """How many lines of all judges are no answers and were ignored, as after a crash.

        Raises:
            DataSourceError: A file cannot be read.
        """
        logs = [self._log(path.name) for path in self.folder.glob("*.jsonl")]
        for log in logs:
            log.look()
        return sum(log.damaged + log.cut for log in logs)

    def add(self, ratings: Ratings) -> int:
        """Adds answers that were given elsewhere; gives how many are new.

        Nothing is added where an answer is refused. Each judge's answers are written whole or not at all.

        Args:
            ratings: About the same task.

        Raises:
            InputError: An answer is not allowed, or a judge of that name has answered otherwise here.
            DataSourceError: The folder cannot be written.
        """
        check_ratings(ratings)
        new = [self._new(judge, values) for judge, values in zip(ratings.judges, ratings.values, strict=True)]
        for judge, answers in zip(ratings.judges, new, strict=True):
            if answers:
                self._write(judge, [self._said(answer) for answer in answers])
        return sum(map(len, new))

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
            self._check_ties(np.where(known[:, row], before[:, row], values[:, row]), judge, row)
        return [
            Answer(
                article=self.task.articles[row],
                question=self.form.questions[at].key,
                system=self.subjects[place],
                value=int(values[at, row, place]),
            )
            for at, row, place in np.argwhere(given & ~known).tolist()
        ]

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

    def _said(self, answer: Answer) -> dict[str, Any]:
        return {
            "form": evaluation_forms.name_of(self.form),
            "article": answer.article,
            "question": answer.question,
            "system": answer.system,
            "value": answer.value,
        }

    def _write(self, judge: str, told: Sequence[dict[str, Any]]) -> list[str]:
        """Appends lines, all of them or none; gives their ids."""
        name, now = judge_name(judge), datetime.now(UTC).isoformat(timespec="seconds")
        ids = [secrets.token_hex(8) for _ in told]
        lines = [
            {"format": FORMAT, "id": one, "time": now, "judge": name, **line}
            for one, line in zip(ids, told, strict=True)
        ]
        files.make_folder(self.folder)
        self._describe()
        content = "".join(f"{json.dumps(line)}\n" for line in lines).encode("ascii")
        files.append(self.folder / judge_file(name), content, hint=_HINT)
        return ids

    def _describe(self) -> None:
        """Says beside the answers what they are about, for people who look into the folder."""
        path = self.folder / _TASK
        if not path.exists():
            told = {
                "format": FORMAT,
                "form": evaluation_forms.name_of(self.form),
                "title": self.task.title,
                "fingerprint": self.task.fingerprint,
                "systems": self.task.systems,
            }
            files.write(path, (json.dumps(told, indent=1) + "\n").encode("ascii"))

    def _log(self, file: str) -> AnswerLog:
        """The file of a judge, remembered: at the next look only what is new is read."""
        path = self.folder / file
        with _OPENING:
            log = _LOGS.pop(path, None) or AnswerLog(
                path=path,
                questions={question.key: question for question in self.form.questions},
                systems=self.task.systems,
                subjects={
                    question.key: frozenset(
                        self.subjects[place] for place in question.places(len(self.task.systems))
                    )
                    for question in self.form.questions
                },
            )
            _LOGS[path] = log
            if len(_LOGS) > _MOST_LOGS:
                del _LOGS[next(iter(_LOGS))]
        return log

    def _values(self, log: AnswerLog) -> FloatArray:
        """A judge's answers, float64 [q, n, k], NaN where there is none."""
        rows = {article: row for row, article in enumerate(self.task.articles)}
        keys = {question.key: at for at, question in enumerate(self.form.questions)}
        places = {subject: place for place, subject in enumerate(self.subjects)}
        values = np.full((len(keys), len(rows), len(places)), np.nan)
        for (article, question), given in log.look().items():
            row = rows.get(article)
            if row is not None:
                for system, value in given.items():
                    values[keys[question], row, places[system]] = value
        return values
