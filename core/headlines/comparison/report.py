"""A comparison as one HTML file that opens offline: tables, where systems differ, headlines, signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from core.headlines.comparison.agreement import Agreement
from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.comparison.duels import Duel, duels_of_column
from core.headlines.comparison.orders import disagreement, order
from core.headlines.comparison.papers import papers_beside
from core.headlines.comparison.slices import Slice, slices
from core.headlines.comparison.table import ComparisonTable, form_of, main_place, number
from core.headlines.comparison.tables import notes
from core.headlines.metrics.metric import Column
from core.results.forms import between, chance, decimals, footnotes, marked, stars, written
from core.results.page import html_page
from core.results.render import as_html
from core.results.table import Table, TableColumn
from core.results.text import clean, shorten
from core.statistics.figure import Figure

_HERE: Final = Path(__file__)
PAGE: Final = _HERE.with_suffix(".html").read_text(encoding="utf-8")
"""A template of Jinja; every value is escaped but our own style sheet and tables."""

STYLE: Final = "\n" + _HERE.with_suffix(".css").read_text(encoding="utf-8")

LISTED: Final = 100
"""Articles whose headlines are listed; scores.csv holds all."""
START: Final = 300
"""Characters of an article that are shown."""
WIDTH: Final = 300
"""Of the pictures of intervals, in pixels."""


@dataclass(frozen=True, slots=True)
class _Cell:
    value: str
    span: str
    mark: str
    best: bool


@dataclass(frozen=True, slots=True)
class _Mark:
    system: str
    paint: str
    text: str
    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class _Picture:
    label: str
    articles: str
    marks: tuple[_Mark, ...]


@dataclass(frozen=True, slots=True)
class _Article:
    name: str
    start: str
    reference: str
    lines: tuple[tuple[str, str, str, str], ...]


def report_html(comparison: Comparison, found: ComparisonTable, agreed: tuple[Agreement, ...] = ()) -> bytes:
    """The report as one UTF-8 HTML file; the same comparison gives the same bytes.

    Nothing is loaded from elsewhere and nothing runs; every text is escaped.
    """
    main = main_place(comparison)
    duels = duels_of_column(comparison, main.key) if main else ()
    parts = slices(comparison, main.key) if main else ()
    return html_page(
        PAGE,
        style=STYLE,
        title=clean(f"{len(found.systems)} systems on {comparison.articles.name}"),
        facts=_facts(comparison),
        notes=[clean(note) for note in notes(comparison, found)],
        systems=[(_name(comparison, row), f"g{row % 12}") for row in range(len(found.systems))],
        rows=[
            (
                found.places[at].column.label,
                found.places[at].column.help,
                [_cell(found, at, entry) for entry in found.column(at)],
            )
            for at in found.measured()
        ],
        main=main.column.label if main else "",
        pairs=as_html(_pairs(main.column, duels)) if main and duels else "",
        family=max((one.family for one in duels), default=0),
        kinds=_kinds(comparison, main, parts) if main else [],
        warnings=footnotes(one.warning for one in parts),
        width=WIDTH,
        agreed=as_html(_published(agreed)) if agreed else "",
        papers=[(one.title, one.notes[0], as_html(one)) for one in papers_beside(comparison.articles)],
        articles=_articles(comparison, main),
        more=max(0, len(comparison.articles) - LISTED),
        metrics=as_html(
            Table(
                columns=(TableColumn("Metric"), TableColumn("Library and settings")),
                rows=tuple((one.signature, one.library or one.why_not) for one in comparison.measured),
            )
        ),
        fingerprint=comparison.fingerprint,
        signature=clean(comparison.signature),
    )


def _facts(comparison: Comparison) -> list[tuple[str, str]]:
    return [
        ("Articles", f"{len(comparison.articles):,}"),
        ("Systems", f"{len(comparison.outputs):,}"),
        ("Metrics", f"{sum(not one.why_not for one in comparison.measured):,}"),
        ("Language", comparison.language),
    ]


def _name(comparison: Comparison, row: int) -> str:
    return shorten(comparison.systems[row], 60)


def _cell(found: ComparisonTable, at: int, entry: Figure) -> _Cell:
    form, best = form_of(found.places[at].column), found.best(at)
    return _Cell(
        value=written(entry.value, form),
        span=marked(between(entry, form), entry.warning).strip(),
        mark=stars(entry.p),
        best=best is not None and entry.value == best,
    )


def _pairs(column: Column, found: Sequence[Duel]) -> Table:
    return Table(
        columns=(
            *(TableColumn("System"), TableColumn("Against"), TableColumn("Difference", form=form_of(column))),
            *(TableColumn("p (Holm)"), TableColumn("Wins / ties / losses")),
        ),
        rows=tuple(
            (
                *(shorten(one.one, 60), shorten(one.other, 60)),
                replace(one.difference, p=None),
                f"{chance(one.difference.p)} ({chance(one.corrected)})"
                if one.corrected is not None
                else None,
                None if one.wins is None else f"{one.wins:,} / {one.ties or 0:,} / {one.losses or 0:,}",
            )
            for one in found
        ),
    )


def _kinds(
    comparison: Comparison, place: ComparisonColumn, found: Sequence[Slice]
) -> list[tuple[str, list[_Picture]]]:
    figures = [figure for one in found for figure in one.figures]
    ends = [end for one in figures for end in (one.low, one.high, one.value) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    kinds: dict[str, list[_Picture]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(_picture(comparison, place, one, low, high))
    return list(kinds.items())


def _picture(
    comparison: Comparison, place: ComparisonColumn, one: Slice, low: float, high: float
) -> _Picture:
    def at(value: float | None, fallback: float) -> float:
        given = fallback if value is None else value
        return round(WIDTH * (given - low) / ((high - low) or 1.0), 1)

    return _Picture(
        label=one.label,
        articles=marked(f"{one.articles:,} {'article' if one.articles == 1 else 'articles'}", one.warning),
        marks=tuple(
            _Mark(
                system=_name(comparison, row),
                paint=f"g{row % 12}",
                text=number(place.column, figure.value),
                low=at(figure.low, figure.value),
                value=at(figure.value, figure.value),
                high=at(figure.high, figure.value),
            )
            for row, figure in enumerate(one.figures)
            if figure.value is not None
        ),
    )


def _published(agreed: Sequence[Agreement]) -> Table:
    four = decimals(4)
    return Table(
        columns=(
            *(TableColumn("System"), TableColumn("Published as"), TableColumn("As published", form=four)),
            *(TableColumn("Ours"), TableColumn("Value", form=four), TableColumn("Correlation", form=four)),
            *(TableColumn("Equal to 1e-6"), TableColumn("Settings of ours")),
        ),
        rows=tuple(
            (
                *(shorten(one.system, 60), shorten(one.name, 60), one.published, one.label or None, one.ours),
                one.correlation,
                None if one.ours is None else f"{one.equal + one.escaped:,} of {one.headlines:,}",
                (one.why_not or one.library or "no metric of ours is of this kind")
                + (f"; {one.escaped} of the equal ones once & is written &amp;" if one.escaped else ""),
            )
            for one in agreed
        ),
    )


def _articles(comparison: Comparison, place: ComparisonColumn | None) -> list[_Article]:
    rows = order(disagreement(comparison))[:LISTED].tolist()
    scores = None if place is None else comparison.scores(place.key)
    found = []
    for row in rows:
        given = comparison.articles.references[row]
        lines = []
        for at, one in enumerate(comparison.outputs):
            score = float("nan") if scores is None else float(scores[at, row])
            told = "" if place is None or np.isnan(score) else number(place.column, score)
            lines.append((_name(comparison, at), f"g{at % 12}", clean(one.headlines[row]) or "(empty)", told))
        found.append(
            _Article(
                name=shorten(comparison.articles.ids[row], 60),
                start=shorten(comparison.articles.texts[row][: 4 * START], START),
                reference=clean(given[0]) if given else "",
                lines=tuple(lines),
            )
        )
    return found
