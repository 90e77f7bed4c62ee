"""A comparison as one HTML file that opens offline."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.headlines.comparison import article_measures, published, written_table
from core.headlines.comparison.agreement import Agreement
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, order
from core.headlines.comparison.duels import Duel, duels_of_column
from core.headlines.comparison.slices import Slice, slices
from core.headlines.comparison.table import ComparisonTable, form_of, main_place, number
from core.headlines.metrics import Column
from core.results.number_forms import between, chance, decimals, footnotes, marked, stars, written
from core.results.page import html_page
from core.results.render import clean, shorten
from core.results.table import Table, TableColumn, as_html
from core.statistics.bootstrap import Figure

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


def report_html(comparison: Comparison, table: ComparisonTable, agreed: tuple[Agreement, ...] = ()) -> bytes:
    """The report as one UTF-8 HTML file that loads and runs nothing; equal comparisons give equal bytes."""
    main = main_place(comparison)
    duels = duels_of_column(comparison, main.key) if main else ()
    parts = slices(comparison, main.key) if main else ()
    return html_page(
        PAGE,
        style=STYLE,
        title=clean(f"{len(table.systems)} systems on {comparison.articles.name}"),
        facts=[
            ("Articles", f"{len(comparison.articles):,}"),
            ("Systems", f"{len(comparison.outputs):,}"),
            ("Metrics", f"{sum(not measured.why_not for measured in comparison.measured):,}"),
            ("Language", comparison.language),
        ],
        notes=[clean(note) for note in written_table.notes(comparison, table)],
        systems=[(_name(comparison, row), f"g{row % 12}") for row in range(len(table.systems))],
        rows=[
            (
                table.places[at].column.label,
                table.places[at].column.help,
                [_cell(table, at, entry) for entry in table.column(at)],
            )
            for at in table.measured()
        ],
        main=main.column.label if main else "",
        pairs=as_html(_pairs(main.column, duels)) if main and duels else "",
        family=max((duel.family for duel in duels), default=0),
        kinds=_kinds(comparison, main, parts) if main else [],
        warnings=footnotes(part.warning for part in parts),
        width=WIDTH,
        agreed=as_html(_published(agreed)) if agreed else "",
        papers=[
            (paper.title, paper.notes[0], as_html(paper))
            for paper in published.papers_beside(comparison.articles)
        ],
        articles=_articles(comparison, main),
        more=max(0, len(comparison.articles) - LISTED),
        metrics=as_html(
            Table(
                columns=(TableColumn("Metric"), TableColumn("Library and settings")),
                rows=tuple(
                    (measured.signature, measured.library or measured.why_not)
                    for measured in comparison.measured
                ),
            )
        ),
        fingerprint=comparison.fingerprint,
        signature=clean(comparison.signature),
    )


def _name(comparison: Comparison, row: int) -> str:
    return shorten(comparison.systems[row], 60)


def _cell(table: ComparisonTable, at: int, entry: Figure) -> dict[str, Any]:
    form, best = form_of(table.places[at].column), table.best(at)
    return {
        "value": written(entry.value, form),
        "span": marked(between(entry, form), entry.warning).strip(),
        "mark": stars(entry.p),
        "best": best is not None and entry.value == best,
    }


def _pairs(column: Column, duels: Sequence[Duel]) -> Table:
    return Table(
        columns=(
            *(TableColumn("System"), TableColumn("Against"), TableColumn("Difference", form=form_of(column))),
            *(TableColumn("p (Holm)"), TableColumn("Wins / ties / losses")),
        ),
        rows=tuple(
            (
                *(shorten(duel.system, 60), shorten(duel.other, 60)),
                replace(duel.difference, p=None),
                f"{chance(duel.difference.p)} ({chance(duel.corrected)})"
                if duel.corrected is not None
                else None,
                None if duel.wins is None else f"{duel.wins:,} / {duel.ties or 0:,} / {duel.losses or 0:,}",
            )
            for duel in duels
        ),
    )


def _kinds(
    comparison: Comparison, place: ComparisonColumn, parts: Sequence[Slice]
) -> list[tuple[str, list[dict[str, Any]]]]:
    figures = [figure for part in parts for figure in part.figures]
    ends = [end for figure in figures for end in (figure.low, figure.high, figure.value) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)

    def at(value: float | None, fallback: float) -> float:
        return round(WIDTH * ((fallback if value is None else value) - low) / ((high - low) or 1.0), 1)

    kinds: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        marks = tuple(
            {
                "system": _name(comparison, row),
                "paint": f"g{row % 12}",
                "text": number(place.column, figure.value),
                "low": at(figure.low, figure.value),
                "value": at(figure.value, figure.value),
                "high": at(figure.high, figure.value),
            }
            for row, figure in enumerate(part.figures)
            if figure.value is not None
        )
        articles = f"{part.articles:,} {'article' if part.articles == 1 else 'articles'}"
        picture = {"label": part.label, "articles": marked(articles, part.warning), "marks": marks}
        kinds.setdefault(part.kind, []).append(picture)
    return list(kinds.items())


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
                *(shorten(agreement.system, 60), shorten(agreement.name, 60), agreement.published),
                *(agreement.label or None, agreement.ours, agreement.correlation),
                None if agreement.ours is None else f"{agreement.equal:,} of {agreement.headlines:,}",
                agreement.why_not or agreement.library or "no metric of ours is of this kind",
            )
            for agreement in agreed
        ),
    )


def _articles(comparison: Comparison, place: ComparisonColumn | None) -> list[dict[str, Any]]:
    rows = order(article_measures.disagreement(comparison))[:LISTED].tolist()
    scores = None if place is None else comparison.scores(place.key)
    articles = []
    for row in rows:
        given = comparison.articles.references[row]
        lines = []
        for at, output in enumerate(comparison.outputs):
            score = float("nan") if scores is None else float(scores[at, row])
            shown = "" if place is None or np.isnan(score) else number(place.column, score)
            headline = clean(output.headlines[row]) or "(empty)"
            lines.append((_name(comparison, at), f"g{at % 12}", headline, shown))
        articles.append(
            {
                "name": shorten(comparison.articles.ids[row], 60),
                "start": shorten(comparison.articles.texts[row][: 4 * START], START),
                "reference": clean(given[0]) if given else "",
                "lines": lines,
            }
        )
    return articles
