"""The table of people's scores as text, CSV, LaTeX and JSON, the published figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core import __version__
from core.people.evaluation.table import HumanTable, PointShare
from core.results import render
from core.results.stored import object_json
from core.results.table import WARNED, Row, Table, TableColumn, footnotes, number_of, percent, text_rows
from core.statistics.crossed import BRACKETS

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
    """What a reader of the table must know, a sentence or two each."""
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
    """The table for a terminal."""
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
    """`as_object` as text."""
    return object_json(as_object(table))


def _share_object(share: PointShare) -> dict[str, Any]:
    names = ("value", "low", "high", "warning", "points", "most", "missing", "reason")
    return {**{name: getattr(share, name) for name in names}, "answers": share.count}
