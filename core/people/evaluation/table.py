"""The table of the NumHG paper: what share of the most points each system got from the judges.

Source: Huang et al. 2023, NumHG, section 4.3 and table 5. There the points of a system are added up for each
judge, averaged over the judges, and divided by the most that the articles allow: 118.4 of 200 are 59.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.headlines.comparison.papers import PaperTable, paper_table
from core.people.form import Question, evaluation_forms
from core.people.ratings import Ratings
from core.statistics.bootstrap import RESAMPLES, Interval, bootstrap_sums, interval
from core.statistics.few_units import FEWEST, interval_over

FloatArray = npt.NDArray[np.float64]

NOBODY: Final = "nobody has answered it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one system got for one question.

    Attributes:
        value: Points over the most there could be, 0–1; None where nobody answered.
        low, high: 95 % interval over articles; None with fewer than two articles answered, or with few that
            all got the same.
        points: Points added up over the articles, averaged over the judges; None where an answer is missing.
        most: The most points that one judge can give for all articles.
        answers: How many there are.
        missing: How many there should be besides.
        reason: Why there is no value, else "".
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
    """

    value: float | None
    low: float | None
    high: float | None
    points: float | None
    most: int
    answers: int
    missing: int
    reason: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanTable:
    """The scores of all systems.

    Attributes:
        form: Signature of the form.
        title: What the articles are called.
        fingerprint: Of the task.
        questions: One a column.
        systems: One a line.
        shares: By line and column.
        judges: Who judged.
        judged: How many articles each judge answered in full.
        articles: How many there are.
        resamples: Of the intervals.
        seed: Of the intervals.
        paper: The published table of the form; None where there is none.
    """

    form: str
    title: str
    fingerprint: str
    questions: tuple[Question, ...]
    systems: tuple[str, ...]
    shares: tuple[tuple[Share, ...], ...]
    judges: tuple[str, ...]
    judged: tuple[int, ...]
    articles: int
    resamples: int
    seed: int
    paper: PaperTable | None


def ratings_table(ratings: Ratings, *, resamples: int = RESAMPLES, seed: int = 0) -> HumanTable:
    """The shares of all systems, with intervals from a bootstrap over articles.

    Where every judge answered everything, the share is the paper's: points averaged over judges, over the
    most there are. Where answers are missing, it is the points given over the most that these answers allow,
    so that each answer counts the same and no missing one counts as 0.

    Args:
        ratings: The answers.
        resamples: Of the articles, drawn with replacement; all judges of an article are drawn together.
        seed: Of the draws.
    """
    task, questions = ratings.task, ratings.form.questions
    counted = ratings.counted()
    given = ~np.isnan(counted)
    most = np.array([question.most(len(task.systems)) for question in questions], dtype=np.float64)
    # By article, float64 [n, q, k]: all judges' points, and the most that their answers allow.
    points = np.where(given, counted, 0.0).sum(axis=0).transpose(1, 0, 2)
    allowed = (given * most[:, None, None]).sum(axis=0).transpose(1, 0, 2)
    spans = _intervals(points, allowed, resamples=resamples, seed=seed)
    judges, articles = len(ratings.judges), len(task.articles)
    shares = []
    for place in range(len(task.systems)):
        line = []
        for at in range(len(questions)):
            answers = int(given[:, at, :, place].sum())
            total = float(points[:, at, place].sum())
            judged = int((allowed[:, at, place] > 0).sum())
            ends, warning = interval_over(spans[at][place], judged, "articles")
            missing = judges * articles - answers
            line.append(
                Share(
                    value=total / float(allowed[:, at, place].sum()) if answers else None,
                    low=ends[0],
                    high=ends[1],
                    points=total / judges if answers and not missing else None,
                    most=int(most[at]) * articles,
                    answers=answers,
                    missing=missing,
                    reason="" if answers else NOBODY,
                    warning=warning if answers else "",
                )
            )
        shares.append(tuple(line))
    return HumanTable(
        form=evaluation_forms.signature(ratings.form),
        title=task.title,
        fingerprint=task.fingerprint,
        questions=questions,
        systems=task.systems,
        shares=tuple(shares),
        judges=ratings.judges,
        judged=tuple(ratings.complete().sum(axis=1).tolist()),
        articles=articles,
        resamples=resamples,
        seed=seed,
        paper=paper_table(ratings.form.published) if ratings.form.published else None,
    )


def _intervals(points: FloatArray, allowed: FloatArray, *, resamples: int, seed: int) -> list[list[Interval]]:
    """The 95 % intervals by question and system; (None, None) with fewer than two articles answered."""
    questions, systems = points.shape[1:]
    found: list[list[Interval]] = [[(None, None)] * systems for _ in range(questions)]
    if not len(points):
        return found
    flat = np.concatenate([points.reshape(len(points), -1), allowed.reshape(len(points), -1)], axis=1)
    drawn = bootstrap_sums(flat, resamples=resamples, seed=seed)
    got, could = np.split(drawn, 2, axis=1)
    enough = ((allowed > 0).sum(axis=0) >= FEWEST).ravel()
    for at in np.flatnonzero(enough).tolist():
        # A draw without any answered article says nothing.
        known = could[:, at] > 0
        found[at // systems][at % systems] = interval(got[known, at] / could[known, at])
    return found
