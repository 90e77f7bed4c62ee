"""The panel that publishes a chart, a table or the facts grid: a preview, its words, and its files."""

import base64
import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final
from zlib import crc32

import pandas as pd
import streamlit as st

from components.frame.downloads import Saved, downloads, stem
from components.frame.errors import errors_shown
from components.frame.page_state import is_large
from components.frame.tables import Cells, Columns, show_result, show_table
from core.results import chart as charts
from core.results.alt_text import alt_text
from core.results.chart import SIZES, ChartSize, Picture
from core.results.fonts import font
from core.results.number_forms import NOTHING
from core.results.table import MOST_COLUMNS, Table, TableColumn, text_rows
from core.results.table_files import as_csv, as_latex
from core.results.table_picture import table_picture

MOST_CHARACTERS: Final = 1_000  # of a line that is typed; what is beyond it is left out
Files = Callable[[str, str], Sequence[Saved]]  # for the title and the note as they were typed
Contents = Callable[[ChartSize], tuple[Picture, str, str, Callable[[], str], Files]]
"""For a size: the picture, a note below it, what it shows in words, its data as CSV, and further files."""
_ALT: Final = "For readers who do not see the picture. Written from the data; change it as you like."
_SPANNED: Final = re.compile(r"([+-]?[\d.]+)(?: \[([+-]?[\d.]+), ([+-]?[\d.]+)\])?\W*")


@st.fragment
def publish(what: str, contents: Contents, *, name: str, title: str, source: str = "") -> None:
    """Draws the button of the panel; `contents` may draw what else can be chosen. Not for a class."""
    if is_large():
        return
    source = ", ".join(filter(None, ("Source: Headline Lab", source)))
    label = f"Publish this {what}"
    if st.button(label, key=f"publish-{name}", icon=":material/ios_share:", type="tertiary"):
        # Beside what it shows, which stays in sight.
        st.dialog(label, position="right")(_panel)(contents, name, title, source)


def _panel(contents: Contents, name: str, title: str, source: str) -> None:
    with errors_shown("Publish"):
        look = {"default": "Web", "required": True, "label_visibility": "collapsed"}
        size = SIZES[str(st.segmented_control("Size", list(SIZES), key=f"publish-{name}-size", **look))]
        preview, files_row = st.empty(), st.container()
        preview.html('<div class="publish-preview"></div>')
        picture, note, alt, data, files = contents(size)
        file = stem(title, "chart")
        texts = {"title": title, "source": source, "note": note, "alt": alt}
        for word, text in texts.items():
            # Other data have other words: what was typed for these is not theirs.
            key = f"publish-{name}-{word}-{crc32(text.encode()):08x}"
            look = {"max_chars": MOST_CHARACTERS, "key": key, "persist_state": "session"}
            if word == "alt":
                texts[word] = st.text_area("Alt text", text, height=130, help=_ALT, **look)
            else:
                texts[word] = st.text_input(word.capitalize(), text, **look)
        chart = charts.PublishedChart(picture=picture, size=size, **texts)
        svg = charts.as_svg(chart, font=font())
        coded = base64.b64encode(svg.encode()).decode()
        alt = html.escape(texts["alt"])
        preview.html(f'<img class="publish-preview" alt="{alt}" src="data:image/svg+xml;base64,{coded}">')
        pixels, page = (partial(make, chart, font=font()) for make in (charts.as_png, charts.as_embed))
        pictures = ("SVG", lambda: svg, f"{file}.svg"), ("PNG", pixels, f"{file}.png")
        embedded = "HTML", page, f"{file}.html", "To paste into a page."
        more = ("CSV", data, f"{file}.csv", "The data."), *files(texts["title"], texts["note"])
        with files_row:
            downloads(*pictures, embedded, *more, key=f"publish-{name}-files")


def show_published(
    table: Table | Cells, *, alt: str = "", most: int = 460, columns: Columns | None = None, **words: Any
) -> None:
    """Draws a table, `alt` its alt text where that is not the title, and the button to publish it."""
    look: dict[str, Any] = {"alt": alt or words["title"], "most": most, "columns": columns}
    (show_result if isinstance(table, Table) else show_table)(table, **look)
    publish_table(lambda: table, **words)


def publish_table(
    table: Callable[[], Table | Cells], *, csv: Callable[[], str] | None = None, **words: str
) -> None:
    """The same for a table, with the choice of its columns and a file for papers."""

    def contents(_: ChartSize) -> tuple[Picture, str, str, Callable[[], str], Files]:
        given, name, title = table(), words["name"], words["title"]
        whole = given if isinstance(given, Table) else _table(pd.DataFrame(given))
        names = {at: column.title for at, column in whole.shown()}
        first, *others = names
        if len(others) > 1:
            look = {"format_func": names.__getitem__, "key": f"publish-{name}-columns-{len(names)}"}
            others = st.multiselect("Columns", others, others[: MOST_COLUMNS - 1], **look)
        part = whole.only(first, *others)
        alt, note = alt_text(title, _numbers(part)), " ".join(whole.notes)

        def files(heading: str, typed: str) -> Sequence[Saved]:
            notes = whole.notes if typed == note else (typed,) * bool(typed)
            paper = replace(part, title=heading, notes=notes)
            latex, file = partial(as_latex, paper, columns=None), f"{stem(title, 'table')}.tex"
            return (("LaTeX", latex, file, "For a paper."),)

        return table_picture(text_rows(part)), note, alt, csv or (lambda: as_csv(whole)), files

    publish("table", contents, **words)


def _table(frame: pd.DataFrame) -> Table:
    columns = tuple(TableColumn(str(name)) for name in frame.columns)
    cells = frame.astype(object).where(frame.notna(), None)
    return Table(columns=columns, rows=tuple(cells.itertuples(index=False, name=None)))


def _numbers(table: Table) -> list[list[object]]:
    """The names of a table and its figures, first of all those with intervals, whose ends are in brackets."""
    head, *rows = text_rows(table)
    lists = []
    for at in range(1, len(head)):
        cells = [(row[0], _SPANNED.fullmatch(row[at])) for row in rows if row[at] != NOTHING]
        figures = [[name, *(end and float(end) for end in match.groups())] for name, match in cells if match]
        if figures and len(figures) == len(cells):
            column = [column for _, column in table.shown()][at]
            weight = 2 * any(figure[2] is not None for figure in figures) + bool(column.better)
            lists.append((weight, [[head[0], head[at], "low", "high"], *figures]))
    return max(lists, key=lambda entry: entry[0], default=(0, [[head[0]], *([row[0]] for row in rows)]))[1]
