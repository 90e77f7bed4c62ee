"""Answers on disk: one file a judge, to which every answer is added as a line; nothing is written over.

Many people may judge at one server at the same time, or one person in two windows: a line goes to the file
in one piece, and the last line about an article counts. A line that was cut off by a crash is passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.annotation.form import Form, evaluation_forms
from core.annotation.ratings import Ratings, check_ratings, empty_ratings, judge_key, judge_name
from core.annotation.task import Task
from core.errors import DataSourceError, InputError
from core.runtime import user_folder

FORMAT: Final = 1
_TASK: Final = "task.json"
_WRITING: Final = threading.Lock()

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

    form: Form
    task: Task
    root: Path

    @property
    def folder(self) -> Path:
        """Where the files are: one folder a form and task."""
        return self.root / f"{evaluation_forms.name_of(self.form)}-{self.task.fingerprint}"

    def record(self, judge: str, article: str, values: FloatArray) -> None:
        """Adds what a judge answers about one article now.

        Args:
            judge: A name.
            article: Its id in the task.
            values: float64 [q, k], NaN where there is no answer.

        Raises:
            InputError: The name is empty or too long, or an answer is not allowed.
            DataSourceError: The folder cannot be written.
        """
        name = judge_name(judge)
        row = self.task.articles.index(article)
        check_ratings(
            Ratings(form=self.form, task=self.task.at([row]), judges=(name,), values=values[None, :, None])
        )
        line = {
            "format": FORMAT,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "judge": name,
            "article": article,
            "answers": {
                question.key: {
                    system: int(value)
                    for system, value in zip(self.task.systems, row.tolist(), strict=True)
                    if value == value  # noqa: PLR0124 - not NaN
                }
                for question, row in zip(self.form.questions, values, strict=True)
            },
        }
        try:
            self._append(name, json.dumps(line, ensure_ascii=True))
        except OSError as error:
            raise DataSourceError(
                f"The answers in {self.folder} cannot be written ({error.strerror}).",
                hint="Check that the folder may be written and that there is space.",
            ) from None

    def ratings(self, *judges: str) -> Ratings:
        """The answers about the articles of the task.

        Args:
            judges: Names; left out, everybody who has answered anything about these articles.

        Raises:
            DataSourceError: A file cannot be read.
        """
        wanted = {self._path(judge): judge_name(judge) for judge in judges}
        paths = wanted or dict.fromkeys(sorted(self.folder.glob("*.jsonl")), "")
        found: list[tuple[str, FloatArray]] = []
        for path, asked in paths.items():
            name, values = self._read(path)
            if asked or (name and not np.isnan(values).all()):
                found.append((asked or name, values))
        found.sort(key=lambda one: judge_key(one[0]))
        ratings = empty_ratings(self.form, self.task, [name for name, _ in found])
        for place, (_, values) in enumerate(found):
            ratings.values[place] = values
        return ratings

    def add(self, ratings: Ratings) -> int:
        """Adds answers that were given elsewhere, all of them or none; gives how many are new.

        Args:
            ratings: About the same task.

        Raises:
            InputError: A judge of that name has answered a question in another way here.
            DataSourceError: The folder cannot be written.
        """
        new, lines = 0, []
        for judge, values in zip(ratings.judges, ratings.values, strict=True):
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
            new += int((given & ~known).sum())
            for row in np.flatnonzero((given & ~known).any(axis=(0, 2))).tolist():
                joined = np.where(known[:, row], before[:, row], values[:, row])
                self._check_ties(joined, judge, row)
                lines.append((judge, self.task.articles[row], joined))
        for judge, article, joined in lines:
            self.record(judge, article, joined)
        return new

    def _check_ties(self, joined: FloatArray, judge: str, row: int) -> None:
        for question, values in zip(self.form.questions, joined, strict=True):
            if question.ranks and _tied(values):
                raise InputError(
                    f"With the answers that {judge} gave here, two headlines of the article "
                    f"{self.task.articles[row][:60]!r} would share a place.",
                    hint="Give the judge of the file another name; nothing was loaded.",
                )

    def _append(self, name: str, line: str) -> None:
        """One line, in one write: lines of several sessions never mix."""
        path = self._path(name)
        with _WRITING:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._describe()
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                # The line end before it closes a line that a crash cut off.
                os.write(file, f"\n{line}\n".encode("ascii"))
                os.fsync(file)
            finally:
                os.close(file)

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
            files.write(path, (json.dumps(told, indent=1, ensure_ascii=True) + "\n").encode("ascii"))

    def _path(self, judge: str) -> Path:
        key = judge_key(judge)
        word = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:30]
        digest = hashlib.sha256(key.encode("utf-8")).hexdigest()[:12]
        return self.folder / f"{word}-{digest}.jsonl".lstrip("-")

    def _read(self, path: Path) -> tuple[str, FloatArray]:
        """The judge's name and answers, float64 [q, n, k]; "" and NaN where the file holds none."""
        name = ""
        rows = {article: row for row, article in enumerate(self.task.articles)}
        shape = (len(self.form.questions), len(rows), len(self.task.systems))
        values = np.full(shape, np.nan)
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        except OSError as error:
            raise DataSourceError(
                f"The answers in {path} cannot be read ({error.strerror}).",
                hint="Check that the file may be read.",
            ) from None
        for line in filter(str.strip, lines):
            told = _line(line)
            if told is None:
                continue
            name = name or told["judge"]
            row = rows.get(told["article"])
            if row is not None:
                values[:, row] = self._values(told["answers"])
        return name, values

    def _values(self, answers: dict[str, Any]) -> FloatArray:
        """Answers of one line, float64 [q, k]; what the form does not allow is no answer."""
        systems = self.task.systems
        found = np.full((len(self.form.questions), len(systems)), np.nan)
        for at, question in enumerate(self.form.questions):
            allowed = {level.value for level in question.allowed(len(systems))}
            given = answers.get(question.key)
            for place, system in enumerate(systems):
                value = given.get(system) if isinstance(given, dict) else None
                if isinstance(value, int) and not isinstance(value, bool) and value in allowed:
                    found[at, place] = value
            if question.ranks and _tied(found[at]):
                found[at] = np.nan
        return found


def _tied(values: FloatArray) -> bool:
    """Whether two of the answers are the same."""
    given = values[~np.isnan(values)]
    return len(np.unique(given)) < len(given)


def _line(line: str) -> dict[str, Any] | None:
    """One answer, None where the line is none."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        return None
    judge, article, answers = told.get("judge"), told.get("article"), told.get("answers")
    if not isinstance(judge, str) or not isinstance(article, str) or not isinstance(answers, dict):
        return None
    return told
