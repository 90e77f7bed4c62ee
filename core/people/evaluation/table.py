"""The table of the NumHG paper: what share of the most points each system got from the judges.

Source: Huang et al. 2023, NumHG, section 4.3 and table 5. There the points of a system are added up for each
judge, averaged over the judges, and divided by the most that the articles allow: 118.4 of 200 are 59.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.headlines.comparison.papers import paper_table
from core.people.form import FormQuestion, evaluation_forms
from core.people.ratings import Ratings
from core.results.table import Table
from core.statistics.bootstrap import RESAMPLES, bootstrap_sums
from core.statistics.figure import Figure

FloatArray = npt.NDArray[np.float64]

NOBODY: Final = "nobody has answered it"


@dataclass(frozen=True, slots=True)
class PointShare(Figure):
    """What one system got for one question: points over the most there could be, 0–1; `count` answers.

    Attributes:
        points: Points added up over the articles, averaged over the judges; None where an answer is missing.
        most: The most points that one judge can give for all articles.
        missing: How many answers there should be besides.
    """

    points: float | None = None
    most: int = 0
    missing: int = 0


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
    questions: tuple[FormQuestion, ...]
    systems: tuple[str, ...]
    shares: tuple[tuple[PointShare, ...], ...]
    judges: tuple[str, ...]
    judged: tuple[int, ...]
    articles: int
    resamples: int
    seed: int
    paper: Table | None


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
    task = ratings.task
    every = ratings.form.questions
    # Answers about pairs are no system's.
    kept = [at for at, question in enumerate(every) if not question.about_pairs]
    questions = tuple(every[at] for at in kept)
    counted = ratings.counted()[:, kept, :, : len(task.systems)]
    given = ~np.isnan(counted)
    most = np.array([question.most(len(task.systems)) for question in questions], dtype=np.float64)
    # By article, float64 [n, q, k]: all judges' points, and the most that their answers allow.
    points = np.where(given, counted, 0.0).sum(axis=0).transpose(1, 0, 2)
    allowed = (given * most[:, None, None]).sum(axis=0).transpose(1, 0, 2)
    got, could = _drawn(points, allowed, resamples=resamples, seed=seed)
    judges, articles = len(ratings.judges), len(task.articles)
    # Where articles are handed out in sheets, a judge owes answers about those that were begun.
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    due = int(begun.sum()) if ratings.form.judges else judges * articles

    def share(at: int, place: int) -> PointShare:
        answers = int(given[:, at, :, place].sum())
        total = float(points[:, at, place].sum())
        # A draw without any answered article says nothing.
        known = could[:, at, place] > 0
        found = PointShare.resampled(
            total / float(allowed[:, at, place].sum()) if answers else None,
            lambda: got[known, at, place] / could[known, at, place],
            units=int((allowed[:, at, place] > 0).sum()),
            unit="articles",
            count=answers,
            reason=NOBODY,
        )
        missing = due - answers
        return replace(
            found,
            points=total / judges if answers and due == judges * articles and not missing else None,
            most=int(most[at]) * articles,
            missing=missing,
        )

    return HumanTable(
        form=evaluation_forms.signature(ratings.form),
        title=task.title,
        fingerprint=task.fingerprint,
        questions=questions,
        systems=task.systems,
        shares=tuple(
            tuple(share(at, place) for at in range(len(questions))) for place in range(len(task.systems))
        ),
        judges=ratings.judges,
        judged=tuple(ratings.complete().sum(axis=1).tolist()),
        articles=articles,
        resamples=resamples,
        seed=seed,
        paper=paper_table(ratings.form.published) if ratings.form.published else None,
    )


def _drawn(
    points: FloatArray, allowed: FloatArray, *, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Points and the most that there could be in each resample, float64 [resamples, q, k] each."""
    both = np.stack([points, allowed], axis=1)
    flat = both.reshape(len(both), 2 * points.shape[1] * points.shape[2])
    drawn = bootstrap_sums(flat, resamples=resamples, seed=seed).reshape(resamples, *both.shape[1:])
    return drawn[:, 0], drawn[:, 1]
