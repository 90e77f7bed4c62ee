"""The facts grid for people and programs: as words, a table, plain data, and text for a terminal."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from core.data.timelines.timeline import Timeline
from core.events.facts import MOST_NAMES, FactColumn, FactRow, FactsGrid, Stated
from core.results.render import clean, letter, shorten
from core.results.table import Table, TableColumn, Value

NOTE_IN: Final = (
    "One letter is one value, in whichever language, also where one outlet alone says it; a place and the "
    "region or country that it is in share a letter; a value without one is said by one outlet only; an "
    "arrow and a time mark a changed value; a hatched cell says that the outlet's headlines do not state it, "
    "“not read” that they may, in words or a language that are not read. Times are {}. Read from headlines "
    "by rules, so some are missed."
)
NOTE: Final = NOTE_IN.format("UTC")
_COLUMN_LETTERS: Final = 22  # letters of a column in a terminal


def grid_table(grid: FactsGrid, timeline: Timeline) -> Table:
    """A line an outlet: outlet, reported, edited where one was, origin, headlines, and a column a fact."""
    edited = any(row.edits for row in grid.rows)
    heads = ["outlet", "reported", *(["edited"] if edited else []), "origin", "headlines"]
    heads += [column.head for column in grid.columns]
    lines: list[tuple[Value, ...]] = []
    for row in grid.rows:
        texts = " | ".join(timeline.texts[at] for at in row.rows)
        words = (cell_words(cell) or unread for cell, unread in zip(row.cells, row.unread, strict=True))
        lines.append((row.outlet, row.when, *([row.edited] if edited else []), row.origin, texts, *words))
    return Table(columns=tuple(map(TableColumn, heads)), rows=tuple(lines))


def grid_object(grid: FactsGrid, headlines: Sequence[object]) -> dict[str, object]:
    """The grid for other programs; `headlines` is what stands for each row of the timeline."""
    heads = [column.head for column in grid.columns]
    return {
        "summary": grid.lead,
        "most_say": {
            one.head: "; ".join((one.most, *(each.text for each in one.also))) for one in grid.columns
        },
        "outlets": [
            {
                "outlet": row.outlet,
                "reported": row.when,
                "edited": row.edited,
                "origin": row.origin,
                "headlines": [headlines[at] for at in row.rows],
                "read": row.read,
                "not_read": [head for head, unread in zip(heads, row.unread, strict=True) if unread],
                "states": {
                    head: cell_words(cell) for head, cell in zip(heads, row.cells, strict=True) if cell
                },
            }
            for row in grid.rows
        ],
    }


def grid_text(grid: FactsGrid, texts: Sequence[str]) -> str:
    """The grid for a terminal: one letter is one value, "–" says that nothing is stated."""
    rows = [["Outlet", *(clean(column.head) for column in grid.columns)]]
    rows.append([leading_head(grid), *(most_words(column, letters=True) for column in grid.columns)])
    for row in grid.rows:
        marked = [
            [replace(stated, text=f"{letter(stated.colour)} {clean(stated.text)}".strip()) for stated in cell]
            for cell in map(shown, row.cells)
        ]
        name = " · ".join(filter(None, (row_name(row, texts), row_details(row, grid))))
        said = zip(map(cell_words, marked), row.unread, strict=True)
        rows.append([name, *(words or unread or "–" for words, unread in said)])
    wrapped = [[wrap(text, _COLUMN_LETTERS) or [""] for text in row] for row in rows]
    widths = [max(len(line) for lines in column for line in lines) for column in zip(*wrapped, strict=True)]
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    printed = []
    for place, cells in enumerate(wrapped):
        for line in zip_longest(*cells, fillvalue=""):
            printed.append("  ".join(map(str.ljust, line, widths)).rstrip())
        printed.append(rule if place < 2 else "")
    return "\n".join([clean(grid.lead), "", *printed]).rstrip()


def shown(cell: Sequence[Stated]) -> Sequence[Stated]:
    """What a reader sees of a cell: its first names and how many more there are."""
    more = 0 if any(value.when for value in cell) else len(cell) - MOST_NAMES
    return [*cell[:MOST_NAMES], Stated(f"+{more}", -1)] if more > 0 else cell


def cell_words(cell: Sequence[Stated]) -> str:
    """A cell in one line: "3 dead → 5 dead, 14:20", "NASA; Roscosmos", "3 dead (earlier)"."""
    words = ""
    for value in cell:
        words += f" → {value.text}, {value.when}" if value.when else f"{'; ' if words else ''}{value.text}"
        words += " (withdrawn)" if value.withdrawn else " (earlier)" * value.earlier
    return words


def leading_head(grid: FactsGrid) -> str:
    return "Newest, or said most often" if any(each.newest for each in grid.columns) else "Said most often"


def most_words(column: FactColumn, *, value: bool = True, letters: bool = False) -> str:
    """How many outlets have the leading value: "3 dead, 4 of 10, as many differ", "…, 1 of 5, the newest"."""
    if column.differs:
        return "different values"
    words = f"{column.outlets} of {column.of}" + " origins" * column.folded + ", as many differ" * column.tied
    words += ", the newest" * column.newest + " each" * bool(column.also)
    marked = ((letter(each.colour) if letters else "", clean(each.text)) for each in column.leading)
    return ", ".join([*(" ".join(filter(None, each)) for each in marked), words]) if value else words


def row_name(row: FactRow, texts: Sequence[str]) -> str:
    return clean(row.outlet) or shorten(texts[row.rows[0]], 50)


def row_details(row: FactRow, grid: FactsGrid) -> str:
    """When an outlet reported, how many headlines it has, when it edited one, and whose origin it shares."""
    first = next(other for other in grid.rows if other.origin == row.origin)
    reports = f"{len(row.rows)} reports" if len(row.rows) > 1 else ""
    shared = f"same origin as {clean(first.outlet) or 'an earlier report'}" if first is not row else ""
    return " · ".join(filter(None, (row.when, reports, row.edited, shared)))
