"""What papers report of systems on data of the same kind: published, beside what is measured here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from core.data.articles.articles import Articles
from core.headlines.published import PUBLISHED, SOURCES
from core.results.forms import decimals
from core.results.render import ruled
from core.results.table import Table, TableColumn, text_rows

NUMHG: Final = ("numhg", "numhg_people")
"""Tables of NumHG's paper: they stand beside articles whose gold numbers are known, as its articles' are."""


def papers_beside(articles: Articles) -> tuple[Table, ...]:
    """The papers' tables that belong beside a comparison on these articles; () where there are none."""
    return tuple(map(paper_table, NUMHG)) if any(articles.numbers) else ()


def as_lines(tables: Sequence[Table]) -> list[str]:
    """The tables for a terminal."""
    found = []
    for one in tables:
        found += ["", f"As published: {one.title}. {one.notes[0]}", *ruled(text_rows(one))]
    return found


def as_objects(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The tables for JSON."""
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
