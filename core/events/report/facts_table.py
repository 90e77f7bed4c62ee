"""The facts grid as an HTML table, on the Timeline page, in a report and as a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from core.events.facts import FactColumn, FactRow, FactsGrid, Stated
from core.palette import DARK, LIGHT
from core.results.page import html_page
from core.results.render import clean, shorten

STYLE: Final = """
.facts-grid{overflow-x:auto;max-width:100%}
.facts-grid table{border-collapse:collapse;font-size:.9375rem;line-height:1.3;margin:0;width:100%}
.facts-grid :is(th,td){border:0;border-bottom:1px solid color-mix(in srgb,currentcolor 18%,transparent);
padding:.4rem .9rem .4rem 0;text-align:start;unicode-bidi:plaintext;vertical-align:top}
.facts-grid thead th{border-bottom-width:2px;font-size:.875rem;font-weight:600;white-space:nowrap}
.facts-grid tbody th{font-weight:600;min-width:7.5rem}
.facts-grid td{min-width:5rem}
.facts-grid small{display:block;font-size:.8125rem;font-weight:400;opacity:.75}
.facts-grid .most :is(th,td){border-bottom-width:2px}
.facts-grid .stated{display:inline-block;border-inline-start:3px solid transparent;margin:0 .3rem .15rem 0;
padding:.05rem .4rem;overflow-wrap:anywhere}
.facts-grid .same{background:color-mix(in srgb,var(--group) 16%,transparent);
border-inline-start-color:var(--group)}
.facts-grid td.silent{background:repeating-linear-gradient(135deg,transparent 0 5px,
color-mix(in srgb,currentcolor 5%,transparent) 5px 6px)}
@media(max-width:640px){.facts-grid table{width:max-content;min-width:100%}
.facts-grid tbody th,.facts-grid thead th:first-child{position:sticky;inset-inline-start:0;z-index:1;
background:var(--facts-paper,var(--paper));max-width:8.5rem;overflow-wrap:anywhere}
.facts-grid td{max-width:11rem}}
"""


def paints(*, dark: bool) -> str:
    """Rules for the colours of values, where no page gives them."""
    colours = DARK if dark else LIGHT
    return "".join(f".facts-grid .g{at}{{--group:{colour}}}" for at, colour in enumerate(colours))


def grid_html(grid: FactsGrid, texts: Sequence[str], *, most: int | None = None) -> str:
    """The first outlets of a grid as an escaped table that scrolls inside its own box."""
    heads = "".join(f'<th scope="col">{escape(clean(column.head))}</th>' for column in grid.columns)
    common = "".join(f"<td>{_most(column, len(grid.rows))}</td>" for column in grid.columns)
    body = "".join(_row(row, grid, texts) for row in grid.rows[:most])
    return (
        '<div class="facts-grid" role="region" tabindex="0" aria-label="What each outlet states">'
        f'<table><thead><tr><th scope="col">Outlet</th>{heads}</tr></thead><tbody>'
        f'<tr class="most"><th scope="row">Most state</th>{common}</tr>{body}</tbody></table></div>'
    )


def grid_page(grid: FactsGrid, texts: Sequence[str], *, title: str, source: str) -> bytes:
    """The whole grid as a page without a script that loads nothing: for a wall, a slide or a colleague."""
    body = (
        '<header><h1 dir="auto">{{ title }}</h1></header><p dir="auto">{{ lead }}</p>{{ table|safe }}'
        '<footer><p class="quiet" dir="auto">{{ note }} {{ source }}</p></footer>'
    )
    return html_page(
        body,
        title=clean(title),
        style=STYLE,
        lead=clean(grid.lead),
        table=grid_html(grid, texts),
        note=NOTE,
        source=clean(source),
    )


NOTE: Final = (
    "One colour in a column is one value, in whichever language; an empty cell says that the outlet's "
    "headlines do not state it. Times are UTC. Read from headlines by rules, so some are missed."
)


def _most(column: FactColumn, outlets: int) -> str:
    said = _stated(Stated(column.most, 0)) if column.outlets > 1 else "different values"
    return (
        f"{said}<small>{column.outlets} of {outlets}</small>"
        if column.outlets > 1
        else f"<small>{said}</small>"
    )


def _row(row: FactRow, grid: FactsGrid, texts: Sequence[str]) -> str:
    name = clean(row.outlet) or shorten(texts[row.rows[0]], 50)
    first = next(one for one in grid.rows if one.origin == row.origin)
    details = [row.when] if row.when else []
    details += [f"{len(row.rows)} reports"] if len(row.rows) > 1 else []
    details += [f"same text as {clean(first.outlet) or 'an earlier report'}"] if first is not row else []
    small = f"<small>{escape(' · '.join(details))}</small>" if details else ""
    cells = "".join(
        f"<td>{''.join(map(_stated, cell))}</td>" if cell else '<td class="silent"></td>'
        for cell in row.cells
    )
    return f'<tr><th scope="row">{escape(name)}{small}</th>{cells}</tr>'


def _stated(one: Stated) -> str:
    paint = f" same g{one.colour % len(LIGHT)}" if one.colour >= 0 else ""
    arrow = '<span aria-label="changed to">→</span> ' if one.when else ""
    when = f"<small>{escape(one.when)}</small>" if one.when else ""
    return f'{arrow}<span class="stated{paint}">{escape(clean(one.text))}{when}</span>'
