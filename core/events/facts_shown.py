"""The facts grid for people and programs: as words, table, CSV, plain data, text for a terminal and HTML."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Final

from core.data.timelines.timeline import Timeline
from core.events.facts import FactColumn, FactRow, FactsGrid, Stated
from core.palette import DARK, LIGHT
from core.results.page import html_page
from core.results.render import clean, shorten
from core.results.table import Table, TableColumn, Value
from core.results.table_files import as_csv

STYLE: Final = "\n" + Path(__file__).with_name("facts.css").read_text(encoding="utf-8")
NOTE: Final = (
    "One colour in a column is one value, in whichever language; an arrow and a time mark a changed value; "
    "a hatched cell says that the outlet's headlines do not state it, “not read” that their language is not "
    "read. Times are UTC. Read from headlines by rules, so some are missed."
)
_TERMINAL: Final = 22  # letters of a column in a terminal


def grid_table(grid: FactsGrid, timeline: Timeline) -> Table:
    """A line an outlet: outlet, reported, edited where one was, origin, headlines, and a column a fact."""
    told = ["edited"] if any(row.edits for row in grid.rows) else []
    heads = ("outlet", "reported", *told, "origin", "headlines", *(column.head for column in grid.columns))
    lines: list[tuple[Value, ...]] = []
    for row in grid.rows:
        texts = " | ".join(timeline.texts[at] for at in row.rows)
        words = (cell_words(cell) or row.unread for cell in row.cells)
        lines.append((row.outlet, row.when, *[row.edited for _ in told], row.origin, texts, *words))
    return Table(columns=tuple(map(TableColumn, heads)), rows=tuple(lines))


def grid_csv(grid: FactsGrid, timeline: Timeline) -> str:
    """The grid as CSV; no spreadsheet runs anything in it."""
    return as_csv(grid_table(grid, timeline))


def grid_object(grid: FactsGrid, headlines: Sequence[object]) -> dict[str, object]:
    """The grid for other programs; `headlines` is what stands for each row of the timeline."""
    heads = [column.head for column in grid.columns]
    return {
        "summary": grid.lead,
        "most_say": {column.head: column.most for column in grid.columns},
        "outlets": [
            {
                "outlet": row.outlet,
                "reported": row.when,
                "edited": row.edited,
                "origin": row.origin,
                "headlines": [headlines[at] for at in row.rows],
                "read": not row.unread,
                "states": {
                    head: cell_words(cell) for head, cell in zip(heads, row.cells, strict=True) if cell
                },
            }
            for row in grid.rows
        ],
    }


def grid_text(grid: FactsGrid, texts: Sequence[str]) -> str:
    """The grid for a terminal: one letter in a column is one value, "–" says that nothing is stated."""
    rows = [["Outlet", *(clean(column.head) for column in grid.columns)]]
    letters = ["" if column.differs else letter(column.colour) for column in grid.columns]
    most = map(most_words, grid.columns)
    rows.append(["Most state", *map(str.strip, map(" ".join, zip(letters, most, strict=True)))])
    for row in grid.rows:
        marked = [
            [replace(stated, text=f"{letter(stated.colour)} {clean(stated.text)}".strip()) for stated in cell]
            for cell in row.cells
        ]
        name = " · ".join(filter(None, (row_name(row, texts), row_details(row, grid))))
        rows.append([name, *(cell_words(cell) or row.unread or "–" for cell in marked)])
    wrapped = [[wrap(text, _TERMINAL) or [""] for text in row] for row in rows]
    widths = [max(len(line) for lines in column for line in lines) for column in zip(*wrapped, strict=True)]
    rule, printed = "-" * (sum(widths) + 2 * len(widths) - 2), []
    for at, cells in enumerate(wrapped):
        for line in zip_longest(*cells, fillvalue=""):
            printed.append("  ".join(map(str.ljust, line, widths)).rstrip())
        printed.append(rule if at < 2 else "")
    return "\n".join([clean(grid.lead), "", *printed]).rstrip()


def letter(colour: int) -> str:
    """The letter of a colour, for those who see no colours; "" for none."""
    return chr(ord("A") + colour) if colour >= 0 else ""


def cell_words(cell: Sequence[Stated]) -> str:
    """A cell in one line: "3 dead → 5 dead, 14:20", "NASA; Roscosmos", "3 dead (earlier)"."""
    words = ""
    for value in cell:
        words += f" → {value.text}, {value.when}" if value.when else f"{'; ' if words else ''}{value.text}"
        words += " (earlier)" * value.earlier
    return words


def paints(*, dark: bool) -> str:
    """Rules for the colours of values, where no page gives them."""
    colours = DARK if dark else LIGHT
    return "".join(f".facts-grid .g{at}{{--group:{colour}}}" for at, colour in enumerate(colours))


def grid_html(grid: FactsGrid, texts: Sequence[str], *, most: int | None = None, scrolls: bool = True) -> str:
    """The first outlets of a grid as an escaped table, by default one that scrolls inside its own box."""
    heads = "".join(f'<th scope="col">{escape(clean(column.head))}</th>' for column in grid.columns)
    common = "".join(f"<td>{_most(column)}</td>" for column in grid.columns)
    body = "".join(_row(row, grid, texts) for row in grid.rows[:most])
    stop = ' tabindex="0"' if scrolls else ""
    return (
        f'<div class="facts-grid" role="region"{stop} aria-label="What each outlet states">'
        f'<table><thead><tr><th scope="col">Outlet</th>{heads}</tr></thead><tbody>'
        f'<tr class="most"><th scope="row">Most state</th>{common}</tr>{body}</tbody></table></div>'
    )


def grid_page(grid: FactsGrid, texts: Sequence[str], *, title: str, source: str) -> bytes:
    """The whole grid as a page without a script that loads nothing: for a wall, a slide or a colleague."""
    body = (
        '<header><h1 dir="auto">{{ title }}</h1></header><p dir="auto">{{ lead }}</p>{{ table|safe }}'
        '<footer><p class="quiet" dir="auto">{{ note }} {{ source }}</p></footer>'
    )
    table = grid_html(grid, texts)
    said = {"title": clean(title), "lead": clean(grid.lead), "note": NOTE, "source": clean(source)}
    return html_page(body, style=STYLE, table=table, **said)


def most_words(column: FactColumn, *, value: bool = True) -> str:
    """How many outlets have the leading value: "3 dead, 4 of 10, as many differ", "…, 1 of 5, the newest"."""
    if column.differs:
        return "different values"
    words = f"{column.outlets} of {column.of}" + " origins" * column.folded + ", as many differ" * column.tied
    words += ", the newest" * column.newest
    return f"{clean(column.most)}, {words}" if value else words


def row_name(row: FactRow, texts: Sequence[str]) -> str:
    return clean(row.outlet) or shorten(texts[row.rows[0]], 50)


def row_details(row: FactRow, grid: FactsGrid) -> str:
    """When an outlet reported, how many headlines it has, when it edited one, and whose origin it shares."""
    first = next(other for other in grid.rows if other.origin == row.origin)
    details = [row.when] if row.when else []
    details += [f"{len(row.rows)} reports"] if len(row.rows) > 1 else []
    details += filter(None, [row.edited])
    details += [f"same origin as {clean(first.outlet) or 'an earlier report'}"] if first is not row else []
    return " · ".join(details)


def _most(column: FactColumn) -> str:
    words = f"<small>{most_words(column, value=False)}</small>"
    return words if column.differs else f"{_painted(Stated(column.most, column.colour))}{words}"


def _row(row: FactRow, grid: FactsGrid, texts: Sequence[str]) -> str:
    details = row_details(row, grid)
    small = f"<small>{escape(details)}</small>" if details else ""
    empty = f"<td><small>{row.unread}</small></td>" if row.unread else '<td class="silent"></td>'
    cells = "".join(f"<td>{''.join(map(_painted, cell))}</td>" if cell else empty for cell in row.cells)
    return f'<tr><th scope="row">{escape(row_name(row, texts))}{small}</th>{cells}</tr>'


def _painted(one: Stated) -> str:
    paint = f" same g{one.colour}" if one.colour >= 0 else ""
    arrow = '<span aria-label="changed to">→</span> ' if one.when else ""
    note = f"<small>{escape(one.note)}</small>" if one.note else ""
    return f'{arrow}<span class="stated{paint}">{escape(clean(one.text))}{note}</span>'
