"""Answers of people to the questions of a form, checked, and put together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.data.identity import HeadlineIndex, HeadlineKey
from core.digests import digest
from core.errors import InputError
from core.people.form import Asks, EvaluationForm, FormQuestion, asked, subjects
from core.text.normalise import clean_line, comparison_key


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationTask:
    """Headlines of k systems for n articles.

    Attributes:
        title: What people call the set of articles.
        articles: Id of each article, all different, in the order in which they are judged.
        systems: Names of the systems, all different.
        headlines: One tuple an article, with its headline by each system; "" where it is not known.
        identity: Of each article of the whole set, by its id: the id, or where that is a row's number a
            digest of the text, so that a table may be sorted and grow.
        index: The headlines of the whole set, with their systems and articles, by which answers are found.
    """

    title: str
    articles: tuple[str, ...]
    systems: tuple[str, ...]
    headlines: tuple[tuple[str, ...], ...]
    identity: Mapping[str, str]
    index: HeadlineIndex

    @property
    def fingerprint(self) -> str:
        """16 hex digits over the whole set, in whatever order, however many of its articles are judged."""
        return self.index.fingerprint

    def key(self, row: int, system: int) -> HeadlineKey:
        article = self.identity[self.articles[row]]
        return HeadlineKey(self.headlines[row][system], "", self.systems[system], article)

    def at(self, rows: Sequence[int]) -> EvaluationTask:
        """The same task on some of its articles, in the order of `rows`."""
        return replace(
            self,
            articles=tuple(self.articles[row] for row in rows),
            headlines=tuple(self.headlines[row] for row in rows),
        )

    def item(self, row: int, subject: str) -> str:
        """12 hex digits that stand for one headline, or pair, of one article without naming its system."""
        return digest(self.identity[self.articles[row]], subject)[:12]


def make_task(
    title: str,
    articles: Sequence[str],
    systems: Sequence[str],
    headlines: Sequence[Sequence[str]],
    texts: Sequence[str] = (),
) -> EvaluationTask:
    """A task; its fingerprint does not depend on the order of articles and systems."""
    identity = dict(zip(articles, articles, strict=True))
    copies: Counter[str] = Counter()
    for article, text in zip(articles, texts, strict=False):
        if article.isdigit():
            name = digest(comparison_key(text))[:16]
            identity[article] = f"{name} {copies[name]}"
            copies[name] += 1
    task = EvaluationTask(
        title=title,
        articles=tuple(articles),
        systems=tuple(systems),
        headlines=tuple(map(tuple, headlines)),
        identity=identity,
        index=HeadlineIndex(()),
    )
    places = product(range(len(articles)), range(len(systems)))
    return replace(task, index=HeadlineIndex(task.key(row, system) for row, system in places))


def drawn(task: EvaluationTask, count: int, *, seed: int = 0) -> EvaluationTask:
    """So many articles, drawn by articles and seed alone: fewer articles are the first of more."""
    names = [task.identity[article] for article in task.articles]
    order = sorted(range(len(names)), key=lambda row: digest(str(seed), names[row]))
    return task.at(order[:count])


LONGEST_NAME: Final = 60  # characters of a judge's name
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""Letters, marks and unassigned characters that are drawn as nothing (Unicode's Default_Ignorable_Code_Point,
and blank Braille)."""
_UNSEEN_KINDS: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""Categories of Unicode for controls, format characters and spaces."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """What j judges answered to q questions about the headlines of k systems for n articles.

    Attributes:
        form: The questions.
        task: The headlines.
        judges: Names as they were given, all different (`judge_key`).
        values: float64 [j, q, n, s] over the subjects (`subjects`), the systems before their pairs; NaN
            where there is no answer.
    """

    form: EvaluationForm
    task: EvaluationTask
    judges: tuple[str, ...]
    values: FloatArray

    @property
    def subjects(self) -> tuple[str, ...]:
        return subjects(self.form, self.task.systems)

    def counted(self) -> FloatArray:
        """The answers that tables count, float64 [j, q, n, s]: no order that lacks a place."""
        values, systems = self.values.copy(), len(self.task.systems)
        for at, question in enumerate(self.form.questions):
            if question.ranks:
                values[:, at][np.isnan(values[:, at, :, :systems]).any(axis=-1)] = np.nan
        return values

    def pooled(self, fewest: int) -> Ratings:
        """The answers that tables count, where so many judges at least gave one; no others."""
        counted = self.counted()
        given = (~np.isnan(counted)).sum(axis=0)
        return replace(self, values=np.where(given >= fewest, counted, np.nan))

    def complete(self) -> npt.NDArray[np.bool_]:
        """Where a judge answered everything about an article, bool [j, n]."""
        wanted = asked(self.form, self.task.systems)[None, :, None]
        return np.asarray(~(np.isnan(self.values) & wanted).any(axis=(1, 3)))


def empty_ratings(form: EvaluationForm, task: EvaluationTask, judges: Sequence[str] = ()) -> Ratings:
    shape = (len(judges), len(form.questions), len(task.articles), len(subjects(form, task.systems)))
    return Ratings(form=form, task=task, judges=tuple(judges), values=np.full(shape, np.nan))


def judge_name(name: str) -> str:
    """A judge's name as it is kept: one line without hidden characters."""
    line = clean_line(name)
    if len(line) > LONGEST_NAME:
        raise InputError(
            f"The judge's name has {len(line):,} characters; at most {LONGEST_NAME} are kept.",
            hint="Give a shorter name, or initials.",
        )
    if not judge_key(line):
        raise InputError("The judge has no name.", hint="Give a name or initials.")
    return line


def judge_key(name: str) -> str:
    """What all spellings of one judge's name have in common.

    Case, spaces, characters that nobody sees and the compatibility forms of Unicode (full width, ligatures)
    are ignored: one blank looks like another, and some like none. "" where nothing can be seen.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = (sign for sign in _UNSEEN.sub("", folded) if unicodedata.category(sign) not in _UNSEEN_KINDS)
    return clean_line("".join(seen))


def check_ratings(ratings: Ratings) -> Ratings:
    systems = len(ratings.task.systems)
    wanted = asked(ratings.form, ratings.task.systems)
    for at, question in enumerate(ratings.form.questions):
        allowed = [level.value for level in question.allowed(systems)]
        values = ratings.values[:, at]
        wrong = ~np.isnan(values) & ~(np.isin(values, allowed) & wanted[at])
        if wrong.any():
            judge, row, place = np.argwhere(wrong)[0].tolist()
            raise InputError(
                f"{_where(ratings, judge, row, question)} is {values[judge, row, place]:g}.",
                hint=f"Give a whole number from {allowed[0]} to {allowed[-1]}, or leave it open.",
            )
        if question.ranks:
            _check_order(ratings, values[..., :systems], question)
        if question.asks is Asks.ONE:
            _check_one(ratings, values[..., :systems], question)
    return ratings


def _check_order(ratings: Ratings, values: FloatArray, question: FormQuestion) -> None:
    ranked = np.sort(values, axis=-1)
    tied = (ranked[..., 1:] == ranked[..., :-1]).any(axis=-1)
    if tied.any():
        judge, row = np.argwhere(tied)[0].tolist()
        raise InputError(
            f"{_where(ratings, judge, row, question)} gives two headlines the same place.",
            hint=f"Give each of the {len(ratings.task.systems)} headlines a number of its own.",
        )


def _check_one(ratings: Ratings, values: FloatArray, question: FormQuestion) -> None:
    chosen = np.nansum(values, axis=-1)
    wrong = (chosen > 1) | (~np.isnan(values).any(axis=-1) & (chosen != 1))
    if wrong.any():
        judge, row = np.argwhere(wrong)[0].tolist()
        raise InputError(
            f"{_where(ratings, judge, row, question)} chooses {chosen[judge, row]:g} headlines.",
            hint="Give one headline 1 and the others 0.",
        )


def _where(ratings: Ratings, judge: int, row: int, question: FormQuestion) -> str:
    article = ratings.task.articles[row][:60]
    return f"{question.label} by {ratings.judges[judge]} for the article {article!r}"


def merge(parts: Sequence[Ratings]) -> Ratings:
    """Ratings of several files as one, if no judge answered a question twice and headlines agree."""
    first = parts[0]
    for other in parts[1:]:
        if set(other.task.systems) != set(first.task.systems):
            one, two = (", ".join(part.task.systems)[:200] for part in (first, other))
            raise InputError(
                f"The files judge different systems: {one}, and {two}.",
                hint="Put together only files about the headlines of the same systems.",
            )
    task = _joined_task([part.task for part in parts])
    names: dict[str, str] = {}
    for part in parts:
        for judge in part.judges:
            names.setdefault(judge_key(judge), judge)
    merged = empty_ratings(first.form, task, tuple(names.values()))
    places = {key: place for place, key in enumerate(names)}
    rows = {article: row for row, article in enumerate(task.articles)}
    for part in parts:
        at = (
            [rows[article] for article in part.task.articles],
            list(map(merged.subjects.index, part.subjects)),
        )
        for judge, values in zip(part.judges, part.values, strict=True):
            _fill(merged, places[judge_key(judge)], values, at)
    return check_ratings(merged)


def _joined_task(tasks: Sequence[EvaluationTask]) -> EvaluationTask:
    first = tasks[0]
    lines: dict[str, list[str]] = {}
    for task in tasks:
        columns = [task.systems.index(system) for system in first.systems]
        for article, headlines in zip(task.articles, task.headlines, strict=True):
            given = [headlines[column] for column in columns]
            known = lines.setdefault(article, given)
            if any(one and other and one != other for one, other in zip(known, given, strict=True)):
                raise InputError(
                    f"The files hold different headlines for the article {article[:60]!r}.",
                    hint="Put together only files about the same headlines.",
                )
            lines[article] = [one or other for one, other in zip(known, given, strict=True)]
    identity = {article: name for task in tasks for article, name in task.identity.items()}
    whole = replace(first, articles=tuple(lines), headlines=tuple(map(tuple, lines.values())))
    return replace(whole, identity=identity)


def _fill(merged: Ratings, judge: int, values: FloatArray, at: tuple[list[int], list[int]]) -> None:
    block = np.ix_(range(len(values)), *at)
    before = merged.values[judge][block]
    both = ~np.isnan(before) & ~np.isnan(values) & (before != values)
    if both.any():
        question, row, _ = np.argwhere(both)[0].tolist()
        where = _where(merged, judge, at[0][row], merged.form.questions[question])
        raise InputError(
            f"{where} has two different answers.",
            hint="Two people may have used one name: give each a name of their own.",
        )
    merged.values[judge][block] = np.where(np.isnan(values), before, values)
