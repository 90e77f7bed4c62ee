"""Tables: to look at, to choose a line of, to edit."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.frame.markdown import WORDS, plain
from components.frame.page_state import ROOT_PIXELS, is_large
from core.results.table import Table, text_rows

ROW_PIXELS: Final = 35
_FIGURE: Final = re.compile(r"–|[+−<>]?\d[\d,.]*( ?(%|s|min|h|MB))?( \[.+\])?( ?[†*]+)?")
"""What stands in a column of figures that are written as words, as a value with its interval."""
Cells = pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A frame, its columns by name, or its lines."""
Columns = Mapping[str, Any]
"""By name of a column: its help as a text, its width in pixels, both, or what a `st.column_config` takes."""
TABLES: Final[Mapping[str, dict[str, Any]]] = WORDS["tables"]
"""What tables are to readers who do not see them, their columns, and their most pixels, by their names."""


def show_result(table: Table, *, alt: str, most: int = 460, columns: Columns | None = None) -> None:
    head, *rows = text_rows(table)
    show_table(pd.DataFrame(rows, columns=head), alt=alt, most=most, columns=columns)
    say_notes(table.notes)


def say_notes(notes: Iterable[str]) -> None:
    if said := "  \n".join(map(plain, notes)):
        st.caption(said)


def show_table(
    cells: Cells, *, alt: str, most: int = 460, columns: Columns | None = None, **edited: Any
) -> None:
    """Draws a table of so many pixels at most, or one to edit; `alt` is for readers who do not see it."""
    frame = pd.DataFrame(cells)
    (st.data_editor if edited else st.dataframe)(frame, **edited, **_looks(frame, alt, most, columns))


def text_table(cells: Cells, **more: Any) -> None:
    """Draws a plain table, whose cells wrap: they are there to be read."""
    st.table(pd.DataFrame(cells), hide_index=True, **more)


def choose_row(cells: Cells, *, key: str, **look: Any) -> int | None:
    """Draws a table of which one line can be selected; gives its place, None for none. See `show_table`."""
    look = _looks(frame := pd.DataFrame(cells), **look)
    event = st.dataframe(frame, key=key, on_select="rerun", selection_mode="single-row", **look)
    # A selection may outlive the line that it was made on.
    return next((row for row in event.selection.rows if row < len(frame)), None)


def height_for(rows: int, most: int, row: int = ROW_PIXELS) -> int:
    """Pixels of a table that shows no empty lines; larger where text is large."""
    times = ROOT_PIXELS / 16 if is_large() else 1.0
    return round(times * min(most, ROW_PIXELS + row * rows + 3))


def _looks(frame: pd.DataFrame, alt: str, most: int = 460, columns: Columns | None = None) -> dict[str, Any]:
    # By the mark the grid sets a head right, over figures.
    right = {
        str(name): {"alignment": "right", "label": f"\u061c{name}"}
        for name in frame
        if _holds_figures(frame[name])
    }
    looks = {name: {**_column(given), **right.get(name, {})} for name, given in (columns or {}).items()}
    return {
        "hide_index": True,
        "height": height_for(len(frame), most),
        "row_height": ROW_PIXELS,
        "column_config": right | looks,
        "alt": alt,
    }


def _holds_figures(cells: Any) -> bool:
    said = [isinstance(cell, str) and _FIGURE.fullmatch(cell) for cell in cells]
    return all(said) and any(cell != "–" for cell in cells)


def _column(given: Any) -> Any:
    if isinstance(given, Mapping):
        plain_number = "format" in given and "type_config" not in given
        return st.column_config.NumberColumn(**given) if plain_number else given
    if isinstance(given, list):
        width, help = given
        return st.column_config.Column(width=width, help=help)
    if isinstance(given, str):
        return st.column_config.Column(help=given)
    return st.column_config.Column(width=given)
