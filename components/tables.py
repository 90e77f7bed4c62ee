"""Tables: as high as their lines, with what each column says, and perhaps a line to choose."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components import large_text
from core.results.table import Table, text_rows

ROW_PIXELS: Final = 35
Cells = pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A frame, its columns by name, or its lines."""
Columns = Mapping[str, Any]
"""By name of a column: its help as a text, its width in pixels, both, or a `st.column_config`."""


def show_result(table: Table, *, alt: str, most: int = 460) -> None:
    """Draws a table of `core.results` as it is written in files."""
    head, *rows = text_rows(table)
    show_table(pd.DataFrame(rows, columns=head), alt=alt, most=most)


def show_table(cells: Cells, *, alt: str, most: int = 460, columns: Columns | None = None) -> None:
    """Draws a table at most so many pixels high; `alt` says what it holds to readers who do not see it."""
    frame = pd.DataFrame(cells)
    st.dataframe(frame, **_looks(frame, alt, most, columns or {}))


def text_table(cells: Cells, **more: Any) -> None:
    """Draws a plain table, whose cells wrap: they are there to be read."""
    st.table(pd.DataFrame(cells), hide_index=True, **more)


def choose_row(
    cells: Cells, *, key: str, alt: str, most: int = 460, columns: Columns | None = None
) -> int | None:
    """Draws a table of which one line can be selected; gives its place, None for none. See `show_table`."""
    frame = pd.DataFrame(cells)
    event = st.dataframe(
        frame,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        **_looks(frame, alt, most, columns or {}),
    )
    # A selection may outlive the line that it was made on.
    return next((row for row in event.selection.rows if row < len(frame)), None)


def metrics(values: Sequence[tuple[str, str, str | None]], *, key: str) -> None:
    """Draws a strip of values: label, value, and what it is."""
    with st.container(horizontal=True, key=key):
        for label, value, said in values:
            st.metric(label, value, help=said, width="content")


def height_for(rows: int, most: int) -> int:
    """Pixels of a table that shows no empty lines; larger where text is large."""
    times = large_text.ROOT_PIXELS / 16 if large_text.on() else 1.0
    return round(times * min(most, ROW_PIXELS * (rows + 1) + 3))


def _looks(frame: pd.DataFrame, alt: str, most: int, columns: Columns) -> dict[str, Any]:
    return {
        "hide_index": True,
        "height": height_for(len(frame), most),
        "column_config": {name: _column(one) for name, one in columns.items()},
        "alt": alt,
    }


def _column(given: Any) -> Any:
    if isinstance(given, tuple):
        return st.column_config.Column(width=given[0], help=given[1])
    if isinstance(given, str):
        return st.column_config.Column(help=given)
    return st.column_config.Column(width=given) if isinstance(given, int) else given
