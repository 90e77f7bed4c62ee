"""The facts grid as HTML: a table inside a page, and a page of its own."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from core.events.facts import FactColumn, FactRow, FactsGrid, Stated
from core.events.facts_text import NOTE, leading_head, most_words, row_details, row_name, shown
from core.palette import DARK, LIGHT
from core.results.page import html_page
from core.results.render import clean, letter

SILENT: Final = '<td class="silent"><small>not stated</small></td>'
STYLE: Final = "\n" + Path(__file__).with_name("facts.css").read_text(encoding="utf-8")


def colour_rules(*, dark: bool) -> str:
    """Rules for the colours of values, where no page gives them."""
    colours = DARK if dark else LIGHT
    return "".join(f".facts-grid .g{place}{{--group:{colour}}}" for place, colour in enumerate(colours))


def one_column_rule(place: int) -> str:
    """On a phone the outlets and one column, from 0, are seen."""
    other = f":is(thead th,td):not(:first-child):not(:nth-child({place + 2}))"
    return f"@media(max-width:640px){{.facts-grid {other}{{display:none}}}}"


def grid_html(grid: FactsGrid, texts: Sequence[str], *, most: int | None = None, scrolls: bool = True) -> str:
    """The first outlets of a grid as an escaped table, by default one that scrolls inside its own box."""
    heads = "".join(f'<th scope="col">{escape(clean(column.head))}</th>' for column in grid.columns)
    common = "".join(f"<td>{_leading_cell(column)}</td>" for column in grid.columns)
    body = "".join(_row(row, grid, texts) for row in grid.rows[:most])
    focusable = ' tabindex="0"' if scrolls else ""
    return (
        f'<div class="facts-grid" role="region"{focusable} aria-label="What each outlet states">'
        f'<table><thead><tr><th scope="col">Outlet</th>{heads}</tr></thead><tbody>'
        f'<tr class="most"><th scope="row">{leading_head(grid)}</th>{common}</tr>{body}</tbody></table></div>'
    )


def grid_page(
    grid: FactsGrid, texts: Sequence[str], *, title: str, source: str, signature: str = ""
) -> bytes:
    """The whole grid as a page without a script that loads nothing: for a wall, a slide or a colleague."""
    body = (
        '<header><h1 dir="auto">{{ title }}</h1></header><p dir="auto">{{ lead }}</p>{{ table|safe }}'
        '<footer><p class="quiet" dir="auto">{{ note }} {{ source }}</p></footer>'
    )
    table = grid_html(grid, texts)
    words = {"title": clean(title), "lead": clean(grid.lead), "note": NOTE, "source": clean(source)}
    return html_page(body, style=STYLE, table=table, signature=signature, **words)


def _leading_cell(column: FactColumn) -> str:
    return f"{''.join(map(_value_span, column.leading))}<small>{most_words(column, value=False)}</small>"


def _row(row: FactRow, grid: FactsGrid, texts: Sequence[str]) -> str:
    details = row_details(row, grid)
    small = f"<small>{escape(details)}</small>" if details else ""
    cells = "".join(
        f"<td>{''.join(map(_value_span, shown(cell)))}</td>" if cell
        else f"<td><small>{unread}</small></td>" if unread else SILENT
        for cell, unread in zip(row.cells, row.unread, strict=True)
    )  # fmt: skip
    name = escape(row_name(row, texts))
    name = name if clean(row.outlet) else f"<i>no outlet</i><small>{name}</small>"
    return f'<tr><th scope="row">{name}{small}</th>{cells}</tr>'


def _value_span(stated: Stated) -> str:
    known = stated.colour >= 0  # the letter is drawn, and not copied with the value
    paint = f" same g{stated.colour % len(LIGHT)}" if known else ""
    sign = f' data-letter="{letter(stated.colour)}"' if known else ""
    arrow = '<span aria-label="changed to">→</span> ' if stated.when else ""
    note = f"<small>{escape(stated.note)}</small>" if stated.note else ""
    return f'{arrow}<span class="stated{paint}"{sign}>{escape(clean(stated.text))}{note}</span>'
