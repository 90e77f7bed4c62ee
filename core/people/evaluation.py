"""The table of the NumHG paper, what share of the most points each system got from the judges, and its files.

Source: Huang et al. 2023, NumHG, section 4.3 and table 5. There the points of a system are added up for
each judge, averaged over the judges, and divided by the most that the articles allow: 118.4 of 200 are 59.2
%.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from core import __version__
from core.headlines.comparison.report import paper_table
from core.people.form import FormQuestion, evaluation_forms
from core.people.ratings import Ratings
from core.results import render
from core.results.page import object_json
from core.results.table import WARNED, Row, Table, TableColumn, footnotes, number_of, percent, text_rows
from core.statistics.bootstrap import BRACKETS, Figure, crossed_mean

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


PUBLISHED: Final = "published"
HERE: Final = "here"
_FORM: Final = percent()
_PARTS: Final = (
    *WARNED,
    *(("{}_points", "points"), ("{}_most", "most"), ("{}_answers", "count"), ("{}_missing", "missing")),
)


def shown_rows(table: HumanTable) -> list[list[str]]:
    """Lines of the table for people: system, where its figures come from, and a cell a question."""
    return text_rows(_sourced(table))[1:]


def notes(table: HumanTable) -> list[str]:
    judges = len(table.judges)
    lines = [
        f"{table.articles:,} article{'s' * (table.articles != 1)}, {judges:,} judge{'s' * (judges != 1)}. "
        "Score, % of maximum."
    ]
    if any(share.low is not None for line in table.shares for share in line):
        lines[0] += f" {BRACKETS}"
    lines += footnotes(share.warning for line in table.shares for share in line)
    missing = [sum(line[at].missing for line in table.shares) for at in range(len(table.questions))]
    if any(missing):
        listed = ", ".join(
            f"{count:,} for {question.label}"
            for question, count in zip(table.questions, missing, strict=True)
            if count
        )
        lines.append(
            f"Missing answers: {listed}. They count neither for nor against a system; an order counts only "
            "when it is complete."
        )
    if table.paper is not None:
        lines.append(f"Published: {table.paper.title}. {table.paper.notes[0]}")
    return lines


def as_text(table: HumanTable) -> str:
    return render.as_text(_sourced(table))


def as_csv(table: HumanTable) -> str:
    """One line a system: shares from 0 to 1 with their ends, points, answers and missing ones a question."""
    source = f"{PUBLISHED}: {table.paper.title}" if table.paper else ""
    heads = ("system", "source", "judges", "articles")
    own = (HERE, len(table.judges), table.articles)
    return render.as_csv(_laid_out(table, heads, own, (source, None, None)))


def as_latex(table: HumanTable) -> str:
    r"""The table for a paper, in booktabs form: the best of each column in bold, published rows below."""
    laid = _laid_out(table, ("System",), (), ())
    below = tuple((f"{name} ({PUBLISHED})", *figures) for name, *figures in laid.below)
    return render.as_latex(replace(laid, below=below, notes=(*notes(table), table.form)))


def _sourced(table: HumanTable) -> Table:
    laid = _laid_out(table, ("System", "Figures"), (HERE,), (PUBLISHED,))
    return replace(laid, notes=tuple(notes(table)))


def _laid_out(table: HumanTable, heads: Sequence[str], own: Row, paper: Row) -> Table:
    return Table(
        columns=(*map(TableColumn, heads), *_questions(table)),
        rows=tuple(
            (system, *own, *shares) for system, shares in zip(table.systems, table.shares, strict=True)
        ),
        below=tuple((name, *paper, *figures) for name, *figures in _paper(table)),
    )


def _questions(table: HumanTable) -> list[TableColumn]:
    return [
        TableColumn(one.label, key=one.key, form=_FORM, better="higher", parts=_PARTS)
        for one in table.questions
    ]


def _paper(table: HumanTable) -> list[tuple[Any, ...]]:
    return [
        (name, *(None if (value := number_of(figure)) is None else value / 100 for figure in figures))
        for name, *figures in (table.paper.rows if table.paper else ())
    ]


def as_object(table: HumanTable) -> dict[str, Any]:
    """Every figure, for JSON; what is undefined is null, with a reason."""
    paper = table.paper
    keys = [question.key for question in table.questions]
    return {
        "program": __version__,
        "form": table.form,
        "title": table.title,
        "fingerprint": table.fingerprint,
        "articles": table.articles,
        "judges": [
            {"judge": name, "judged": count} for name, count in zip(table.judges, table.judged, strict=True)
        ],
        "questions": [
            {"key": question.key, "label": question.label, "most": question.most(len(table.systems))}
            for question in table.questions
        ],
        "intervals": {"level": 0.95, "units": ["articles", "judges"]},
        "systems": [
            {"system": system, "scores": dict(zip(keys, map(_share_object, shares), strict=True))}
            for system, shares in zip(table.systems, table.shares, strict=True)
        ],
        "published": None
        if paper is None
        else {
            "source": paper.title,
            "data": paper.notes[0],
            "systems": [
                {"system": name, "percent": dict(zip(keys, figures, strict=True))}
                for name, *figures in paper.rows
            ],
        },
    }


def as_json(table: HumanTable) -> str:
    return object_json(as_object(table))


def _share_object(share: PointShare) -> dict[str, Any]:
    names = ("value", "low", "high", "warning", "points", "most", "missing", "reason")
    return {**{name: getattr(share, name) for name in names}, "answers": share.count}
