"""A comparison as one HTML file that opens offline, as JSON with every figure, and as a folder of files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import __version__, files
from core.headlines.comparison.compare import Agreement
from core.headlines.comparison.comparison import (
    Comparison,
    ComparisonColumn,
    Duel,
    Slice,
    article_words,
    disagreement,
    duels_of_column,
    headline_words,
    order,
    slices,
)
from core.headlines.comparison.table import (
    ComparisonTable,
    as_csv,
    as_latex,
    as_objects,
    form_of,
    main_place,
    notes,
    number,
    papers_beside,
)
from core.headlines.metrics import Column
from core.results import table_files
from core.results.page import html_page, object_json
from core.results.render import clean, shorten
from core.results.table import (
    MOST_COLUMNS,
    Table,
    TableColumn,
    Value,
    as_html,
    between,
    chance,
    decimals,
    footnotes,
    marked,
    stars,
    written,
)
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
LAYOUT: Final = 2
"""Version of the JSON."""
WRITTEN: Final = ("table.csv", "table.tex", "table.json", "scores.csv", "report.html")


def report_html(comparison: Comparison, table: ComparisonTable, agreed: tuple[Agreement, ...] = ()) -> bytes:
    """The report as one UTF-8 HTML file; the same comparison gives the same bytes.

    Nothing is loaded from elsewhere and nothing runs; every text is escaped.
    """
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
        notes=[clean(note) for note in notes(comparison, table)],
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
            (paper.title, paper.notes[0], as_html(paper)) for paper in papers_beside(comparison.articles)
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
    rows = order(disagreement(comparison))[:LISTED].tolist()
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


def as_json(comparison: Comparison, table: ComparisonTable, agreed: tuple[Agreement, ...] = ()) -> str:
    """Every figure with its interval, all duels, and what each column is, in one object."""
    document: dict[str, Any] = {
        "layout": LAYOUT,
        "program": f"headline-lab {__version__}",
        "articles": len(comparison.articles),
        "articles_name": comparison.articles.name,
        "articles_fingerprint": comparison.articles.fingerprint,
        "articles_ledger": dict(comparison.articles.ledger),
        "language": comparison.language,
        "seed": comparison.seed,
        "resamples": comparison.resamples,
        "resampled": comparison.resampled_units,
        "fingerprint": comparison.fingerprint,
        "signature": comparison.signature,
        "against": table.against or None,
        "systems": [
            {"system": output.system, "source": output.source, "empty": empty, "ledger": dict(output.ledger)}
            for output, empty in zip(comparison.outputs, table.empty, strict=True)
        ],
        "metrics": [
            {"signature": each.signature, "library": each.library, "why_not": each.why_not or None}
            for each in comparison.measured
        ],
        "columns": [
            {
                "key": place.key,
                "label": place.column.label,
                "help": place.column.help,
                "higher_is_better": place.column.higher_is_better,
                "metric": comparison.measured[place.metric].signature,
                "values": {
                    system: _value(figure, table.best(at))
                    for system, figure in zip(table.systems, table.column(at), strict=True)
                },
                "duels": [_duel(duel) for duel in duels_of_column(comparison, place.key)],
            }
            for at, place in enumerate(table.places)
        ],
        "published": agreed,
        "papers": as_objects(papers_beside(comparison.articles)),
    }
    return object_json(document)


def _duel(duel: Duel) -> dict[str, Any]:
    gap = duel.difference
    return {
        **{"one": duel.system, "other": duel.other, "difference": gap.value, "low": gap.low},
        **{"high": gap.high, "p": gap.p, "corrected": duel.corrected, "family": duel.family},
        **{"warning": gap.warning, "wins": duel.wins, "ties": duel.ties, "losses": duel.losses},
    }


def _value(figure: Figure, best: float | None) -> dict[str, Any]:
    parts = {name: getattr(figure, name) for name in ("value", "reason", "low", "high", "p", "warning")}
    return {**parts, "headlines": figure.count, "best": best is not None and figure.value == best}


def scores_csv(comparison: Comparison) -> str:
    """One line for each article and system: the headline, its scores, and what articles are sorted by."""
    keys = list(dict.fromkeys(name for output in comparison.outputs for name in output.published))
    names = ["row", "id", "system", "headline", "reference", "article_words", "headline_words"]
    names += ["disagreement", *(place.key for place in comparison.places)]
    names += [f"{name} (as published)" for name in keys]
    lengths, own = article_words(comparison).tolist(), headline_words(comparison).tolist()
    apart = disagreement(comparison)
    scores = [comparison.scores(place.key) for place in comparison.places]
    lines: list[tuple[Value, ...]] = []
    for row, name in enumerate(comparison.articles.ids):
        given = comparison.articles.references[row]
        for at, output in enumerate(comparison.outputs):
            lines.append(
                (
                    *(row + 1, name, output.system, output.headlines[row], given[0] if given else ""),
                    *(lengths[row], own[at][row], f"{apart[row]:.4f}"),
                    *(float(column[at, row]) for column in scores),
                    *(float(output.published[key][row]) if key in output.published else None for key in keys),
                )
            )
    return table_files.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(lines)))


def write_folder(
    folder: Path,
    comparison: Comparison,
    table: ComparisonTable,
    agreed: tuple[Agreement, ...] = (),
    *,
    columns: int | None = MOST_COLUMNS,
) -> None:
    """Writes `WRITTEN` into a folder that exists."""
    latex = as_latex(comparison, table, columns=columns)
    tables = (as_csv(comparison, table), latex, as_json(comparison, table, agreed))
    texts = (text.encode() for text in (*tables, scores_csv(comparison)))
    for name, content in zip(WRITTEN, (*texts, report_html(comparison, table, agreed)), strict=True):
        files.write(folder / name, content)
