"""What judges answered to the questions of a form, checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import InputError
from core.people.evaluation_task import EvaluationTask, shown_set
from core.people.forms import OPEN, Asks, EvaluationForm, FormQuestion, Gives, subjects
from core.text.normalise import clean_line, judge_key

LONGEST_NAME: Final = 60  # characters of a judge's name
SystemOrder = Callable[[str, str], Sequence[int]]  # a judge's, an article's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """What j judges answered to q questions about the headlines of k systems for n articles."""

    form: EvaluationForm
    task: EvaluationTask
    judges: tuple[str, ...]  # names as they were given, all different (`judge_key`)
    values: FloatArray  # float64 [j, q, n, s] over the `subjects`; NaN where there is no answer
    texts: Mapping[int, str] = field(default_factory=dict)  # of answers that are texts, by their values

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

    def pooled(self, fewest: int) -> "Ratings":
        """The answers that tables count, where so many judges at least gave one; no others."""
        counted = self.counted()
        given = (~np.isnan(counted)).sum(axis=0)
        return replace(self, values=np.where(given >= fewest, counted, np.nan))

    def complete(self) -> npt.NDArray[np.bool_]:
        """Where a judge answered everything about an article, bool [j, n]."""
        asked = asked_of(self.form, self.task) & ~unasked(self.form, self.values)
        return np.asarray(~(np.isnan(self.values) & asked).any(axis=(1, 3)))


def empty_ratings(form: EvaluationForm, task: EvaluationTask, judges: Sequence[str] = ()) -> Ratings:
    shape = (len(judges), len(form.questions), len(task.articles), len(subjects(form, task.systems)))
    return Ratings(form=form, task=task, judges=tuple(judges), values=np.full(shape, np.nan))


def asked_of(form: EvaluationForm, task: EvaluationTask) -> npt.NDArray[np.bool_]:
    """Which question asks about which subject of which article, bool [q, n, subjects]."""
    systems, count = task.systems, len(task.systems)
    mask = np.zeros((len(form.questions), len(task.articles), len(subjects(form, systems))), dtype=bool)
    for at, question in enumerate(form.questions):
        mask[at][:, question.places(count)] = True
        for row, article in enumerate(task.articles if question.asks is Asks.BEST_WORST else ()):
            # A file of answers names the set alone; the texts by which it was drawn are gone.
            named = [system for system, line in zip(systems, task.headlines[row], strict=True) if line]
            inside = shown_set(named or systems, task.identity[article])
            mask[at, row, :count] = [system in inside for system in systems]
    return mask


def unasked(form: EvaluationForm, values: FloatArray) -> npt.NDArray[np.bool_]:
    """Where an earlier answer, or that it is missing, leaves a question out, bool [j, q, n, s]."""
    out, places = np.zeros(values.shape, dtype=bool), {each.key: at for at, each in enumerate(form.questions)}
    for at, question in enumerate(form.questions):
        if question.when:
            earlier = places[question.when]
            asked = form.questions[earlier]
            named = [level.value for level in asked.levels if level.wording in question.when_answers]
            given = np.where(out[:, earlier], np.nan, values[:, earlier])
            if asked.gives is Gives.SEVERAL:
                out[:, at] = (np.nan_to_num(given).astype(np.int64) & sum(named)) == 0
            else:
                out[:, at] = ~np.isin(given, named)
    return out


def revealed(form: EvaluationForm, values: FloatArray, systems: int) -> bool:
    """Whether the judge may see the article: all questions before it are answered, float64 [q, s]."""
    open_ = np.isnan(values) & ~unasked(form, values[None, :, None])[0, :, 0]
    before = enumerate(form.questions[: form.hidden])
    return not any(open_[at, each.places(systems)].any() for at, each in before)


def differences(ratings: Ratings, question: int, first: int, second: int) -> FloatArray:
    """Points that the first system got more, as shares of the most, float64 [judges, items]."""
    counted, asks = ratings.counted()[:, question], ratings.form.questions[question]
    most = asks.most(len(ratings.task.systems)) - asks.least
    return np.asarray((counted[:, :, first] - counted[:, :, second]) / most, dtype=np.float64)


def judge_name(name: str) -> str:
    """A judge's name as it is kept: one line without hidden characters."""
    line = clean_line(name)
    if len(line) > LONGEST_NAME:
        said = f"The judge's name has {len(line):,} characters; at most {LONGEST_NAME} are kept."
        raise InputError(said, hint="Give a shorter name, or initials.")
    if not judge_key(line):
        raise InputError("The judge has no name.", hint="Give a name or initials.")
    return line


@lru_cache(maxsize=10_000)
def check_ratings(ratings: Ratings) -> Ratings:
    systems = len(ratings.task.systems)
    wanted = asked_of(ratings.form, ratings.task)
    for at, question in enumerate(ratings.form.questions):
        allowed = [level.value for level in question.allowed(systems)]
        values = ratings.values[:, at]
        wrong = ~np.isnan(values) & ~(((question.gives in OPEN) | np.isin(values, allowed)) & wanted[at])
        for judge, row, place in np.argwhere(wrong)[:1].tolist():
            said = f"{_where(ratings, judge, row, question)} is {values[judge, row, place]:g}."
            ends = f"Give a whole number from {allowed[0]} to {allowed[-1]}, or " if allowed else ""
            hint = f"{ends}leave it open.".capitalize()
            raise InputError(said, hint=hint)
        open_ = (np.isnan(values) & wanted[at]).any(axis=-1)
        for value in question.single(systems):
            chosen = (values[..., :systems] == value).sum(axis=-1)
            for judge, row in np.argwhere((chosen > 1) | (~open_ & (chosen != 1)))[:1].tolist():
                others = f", of the {systems} headlines" if question.ranks else ", and the others 0"
                where = _where(ratings, judge, row, question)
                said = f"{where} gives {chosen[judge, row]} headlines {value}."
                hint = f"Give one headline {' and one '.join(map(str, question.single(systems)))}{others}."
                raise InputError(said, hint=hint)
    return ratings


def _where(ratings: Ratings, judge: int, row: int, question: FormQuestion) -> str:
    article = ratings.task.articles[row][:60]
    return f"{question.label} by {ratings.judges[judge]} for the article {article!r}"
