"""Which question about an article is open and when it may be seen; what judges say of pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np

from core.arrays import FloatArray
from core.data.articles.articles import Articles
from core.data.articles.load import whole_table
from core.data.articles.outputs import Outputs
from core.data.timelines.raw import listing
from core.errors import InputError
from core.headlines.duels import shuffled
from core.headlines.extractive import has_unknown_word
from core.people.choices import Preferences, make_choices
from core.people.form import (
    BETWEEN,
    YES,
    Asks,
    EvaluationForm,
    FormQuestion,
    Order,
    pairs_of,
    revealed,
    subjects,
)
from core.people.rating_files import ARTICLE, JUDGE, SHOWN_FIRST, SYSTEM
from core.people.ratings import EvaluationTask, Ratings, judge_key, make_task
from core.people.votes import Scale, VoteTable, alpha
from core.results.render import restored
from core.results.table import WARNED, Row, Table, TableColumn, footnotes, percent
from core.statistics.bootstrap import BRACKETS, Figure, crossed_mean
from core.text.normalise import clean_line, is_missing


@dataclass(frozen=True, slots=True)
class Open:
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
    for at, question in enumerate(form.questions):
        found = _open(question, at, values[at], order)
        if found is not None:
            return found
    return None


def _open(question: FormQuestion, at: int, values: FloatArray, order: Sequence[int]) -> Open | None:
    systems = len(order)
    if question.asks in (Asks.EACH, Asks.PAIRS, Asks.BETTER):
        places = pair_places(order) if question.about_pairs else order
        return next((Open(at, place, None) for place in places if np.isnan(values[place])), None)
    if not np.isnan(values[:systems]).any():
        return None
    if question.asks is Asks.ONE:
        return Open(at, None, YES)
    free = {level.value for level in question.allowed(systems)} - set(values[:systems].tolist())
    return Open(at, None, max(free))


def pair_places(order: Sequence[int]) -> list[int]:
    """Places of the pairs among the subjects, as a judge goes through them: 1 and 2, 1 and 3, …"""
    pairs = combinations(range(len(order)), 2)
    places = {frozenset(pair): len(order) + at for at, pair in enumerate(pairs)}
    return [places[frozenset(pair)] for pair in combinations(order, 2)]


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
    kept: list[str] = []
    left = form.words
    for line in text.splitlines():
        own = line.split()
        kept.append(" ".join(own[:left]))
        left -= len(own)
        if left <= 0:
            break
    return "\n".join(kept) + " […]"


@dataclass(frozen=True, slots=True, eq=False)
class Judgeable:
    """The articles that can be judged, how many were left out, and how many for a sign such as <UNK>."""

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int
    unknown: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared.

    A sign for an unknown word would say which headline a program wrote, and be too odd to be judged: such
    articles are left out, as by Cafagna et al. 2019.
    """
    lines = (
        list(zip(*(output.headlines for output in outputs), strict=True)) if outputs else [()] * len(articles)
    )
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
    rows: list[tuple[str, Figure]] = []
    for place in question.places(len(systems)):
        values = ratings.values[:, at, :, place]
        said = np.where(np.isnan(values), np.nan, values == top.value)
        share = crossed_mean(said, unit="articles", lowest=0.0, reason="nobody has answered it")
        rows.append((subjects(ratings.form, systems)[place], share))
    rows.sort(key=lambda row: -(row[1].value or 0.0))
    whole: tuple[Row, ...] = tuple((name, share.count, share) for name, share in rows)
    return Table(
        columns=(
            TableColumn("Pair", key="pair"),
            TableColumn("Answers", key="answers"),
            TableColumn(f"{question.label}: {top.wording} %", key="share", form=percent(), parts=WARNED),
        ),
        rows=whole,
        title=question.label,
        notes=(BRACKETS, *footnotes(share.warning for _, share in rows)),
    )


def choices_of(ratings: Ratings, question: FormQuestion, order: Order) -> Preferences:
    """The choices of a question that asks for the better headline of each pair."""
    if question.asks is not Asks.BETTER:
        raise ValueError(f"{question.key} does not ask which headline is better.")
    at = ratings.form.questions.index(question)
    task, pairs = ratings.task, pairs_of(ratings.task.systems)
    rows = []
    for number, judge in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            seen = list(order(judge, article))
            for (one, other), place in zip(pairs, question.places(len(task.systems)), strict=True):
                value = ratings.values[number, at, row, place]
                if np.isnan(value):
                    continue
                first = seen.index(one) < seen.index(other)
                left, right = (one, other) if first else (other, one)
                chosen = int(value) if first else -int(value)
                rows.append((task.systems[left], task.systems[right], chosen, article, judge))
    return make_choices(rows)


def page_choices(data: bytes, name: str, form: EvaluationForm) -> Preferences | None:
    """The choices in an "Answers (CSV)" of Evaluate; None where a table is no such file."""
    columns = [JUDGE, ARTICLE, SYSTEM, SHOWN_FIRST]
    cells = whole_table(data, name).cells
    if not set(columns) <= set(cells.columns):
        return None
    judges, articles, systems, first = (
        [clean_line(restored(cell or "")) for cell in cells[column]] for column in columns
    )
    keys = [question.key for question in form.questions if question.asks is Asks.BETTER]
    rows = []
    for key in keys:
        for at, cell in enumerate(cells.get(key, ())):
            if (cell or "").strip() and BETWEEN in systems[at]:
                one, other = systems[at].split(BETWEEN, 1)
                value = int(float(cell))
                turned = first[at] == other
                left, right = (other, one) if turned else (one, other)
                rows.append((left, right, -value if turned else value, articles[at], judges[at]))
    if not rows:
        raise InputError(
            f"{name[:80]} holds no choice between two systems.",
            hint="Name the form that was answered with --form; it asks which headline is better.",
        )
    return make_choices(rows)


def rated_choices(data: bytes, name: str, *, rated: str, system: str, items: Sequence[str]) -> Preferences:
    """Ratings as choices: of two systems on one item, each rater prefers the higher one; equal is a tie."""
    cells = whole_table(data, name).cells
    raters = [
        column
        for column in cells.columns
        if any(fnmatchcase(column, part.strip()) for part in rated.split(","))
    ]
    missing = [column for column in (system, *items) if column not in cells.columns]
    if missing or not raters or not items:
        raise InputError(
            f"{name[:80]} has no column {(missing or [rated])[0][:60]!r}.",
            hint=f"It has {listing(cells.columns)}; name raters, --system and --item.",
        )
    by_item: dict[str, list[int]] = {}
    for at, row in enumerate(cells[list(items)].to_numpy()):
        by_item.setdefault(" | ".join(clean_line(str(cell)) for cell in row), []).append(at)
    systems = [clean_line(str(cell)) for cell in cells[system]]
    rows = []
    for rater in raters:
        values = [_rating(cell, rater, at, name) for at, cell in enumerate(cells[rater])]
        for item, places in by_item.items():
            for one, other in combinations(places, 2):
                if systems[one] != systems[other] and not np.isnan(values[one] + values[other]):
                    chosen = int(np.sign(values[one] - values[other]))
                    rows.append((systems[one], systems[other], chosen, item, rater))
    if not rows:
        raise InputError(f"{name[:80]} rates no two systems on one item.", hint="Check --system and --item.")
    return replace(make_choices(rows), placed=False)


def _rating(cell: str | None, column: str, row: int, name: str) -> float:
    text = (cell or "").strip()
    if not text or is_missing(text):
        return np.nan
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"Row {row + 1:,} of {name[:80]} has {text[:40]!r} in the column {column[:40]!r}.",
            hint="Give ratings as numbers.",
        ) from None


ALL = "All"


def scale_of(question: FormQuestion) -> Scale:
    ordered = question.ranks or (len(question.levels) > 2 and not question.about_pairs)
    return Scale.ORDINAL if ordered else Scale.NOMINAL


def alpha_table(ratings: Ratings, *, seed: int = 0) -> Table:
    """Alpha of each question for each system, where each has answers of its own, and over all."""
    task, counted = ratings.task, ratings.counted()
    systems = len(task.systems)
    rows: list[Row] = []
    for at, question in enumerate(ratings.form.questions):
        values = counted[:, at][..., list(question.places(systems))]
        own: list[Figure | None] = [None] * systems
        if question.asks is Asks.ONE:
            known = ~np.isnan(values).any(axis=-1)
            whole = _alpha((np.where(known, np.nan_to_num(values).argmax(axis=-1), np.nan)), question, seed)
        else:
            whole = _alpha(values.reshape(len(values), -1), question, seed)
            if not question.about_pairs:
                own = [_alpha(values[..., place], question, seed) for place in range(systems)]
        rows.append((question.label, scale_of(question).value, *own, whole, question.published_alpha))
    published = any(question.published_alpha is not None for question in ratings.form.questions)
    figures = [value for row in rows for value in row if isinstance(value, Figure)]
    columns = (
        TableColumn("Question", key="question"),
        TableColumn("Scale", key="scale"),
        *(TableColumn(name) for name in task.systems),
        TableColumn(ALL, key="all", parts=WARNED),
        TableColumn("Published", key="published"),
    )
    kept = [at for at in range(len(columns)) if published or at < len(columns) - 1]
    return Table(
        columns=tuple(columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in rows),
        title="Agreement of judges",
        notes=(
            "Krippendorff's alpha: 1 in full agreement, 0 as by chance. Brackets: 95 % intervals, bootstrap "
            "of pairs of answers; fewer than ten items have none.",
            *footnotes(figure.warning for figure in figures),
        ),
    )


def _alpha(values: FloatArray, question: FormQuestion, seed: int) -> Figure:
    kept = values[:, (~np.isnan(values)).any(axis=0)]
    if not kept.size:
        return Figure(None, "no item has two answers")
    worth, codes = np.unique(kept[~np.isnan(kept)], return_inverse=True)
    table = np.full(kept.shape, -1, dtype=np.int64)
    table[~np.isnan(kept)] = codes
    votes = VoteTable(
        items=tuple(map(str, range(kept.shape[1]))),
        people=tuple(map(str, range(kept.shape[0]))),
        answers=tuple(f"{value:g}" for value in worth),
        codes=table.T,
    )
    return alpha(votes, scale_of(question), seed=seed)
