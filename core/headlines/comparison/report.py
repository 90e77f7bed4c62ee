"""A comparison as one HTML file that opens offline: tables, where systems differ, headlines, signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.data.articles.articles import Articles
from core.data.timelines.raw import listing
from core.headlines.comparison.compare import Agreement
from core.headlines.comparison.comparison import (
    Comparison,
    ComparisonColumn,
    Duel,
    Slice,
    disagreement,
    duels_of_column,
    order,
    slices,
)
from core.headlines.comparison.table import (
    PUBLISHED,
    SCALE_NOTE,
    SOURCES,
    ComparisonTable,
    form_of,
    in_order,
    main_place,
    number,
    shown_column,
)
from core.headlines.metrics.metric import Column
from core.results import render
from core.results.page import html_page
from core.results.render import as_html, clean, comment, ruled, shorten
from core.results.table import (
    STARS,
    WARNED,
    Row,
    Table,
    TableColumn,
    between,
    chance,
    decimals,
    footnotes,
    marked,
    stars,
    text_rows,
    written,
)
from core.statistics.bootstrap import ENOUGH, Figure

NUMHG: Final = ("numhg", "numhg_people")
"""Tables of NumHG's paper: they stand beside articles whose gold numbers are known, as its articles' are."""


def papers_beside(articles: Articles) -> tuple[Table, ...]:
    """The papers' tables that belong beside a comparison on these articles; () where there are none."""
    return tuple(map(paper_table, NUMHG)) if any(articles.numbers) else ()


def as_lines(tables: Sequence[Table]) -> list[str]:
    found = []
    for one in tables:
        found += ["", f"As published: {one.title}. {one.notes[0]}", *ruled(text_rows(one))]
    return found


def as_objects(tables: Sequence[Table]) -> list[dict[str, Any]]:
    return [
        {
            "title": one.title,
            "data": one.notes[0],
            "columns": [column.title for column in one.columns[1:]],
            "systems": [row[0] for row in one.rows],
            "figures": [row[1:] for row in one.rows],
        }
        for one in tables
    ]


def paper_table(key: str) -> Table:
    """A published table by its key in `SOURCES`: systems by figures, in percent with the paper's digits."""
    source = next(one for one in SOURCES if one.key == key)
    rows = [one for one in PUBLISHED if one.source == key]
    names = tuple(dict.fromkeys(name for one in rows for name in one.figures))
    digits = max(len(str(value).partition(".")[2]) for one in rows for value in one.figures.values())
    return Table(
        columns=(TableColumn("System"), *(TableColumn(name, form=decimals(digits)) for name in names)),
        rows=tuple((one.system, *map(one.figures.get, names)) for one in rows),
        title=f"{source.paper}, {source.table}",
        notes=(source.data,),
    )


def as_text(comparison: Comparison, found: ComparisonTable) -> str:
    """The table for a terminal, one line a column of a metric; systems stand side by side."""
    return render.as_text(as_table(comparison, found, title=""), turned=True)


def as_csv(comparison: Comparison, found: ComparisonTable) -> str:
    """One line a system, as stored (not times 100): value, ends of its interval, p and headlines a column.

    The signature, at the end of every line, is that of the whole comparison.
    """
    parts = (*WARNED, ("{}_headlines", "count"), *((("{}_p_holm", "p"),) if found.against else ()))
    columns = (shown_column(place.column, place.key, parts) for place in found.places)
    about = zip(found.systems, comparison.outputs, found.empty, found.entries, strict=True)
    rows: list[Row] = [
        (system, one.source, found.articles, empty, *entries, comparison.signature)
        for system, one, empty, entries in about
    ]
    names = map(TableColumn, ("system", "source", "articles", "empty"))
    return render.as_csv(Table(columns=(*names, *columns, TableColumn("signature")), rows=tuple(rows)))


def as_latex(comparison: Comparison, found: ComparisonTable) -> str:
    r"""The table for a paper, in booktabs form: intervals below the values, the best in bold, marks.

    Columns without any value are left out and told in a comment.
    """
    return f"{render.as_latex(as_table(comparison, found))}{comment(comparison.signature)}\n"


def notes(comparison: Comparison, found: ComparisonTable) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    told = [
        f"{found.articles:,} articles, language {comparison.language}. {SCALE_NOTE} "
        f"Brackets: 95 % intervals, {comparison.resamples:,} bootstrap resamples of "
        f"{comparison.resampled_units}, seed {comparison.seed}."
    ]
    if any(entry.p is not None for row in found.entries for entry in row):
        levels = ", ".join(f"{sign} below {level:g}" for level, sign in reversed(STARS))
        count = len(found.systems) - 1
        told.append(
            f"Marks: differs from {found.against} (corrected p {levels}; paired bootstrap, Holm over "
            f"{count:,} comparison{'s' * (count != 1)} in each metric)."
        )
    elif found.against:
        told.append(
            f"Nothing is tested against {found.against}: that takes at least {ENOUGH} "
            f"{comparison.resampled_units}."
        )
    unused = {one.source: one.unused for one in comparison.outputs if one.unused}
    told += [f"{source}: not used: {listing(columns)}." for source, columns in unused.items()]
    told += [
        f"{system}: {one.marked_note}"
        for system, one in zip(found.systems, comparison.outputs, strict=True)
        if one.marked_note
    ]
    told += footnotes(entry.warning for row in found.entries for entry in row)
    told += [
        f"{system}: {count:,} of {found.articles:,} headlines are empty."
        for system, count in zip(found.systems, found.empty, strict=True)
        if count
    ]
    return told + _missing(found)


def as_table(comparison: Comparison, found: ComparisonTable, *, title: str = "System") -> Table:
    """The columns that have a value, as `in_order` has them."""
    shown = [found.places.index(place) for place in in_order(comparison)]
    return Table(
        columns=(TableColumn(title), *(shown_column(found.places[at].column) for at in shown)),
        rows=tuple(
            (system, *(row[at] for at in shown))
            for system, row in zip(found.systems, found.entries, strict=True)
        ),
        notes=tuple(notes(comparison, found)),
    )


def _missing(found: ComparisonTable) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for at in sorted(set(range(len(found.places))) - set(found.measured())):
        reasons.setdefault(found.entries[0][at].reason, []).append(found.places[at].column.label)
    return [f"No {', '.join(labels)}: {reason}" for reason, labels in reasons.items()]


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


def _cell(found: ComparisonTable, at: int, entry: Figure) -> dict[str, Any]:
    form, best = form_of(found.places[at].column), found.best(at)
    return {
        "value": written(entry.value, form),
        "span": marked(between(entry, form), entry.warning).strip(),
        "mark": stars(entry.p),
        "best": best is not None and entry.value == best,
    }


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
) -> list[tuple[str, list[dict[str, Any]]]]:
    figures = [figure for one in found for figure in one.figures]
    ends = [end for one in figures for end in (one.low, one.high, one.value) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    kinds: dict[str, list[dict[str, Any]]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(_picture(comparison, place, one, low, high))
    return list(kinds.items())


def _picture(
    comparison: Comparison, place: ComparisonColumn, one: Slice, low: float, high: float
) -> dict[str, Any]:
    def at(value: float | None, fallback: float) -> float:
        given = fallback if value is None else value
        return round(WIDTH * (given - low) / ((high - low) or 1.0), 1)

    return {
        "label": one.label,
        "articles": marked(f"{one.articles:,} {'article' if one.articles == 1 else 'articles'}", one.warning),
        "marks": tuple(
            {
                "system": _name(comparison, row),
                "paint": f"g{row % 12}",
                "text": number(place.column, figure.value),
                "low": at(figure.low, figure.value),
                "value": at(figure.value, figure.value),
                "high": at(figure.high, figure.value),
            }
            for row, figure in enumerate(one.figures)
            if figure.value is not None
        ),
    }


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


def _articles(comparison: Comparison, place: ComparisonColumn | None) -> list[dict[str, Any]]:
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
            {
                "name": shorten(comparison.articles.ids[row], 60),
                "start": shorten(comparison.articles.texts[row][: 4 * START], START),
                "reference": clean(given[0]) if given else "",
                "lines": lines,
            }
        )
    return found
