"""The table of the NumHG paper: what share of the most points each system got from the judges.

Source: Huang et al. 2023, NumHG, section 4.3 and table 5. There the points of a system are added up for each
judge, averaged over the judges, and divided by the most that the articles allow: 118.4 of 200 are 59.2 %.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from core.headlines.comparison.report import paper_table
from core.people.form import FormQuestion, evaluation_forms
from core.people.ratings import Ratings
from core.results.table import Table
from core.statistics.bootstrap import Figure
from core.statistics.crossed import crossed_mean

NOBODY: Final = "nobody has answered it"


@dataclass(frozen=True, slots=True)
class PointShare(Figure):
    """What one system got for one question: points over the most there could be, 0–1; `count` answers.

    `points` are added up over the articles and averaged over the judges, None where an answer is missing;
    `most` is what one judge can give for all articles, `missing` how many answers there should be besides.
    """

    points: float | None = None
    most: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanTable:
    """The scores of all systems, by line, and question, by column; `judged` articles each judge finished."""

    form: str
    title: str
    fingerprint: str
    questions: tuple[FormQuestion, ...]
    systems: tuple[str, ...]
    shares: tuple[tuple[PointShare, ...], ...]
    judges: tuple[str, ...]
    judged: tuple[int, ...]
    articles: int
    paper: Table | None


def ratings_table(ratings: Ratings) -> HumanTable:
    """The shares of all systems, with intervals that hold for other articles and other judges.

    Where every judge answered everything, the share is the paper's: points averaged over judges, over the
    most there are. Where answers are missing, it is the points given over the most that these answers allow,
    so that each answer counts the same and no missing one counts as 0.
    """
    task = ratings.task
    every = ratings.form.questions
    # Answers about pairs are no system's.
    kept = [at for at, question in enumerate(every) if not question.about_pairs]
    questions = tuple(every[at] for at in kept)
    counted = ratings.counted()[:, kept, :, : len(task.systems)]
    judges, articles = len(ratings.judges), len(task.articles)
    # Where articles are handed out in sheets, a judge owes answers about those that were begun.
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    due = int(begun.sum()) if ratings.form.judges else judges * articles

    def share(at: int, place: int) -> PointShare:
        most, values = questions[at].most(len(task.systems)), counted[:, at, :, place]
        found = crossed_mean(values / most, unit="articles", lowest=0.0, reason=NOBODY)
        whole = found.count == due == judges * articles and found.count > 0
        return PointShare(
            **asdict(found),
            points=float(values.sum()) / judges if whole else None,
            most=most * articles,
            missing=due - found.count,
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
        paper=paper_table(ratings.form.published) if ratings.form.published else None,
    )
