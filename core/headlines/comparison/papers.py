"""What papers report of systems on data of the same kind: published, beside what is measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.data.articles.articles import Articles
from core.headlines.published import PUBLISHED, SOURCES
from core.results.render import aligned

NUMHG: Final = ("numhg", "numhg_people")
"""Tables of NumHG's paper: they stand beside articles whose gold numbers are known, as its articles' are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        title: Paper and table.
        data: What it was measured on.
        columns: Names of the figures.
        systems: One a line.
        figures: By line and column, in percent; None where the paper has none.
        digits: How many the paper gives after the point.
    """

    title: str
    data: str
    columns: tuple[str, ...]
    systems: tuple[str, ...]
    figures: tuple[tuple[float | None, ...], ...]
    digits: int

    def shown(self) -> list[list[str]]:
        """One line a system: its name and its figures as they stand in the paper."""
        return [
            [name, *("–" if value is None else f"{value:.{self.digits}f}" for value in row)]
            for name, row in zip(self.systems, self.figures, strict=True)
        ]


def papers_beside(articles: Articles) -> tuple[PaperTable, ...]:
    """The papers' tables that belong beside a comparison on these articles; () where there are none."""
    return tuple(map(paper_table, NUMHG)) if any(articles.numbers) else ()


def as_lines(tables: Sequence[PaperTable]) -> list[str]:
    """The tables for a terminal."""
    found = []
    for one in tables:
        lines = aligned([["", *one.columns], *one.shown()])
        found += ["", f"As published: {one.title}. {one.data}", *lines]
    return found


def paper_table(key: str) -> PaperTable:
    """A published table by its key in `SOURCES`."""
    source = next(one for one in SOURCES if one.key == key)
    rows = [one for one in PUBLISHED if one.source == key]
    columns = tuple(dict.fromkeys(name for one in rows for name in one.figures))
    values = [value for one in rows for value in one.figures.values()]
    return PaperTable(
        title=f"{source.paper}, {source.table}",
        data=source.data,
        columns=columns,
        systems=tuple(one.system for one in rows),
        figures=tuple(tuple(map(one.figures.get, columns)) for one in rows),
        digits=max(len(str(value).partition(".")[2]) for value in values),
    )
