"""The table of the NumHG paper (Huang et al. 2023, 4.3 and table 5) and its files; what is asked next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from core import __version__
from core.arrays import FloatArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.comparison.table import paper_table
from core.headlines.duels import shuffled
from core.headlines.generator import has_unknown_word
from core.people.ratings import (
    YES,
    Asks,
    EvaluationForm,
    EvaluationTask,
    FormQuestion,
    Ratings,
    asked_of,
    differences,
    judge_key,
    make_task,
    revealed,
)
from core.results import render
from core.results.page import object_json
from core.results.render import count_words
from core.results.table import (
    LEVEL,
    POWER,
    WARNED,
    Pair,
    Row,
    Table,
    TableColumn,
    differing,
    footnotes,
    number_of,
    percent,
    smallest_difference,
    text_rows,
)
from core.statistics.bootstrap import BRACKETS, Figure, crossed_mean

MOST_TESTED: Final = 10  # systems whose differences are tested
NOBODY: Final = "nobody has answered it"


@dataclass(frozen=True, slots=True)
class PointShare(Figure):
    """What one system got for one question: points over the most there could be, 0–1; `count` answers."""

    points: float | None = None  # of all articles, mean of the judges; None where an answer is missing
    most: int = 0  # what one judge can give for all articles
    missing: int = 0  # how many answers there should be besides


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
    gaps: tuple[Mapping[Pair, Figure], ...]  # by question: differences of systems, by their places


def ratings_table(ratings: Ratings) -> HumanTable:
    """The shares of all systems, with intervals that hold for other articles and other judges.

    The paper's points averaged over judges, over the most there are; where answers are missing, the points
    given over the most that these answers allow.
    """
    task = ratings.task
    every = ratings.form.questions
    # Answers about pairs are no system's.
    places = [at for at, question in enumerate(every) if not question.about_pairs]
    questions = tuple(every[at] for at in places)
    counted = ratings.counted()[:, places, :, : len(task.systems)]
    judges, articles = len(ratings.judges), len(task.articles)
    # Where articles are handed out in sheets, a judge owes answers about those that were begun.
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    wanted = asked_of(ratings.form, task)[places]  # [q, n, subjects]
    due = begun.sum(axis=0) if ratings.form.judges else np.full(articles, judges)

    def share(at: int, place: int) -> PointShare:
        most, values = questions[at].most(len(task.systems)), counted[:, at, :, place]
        mean = crossed_mean(values / most, unit="articles", lowest=questions[at].least / most, reason=NOBODY)
        owed = int(due[wanted[at, :, place]].sum())
        whole = mean.count == owed == judges * articles and mean.count > 0
        return PointShare(
            **asdict(mean),
            points=float(values.sum()) / judges if whole else None,
            most=most * articles,
            missing=owed - mean.count,
        )

    return HumanTable(
        form=ratings.form.name,
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
        gaps=tuple(
            {
                (one, other): crossed_mean(differences(ratings, at, one, other), unit="articles", lowest=-1.0)
                for one, other in combinations(range(len(task.systems)), 2)
            }
            for at in (places if len(task.systems) <= MOST_TESTED else [])
        ),
    )


PUBLISHED: Final = "published"
HERE: Final = "here"
_PARTS: Final = (
    *WARNED,
    *(("{}_points", "points"), ("{}_most", "most"), ("{}_answers", "count"), ("{}_missing", "missing")),
)


def shown_rows(table: HumanTable) -> list[list[str]]:
    """Lines of the table for people: system, where its figures come from, and a cell a question."""
    return text_rows(_sourced(table))[1:]


def notes(table: HumanTable) -> list[str]:
    counted = count_words(table.articles, "article", "articles")
    lines = [f"{counted}, {count_words(len(table.judges), 'judge', 'judges')}. Score, % of maximum."]
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
    pairs = zip(table.questions, table.gaps, strict=False)
    lines += [line for question, gaps in pairs if (line := _differing(question, gaps, table.systems))]
    if table.paper is not None:
        lines.append(f"Published: {table.paper.title}. {table.paper.notes[0]}")
    return lines


def _differing(question: FormQuestion, gaps: Mapping[Pair, Figure], systems: Sequence[str]) -> str:
    """Which systems differ, the better first, and what difference could be seen; "" where none was tested."""
    least = smallest_difference([*gaps.values()])
    if least is None:
        return ""
    differ = [(pair, gap) for pair, gap in gaps.items() if pair in differing(gaps)]
    ordered = [pair if (gap.value or 0) > 0 else pair[::-1] for pair, gap in differ]
    listed = ", ".join(f"{systems[better]} > {systems[worse]}" for better, worse in ordered)
    said = listed or "no two systems differ"
    seen = f"{POWER:.0%} of such studies would see a difference of {percent()(least)} %."
    return f"{question.label}: {said} (at {LEVEL:g}, Holm). {seen}"


def as_text(table: HumanTable) -> str:
    return render.as_text(_sourced(table))


def as_csv(table: HumanTable) -> str:
    """One line a system: shares from 0 to 1 with their ends, points, answers and missing ones a question."""
    source = f"{PUBLISHED}: {table.paper.title}" if table.paper else ""
    heads = ("system", "source", "judges", "articles")
    own = (HERE, len(table.judges), table.articles)
    return render.as_csv(_laid_out(table, heads, own, (source, None, None)))


def as_latex(table: HumanTable) -> str:
    return render.as_latex(paper_form(table))


def paper_form(table: HumanTable) -> Table:
    """The table for a paper, published rows below."""
    laid = _laid_out(table, ("System",), (), ())
    below = tuple((f"{name} ({PUBLISHED})", *figures) for name, *figures in laid.below)
    return replace(laid, below=below, notes=(*notes(table), table.form))


def _sourced(table: HumanTable) -> Table:
    laid = _laid_out(table, ("System", "Figures"), (HERE,), (PUBLISHED,))
    return replace(laid, notes=tuple(notes(table)))


def _laid_out(table: HumanTable, heads: Sequence[str], own: Row, paper: Row) -> Table:
    questions = [
        TableColumn(question.label, key=question.key, form=percent(), better="higher", parts=_PARTS)
        for question in table.questions
    ]
    below = []
    for name, *figures in table.paper.rows if table.paper else ():
        values = map(number_of, figures)
        below.append((name, *paper, *(None if value is None else value / 100 for value in values)))
    shares = zip(table.systems, table.shares, strict=True)
    return Table(
        columns=(*map(TableColumn, heads), *questions),
        rows=tuple((system, *own, *line) for system, line in shares),
        below=tuple(below),
    )


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
        "published": paper
        and {
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


class Open(NamedTuple):
    """An open question about a subject; where that is None, one of several headlines gets the value."""

    question: int
    subject: int | None
    value: int | None


def next_open(form: EvaluationForm, values: FloatArray, order: Sequence[int]) -> Open | None:
    """The first open question about an article, float64 [q, s]; headlines come in the order shown."""
    each = [at for at, question in enumerate(form.questions) if question.asks is Asks.EACH]
    if not form.by_question:
        for system in order:
            for at in each:
                if np.isnan(values[at, system]):
                    return Open(at, system, None)
    open_places = (_open(question, at, values[at], order) for at, question in enumerate(form.questions))
    return next((asked for asked in open_places if asked is not None), None)


def _open(question: FormQuestion, at: int, values: FloatArray, order: Sequence[int]) -> Open | None:
    systems = len(order)
    if question.asks in (Asks.EACH, Asks.PAIRS, Asks.BETTER):
        places = list(order)
        if question.about_pairs:  # as a judge goes through them: 1 and 2, 1 and 3, …
            pairs = combinations(range(systems), 2)
            place_of = {frozenset(pair): systems + number for number, pair in enumerate(pairs)}
            places = [place_of[frozenset(pair)] for pair in combinations(order, 2)]
        return next((Open(at, place, None) for place in places if np.isnan(values[place])), None)
    if not np.isnan(values[:systems]).any():
        return None
    if question.asks is Asks.ONE:
        return Open(at, None, YES)
    if question.asks is Asks.BEST_WORST:
        return next((Open(at, None, value) for value in (YES, -YES) if value not in values[:systems]), None)
    free = {level.value for level in question.allowed(systems)} - set(values[:systems].tolist())
    return Open(at, None, max(free))


def refuse_closed(form: EvaluationForm, values: FloatArray, question: int, systems: int) -> None:
    """Refuses an answer before the article once it was shown, and one after it before that."""
    shown = revealed(form, values, systems)
    if form.hidden and shown and question < form.hidden:
        raise InputError(
            "The article has been shown, so the questions before it are closed.",
            hint="Go on with the questions about the article.",
        )
    if not shown and question >= form.hidden:
        raise InputError(
            "This question comes after the article, which is not shown yet.",
            hint=f"Answer the first {form.hidden} questions first.",
        )


def shown_text(form: EvaluationForm, text: str) -> str:
    words = text.split()
    if not form.words or len(words) <= form.words:
        return text
    shown: list[str] = []
    left = form.words
    for line in text.splitlines():
        own = line.split()
        shown.append(" ".join(own[:left]))
        left -= len(own)
        if left <= 0:
            break
    return "\n".join(shown) + " […]"


@dataclass(frozen=True, slots=True, eq=False)
class Judgeable:
    """The articles that can be judged, how many were left out, and how many for a sign such as <UNK>."""

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int
    unknown: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared; without signs for unknown words (<UNK>)."""
    lines = list(zip(*(output.headlines for output in outputs), strict=True)) or [()] * len(articles)
    whole = [
        row
        for row, (text, headlines) in enumerate(zip(articles.texts, lines, strict=True))
        if text.strip() and headlines and all(line.strip() for line in headlines)
    ]
    rows = tuple(row for row in whole if not any(map(has_unknown_word, lines[row])))
    task = make_task(
        title,
        [articles.ids[row] for row in rows],
        [output.system for output in outputs],
        [lines[row] for row in rows],
        [articles.texts[row] for row in rows],
    )
    return Judgeable(task, rows, len(articles) - len(rows), len(whole) - len(rows))


def shown_order(task: EvaluationTask, article: str, judge: str, *, seed: int = 0) -> list[int]:
    """Places of the systems as a judge sees an article's headlines: drawn for both, the same each time."""
    return shuffled(task.systems, f"{judge_key(judge)}\x1f{task.identity[article]}", seed=seed)


def sheet_rows(form: EvaluationForm, task: EvaluationTask) -> list[list[int]]:
    """The places of the articles of each sheet; one sheet where everybody judges all."""
    rows = list(range(len(task.articles)))
    if not form.judges:
        return [rows]
    return [rows[start : start + form.cases] for start in range(0, len(rows), form.cases)] or [rows]


def judges_of(ratings: Ratings, sheets: Sequence[Sequence[int]]) -> list[int]:
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    return [int(begun[:, list(rows)].any(axis=1).sum()) for rows in sheets]


def sheet_for(form: EvaluationForm, ratings: Ratings, judge: str) -> int:
    """The sheet of a judge: the one begun, else the first that lacks judges, else the one with fewest."""
    sheets = sheet_rows(form, ratings.task)
    keys = [judge_key(name) for name in ratings.judges]
    if judge_key(judge) in keys:
        given = ~np.isnan(ratings.values[keys.index(judge_key(judge))])
        begun = [at for at, rows in enumerate(sheets) if given[:, rows].any()]
        if begun:
            return begun[0]
    counts = judges_of(ratings, sheets)
    lacking = [at for at, count in enumerate(counts) if count < form.judges]
    return lacking[0] if lacking else int(np.argmin(counts))


def pair_table(ratings: Ratings, at: int) -> Table:
    """How often people gave a pair of systems the highest answer ("yes"), a pair a row, most often first."""
    question, systems = ratings.form.questions[at], ratings.task.systems
    top = question.levels[-1]
    rows: list[tuple[str, int, Figure]] = []
    for place in question.places(len(systems)):
        values = ratings.values[:, at, :, place]
        said = np.where(np.isnan(values), np.nan, values == top.value)
        share = crossed_mean(said, unit="articles", lowest=0.0, reason=NOBODY)
        rows.append((ratings.subjects[place], share.count, share))
    rows.sort(key=lambda row: -(row[2].value or 0.0))
    return Table(
        columns=(
            TableColumn("Pair", key="pair"),
            TableColumn("Answers", key="answers"),
            TableColumn(f"{question.label}: {top.wording} %", key="share", form=percent(), parts=WARNED),
        ),
        rows=tuple(rows),
        title=question.label,
        notes=(BRACKETS, *footnotes(share.warning for *_, share in rows)),
    )
