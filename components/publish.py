"""The panel that publishes a chart, a table or the facts grid: a preview, its words, and its files."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Sequence
from typing import Final
from zlib import crc32

import pandas as pd
import streamlit as st

from components.charts.font import font
from components.page import Saved, downloads, errors_shown, stem
from components.page_state import is_large
from core.results.alt_text import alt_text
from core.results.chart import (
    SIZES,
    ChartSize,
    Picture,
    PublishedChart,
    as_embed,
    as_png,
    as_svg,
    table_picture,
)
from core.results.render import as_csv, as_latex
from core.results.table import MOST_COLUMNS, NOTHING, Table, TableColumn, text_rows

MOST_CHARACTERS: Final = 1_000  # of a line that is typed; what is beyond it is left out
Contents = Callable[[ChartSize], tuple[Picture, Callable[[], str], str, Sequence[Saved]]]
"""For a size: the picture, its data as CSV, what it shows in words, and further files."""


@st.fragment
def publish(what: str, contents: Contents, *, name: str, title: str, source: str, note: str = "") -> None:
    """Draws the button of the panel; `contents` may draw what else can be chosen. Not for a class."""
    if is_large():
        return
    label = f"Publish this {what}"
    if st.button(label, key=f"publish-{name}", icon=":material/ios_share:", type="tertiary"):
        # Beside what it shows, which stays in sight.
        st.dialog(label, position="right")(_panel)(contents, name, (title, source, note))


def _panel(contents: Contents, name: str, words: tuple[str, str, str]) -> None:
    with errors_shown("Publish"):
        # Other data have other words: what was typed for these is not theirs.
        key = f"publish-{name}-{crc32(repr(words).encode()):08x}"
        size = SIZES[
            str(st.segmented_control("For", list(SIZES), default="Web", required=True, key=f"{key}-size"))
        ]
        preview = st.empty()
        picture, data, shown, files = contents(size)
        labels = ("Title", "Source", "Note")
        title, source, note = (
            st.text_input(
                label, text, max_chars=MOST_CHARACTERS, key=f"{key}-{label}", persist_state="session"
            )
            for label, text in zip(labels, words, strict=True)
        )
        help = "For readers who do not see the picture. Written from the data; change it as you like."
        more = {"help": help, "max_chars": MOST_CHARACTERS, "height": 110, "persist_state": "session"}
        alt = st.text_area("Alt text", shown, key=f"{key}-alt-{crc32(shown.encode()):08x}", **more)
        chart = PublishedChart(picture=picture, title=title, source=source, note=note, alt=alt, size=size)
        svg = as_svg(chart, font=font())
        coded = base64.b64encode(svg.encode()).decode()
        preview.html(
            f'<img class="publish-preview" alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{coded}">'
        )
        file = stem(words[0], "chart")
        downloads(
            ("SVG", lambda: svg, f"{file}.svg"),
            ("PNG", lambda: as_png(chart, font=font()), f"{file}.png"),
            ("HTML", lambda: as_embed(chart, font=font()), f"{file}.html", "A picture to paste into a page."),
            ("CSV", data, f"{file}.csv", "The data."),
            *files,
            key=f"{key}-files",
        )


def publish_table(
    table: Table | pd.DataFrame,
    *,
    name: str,
    title: str,
    source: str,
    csv: Callable[[], str] | None = None,
    first: int = MOST_COLUMNS,
) -> None:
    """The same for a table, with the choice of its columns and a file for papers."""
    whole = table if isinstance(table, Table) else _table(table)

    def contents(_: ChartSize) -> tuple[Picture, Callable[[], str], str, Sequence[Saved]]:
        names = {at: column.title for at, column in whole.shown() if at}
        label = f"Columns (at first {first})" if len(names) >= first else "Columns"
        usual = list(names)[: first - 1]
        chosen = st.multiselect(
            label, list(names), usual, format_func=names.__getitem__, key=f"publish-{name}-columns"
        )
        part = whole.only(0, *chosen)
        rows = text_rows(part)
        paper = "LaTeX", lambda: as_latex(part), f"{stem(title, 'table')}.tex", "For a paper."
        return table_picture(rows), csv or (lambda: as_csv(whole)), alt_text(title, _numbers(part)), (paper,)

    publish("table", contents, name=name, title=title, source=source, note=" ".join(whole.notes))


def _table(frame: pd.DataFrame) -> Table:
    columns = tuple(TableColumn(str(name)) for name in frame.columns)
    cells = frame.astype(object).where(frame.notna(), None)
    return Table(columns=columns, rows=tuple(cells.itertuples(index=False, name=None)))


_SPANNED: Final = re.compile(r"([+-]?[\d.]+)(?: \[([+-]?[\d.]+), ([+-]?[\d.]+)\])?\W*")


def _numbers(table: Table) -> list[list[object]]:
    """The names of a table and its first figures, whose ends may stand in brackets."""
    head, *rows = text_rows(table)
    for at in range(1, len(head)):
        cells = [(row[0], _SPANNED.fullmatch(row[at])) for row in rows if row[at] != NOTHING]
        if cells and all(match for _, match in cells):
            figures = [[name, *map(_number, match.groups())] for name, match in cells if match]
            return [[head[0], head[at], "low", "high"], *figures]
    return [[head[0]], *([row[0]] for row in rows)]


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)
