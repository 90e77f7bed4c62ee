"""Answers of judges in the journal, an entry an answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray
from core.data.answers import ROWS, VERSION, Answers
from core.data.identity import HeadlineKey
from core.errors import InputError
from core.journal.entries import Entry, NewEntry
from core.journal.folds import Folds
from core.journal.journal import Journal
from core.people.evaluation_task import EvaluationTask, shown_set
from core.people.forms import (
    BETWEEN,
    OPEN,
    Asks,
    EvaluationForm,
    FormQuestion,
    pairs_of,
    subjects,
    text_value,
)
from core.people.rating_files import merge
from core.people.ratings import Ratings, check_ratings, empty_ratings, judge_name, revealed, unasked
from core.people.study import USUAL, Study
from core.text.normalise import judge_key

ANSWER: Final = "answer"
UNDO: Final = "undo"
Key = tuple[str, str, str]  # a judge's key, the identity of an article, and the key of a question
STREAMS: Final = "ratings/"  # what the names of the streams begin with


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnswer:
    """One answer, None to open the question again; in a log `article` is its identity."""

    article: str
    question: str
    system: str
    value: int | None
    text: str = ""  # of a question whose answers are texts


def placed(
    question: FormQuestion, given: Mapping[str, int], answer: JudgeAnswer, systems: Collection[str]
) -> dict[str, int]:
    """The answers about an article, by system, after one more; places in an order are swapped."""
    if question.asks is Asks.BEST_WORST:
        return _best_worst(given, answer, shown_set(sorted(systems), answer.article))
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


def _best_worst(given: Mapping[str, int], answer: JudgeAnswer, shown: Collection[str]) -> dict[str, int]:
    """Of a headline that gets a place, another one loses it; with both places given all others have 0."""
    if answer.system not in shown or answer.value == 0:
        return dict(given)
    now = {system: value for system, value in given.items() if value and value != answer.value}
    now.pop(answer.system, None)
    if answer.value is not None:
        now[answer.system] = answer.value
    return {system: now.get(system, 0) for system in shown} if len(now) == 2 else now


def standing(entries: Iterable[Entry], undo: str) -> list[Entry]:
    """The entries that their own writers did not take back by one of a kind, which names them as "of"."""
    entries = list(entries)
    undone = {(str(entry.body.get("of")), judge_key(entry.who)) for entry in entries if entry.kind == undo}
    return [entry for entry in entries if (entry.id, judge_key(entry.who)) not in undone]


def dated(entry: Entry) -> tuple[str, str]:
    """Version of the instructions that an answer was given under, "" for none, and its day in UTC."""
    version = entry.body.get(VERSION)
    return str(version) if type(version) is int else "", entry.when.date().isoformat()


class AnswerLog:
    """The answers to a task as they stand after the entries that were folded in."""

    def __init__(self, form: EvaluationForm, systems: tuple[str, ...], keys: Sequence[HeadlineKey]) -> None:
        known, count = subjects(form, systems), len(systems)
        self.systems, self.keys = systems, keys
        self.now: dict[Key, dict[str, int]] = {}  # answers by judge, article and question, and by system
        self.names: dict[str, str] = {}  # who did anything, by key, as the name was first given
        self.texts = {0: ""}  # answers that are texts, by their values
        self.damaged = 0  # entries that are no answers, as another program leaves them
        self._questions = {
            question.key: (
                question,
                {known[place] for place in question.places(count)},
                None
                if question.gives in OPEN
                else {None, *(level.value for level in question.allowed(count))},
            )
            for question in form.questions
        }
        self._steps: dict[Key, list[tuple[str, JudgeAnswer]]] = {}
        self._asked: dict[str, Key] = {}
        self._undone: set[tuple[str, str]] = set()

    def with_more(self, entries: Sequence[Entry]) -> "AnswerLog":
        self.names, changed = dict(self.names), set[Key]()
        for entry in entries:
            judge, undone = judge_key(entry.who), entry.body.get("answer")
            if entry.kind == UNDO and isinstance(undone, str):
                # Nobody takes back what another has answered.
                self._undone.add((judge, undone))
                if undone in self._asked and self._asked[undone][0] == judge:
                    changed.add(self._asked[undone])
            elif entry.kind == ANSWER and judge and (answer := self._answer(entry.body)) is not None:
                self.names.setdefault(judge, entry.who)
                self.texts[answer.value or 0] = answer.text
                self._asked[entry.id] = key = judge, answer.article, answer.question
                self._steps.setdefault(key, []).append((entry.id, answer))
                changed.add(key)
            else:
                self.damaged += 1
        after: dict[Key, dict[str, int]] = {key: {} for key in changed}
        for key in changed:
            for name, answer in self._steps[key]:
                if (key[0], name) not in self._undone:
                    asked = self._questions[answer.question][0]
                    after[key] = placed(asked, after[key], answer, self.systems)
        self.now = self.now | after  # another window may be reading the answers as they were
        return self

    def _answer(self, body: Mapping[str, Any]) -> JudgeAnswer | None:
        rows, value, text = [body[name] for name in ROWS if name in body], body.get("value"), body.get("text")
        if not rows or not all(type(row) is int and 0 <= row < len(self.keys) for row in rows):
            return None
        about, asked = [self.keys[row] for row in rows], str(body.get("question"))
        article, system = about[0].address, BETWEEN.join(key.outlet for key in about)
        _, known, levels = self._questions.get(asked, (None, (), ()))
        whole = (type(value) is int or value is None) and about[-1].address == article
        said = text if isinstance(text, str) and levels is None and value is not None else ""
        if not whole or value not in (levels or {text_value(said) if said else None}) or system not in known:
            return None
        return JudgeAnswer(article=article, question=asked, system=system, value=value, text=said)


_LOGS: Final[Folds[AnswerLog]] = Folds()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingStore:
    form: EvaluationForm
    task: EvaluationTask
    journal: Journal
    study: Study = USUAL

    @property
    def answers(self) -> Answers:
        """The answers about these systems, in whichever version of the set."""
        systems = blake2b("\x1f".join(sorted(self.task.systems)).encode(), digest_size=8).hexdigest()
        own = self.study.answers(f"{STREAMS}{self.form.name}/{systems}", self.task.index)
        return replace(own, journal=self.journal)

    @property
    def subjects(self) -> tuple[str, ...]:
        return subjects(self.form, self.task.systems)

    def record(self, judge: str, answer: JudgeAnswer) -> str:
        """Stores one answer, which is on the disk when this returns; gives the id that undoes it."""
        name = judge_name(judge)
        alone = empty_ratings(self.form, self.task.at([self.task.articles.index(answer.article)]), [name])
        given = {} if answer.value is None else {answer.system: answer.value}
        self._fill(alone, {(judge_key(name), self.task.identity[answer.article], answer.question): given})
        check_ratings(alone)
        new = self._entry(name, answer)
        self.answers.append([new])
        return new.id

    def undo(self, judge: str, answer: str) -> None:
        self.answers.append([NewEntry(kind=UNDO, who=judge_name(judge), body={"answer": answer})])

    def ratings(self, *judges: str) -> Ratings:
        """The answers about the articles of the task by some judges, or by all who gave any."""
        log = self._log()
        asked = [judge_name(judge) for judge in judges] if judges else list(log.names.values())
        names = {judge_key(name): name for name in asked}
        ratings = empty_ratings(self.form, self.task, [names[key] for key in sorted(names)])
        self._fill(ratings, log.now)
        ratings.values[unasked(self.form, ratings.values)] = np.nan
        ratings = replace(ratings, texts=log.texts)
        if judges:
            return ratings
        given = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 2, 3)))
        some = tuple(name for name, here in zip(ratings.judges, given, strict=True) if here)
        return replace(ratings, judges=some, values=ratings.values[given])

    def damaged(self) -> int:
        """How many entries are no answers to this form and were ignored."""
        return self._log().damaged + self.answers.damaged()

    def add(self, ratings: Ratings) -> int:
        """Adds answers that were given elsewhere, all or none; gives how many are new."""
        check_ratings(ratings)
        entries = [
            self._entry(judge_name(judge), answer)
            for judge, values in zip(ratings.judges, ratings.values, strict=True)
            for answer in self._new(judge, values)
        ]
        self.answers.append(entries)
        return len(entries)

    def _new(self, judge: str, values: FloatArray) -> list[JudgeAnswer]:
        before = self.ratings(judge)
        joined = merge((before, replace(before, values=values[None]))).values[0]
        new = np.isnan(before.values[0]) & ~np.isnan(values)
        for row in np.flatnonzero(new[self.form.hidden :].any(axis=(0, 2))).tolist():
            if not revealed(self.form, joined[:, row], len(self.task.systems)):
                said = f"{judge} answers questions about the article {self.task.articles[row][:60]!r} "
                said += f"without all of the first {self.form.hidden}, which come before it is shown."
                raise InputError(said, hint="Answer these first; nothing was loaded.")
        articles, keys = self.task.articles, [question.key for question in self.form.questions]
        given = zip(np.argwhere(new).tolist(), values[new].tolist(), strict=True)
        return [
            JudgeAnswer(
                article=articles[row], question=keys[at], system=self.subjects[place], value=int(value)
            )
            for (at, row, place), value in given
        ]

    def _entry(self, judge: str, answer: JudgeAnswer) -> NewEntry:
        row = self.task.articles.index(answer.article)
        places = [(at,) for at in range(len(self.task.systems))] + pairs_of(self.task.systems)
        about = [self.task.key(row, at) for at in places[self.subjects.index(answer.system)]]
        body = {
            "form": self.form.name,
            "title": self.task.title,
            **{name: self.task.index.row[key] for name, key in zip(ROWS, about, strict=False)},
            "shown": [key.text for key in about],
            "question": answer.question,
            "value": answer.value,
            **({"text": answer.text} if answer.text else {}),
        }
        return NewEntry(kind=ANSWER, who=judge, body=body)

    def _log(self) -> AnswerLog:
        begin = partial(AnswerLog, self.form, self.task.systems, self.task.index.keys)
        return _LOGS.fold(self.answers, self.answers.read(), begin, AnswerLog.with_more)

    def _fill(self, ratings: Ratings, answers: Mapping[Key, Mapping[str, int]]) -> None:
        judges = {judge_key(name): at for at, name in enumerate(ratings.judges)}
        rows = {ratings.task.identity[article]: row for row, article in enumerate(ratings.task.articles)}
        questions = {question.key: at for at, question in enumerate(self.form.questions)}
        places = {subject: place for place, subject in enumerate(self.subjects)}
        for (judge, article, question), given in answers.items():
            if judge in judges and article in rows:
                for system, value in given.items():
                    ratings.values[judges[judge], questions[question], rows[article], places[system]] = value
