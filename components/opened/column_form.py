"""Asking which column means what, with the first rows."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from components.frame.markdown import WORDS
from components.frame.tables import show_table

NONE: Final = "– none –"
SHOWN_CHARACTERS: Final = 300  # of a cell before it is loaded; a browser stands still over many accents
_IN_A_ROW: Final = 4


class ColumnMeaning(NamedTuple):
    name: str
    label: str
    help: str
    many: bool = False


def meanings(of: str) -> tuple[ColumnMeaning, ...]:
    return tuple(ColumnMeaning(name, *said) for name, said in WORDS["meanings"][of].items())


def column_form(
    wanted: Sequence[ColumnMeaning],
    columns: Sequence[str],
    proposed: Mapping[str, Sequence[str]],
    *,
    key: str,
) -> dict[str, tuple[str, ...]]:
    """Draws a box for each meaning; gives the columns that are chosen, by meaning, where there are any."""
    chosen: dict[str, tuple[str, ...]] = {}
    # Row by row, so that the tab key and a narrow screen follow the order of the meanings.
    boxes = [box for _ in range(0, len(wanted), _IN_A_ROW) for box in st.columns(_IN_A_ROW)]
    for box, meaning in zip(boxes, wanted, strict=False):
        first = [name for name in proposed.get(meaning.name, ()) if name in columns]
        look = {"key": f"{key}-{meaning.name}-{hash(tuple(columns))}", "help": meaning.help}
        if meaning.many:
            names = box.multiselect(meaning.label, columns, default=first, **look)
        else:
            options = [NONE, *columns]
            names = [box.selectbox(meaning.label, options, index=options.index((*first, NONE)[0]), **look)]
        if names and names != [NONE]:
            chosen[meaning.name] = tuple(names)
    return chosen


def first_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    cells = [[cell[:SHOWN_CHARACTERS] for cell in row] for row in rows]
    frame = pd.DataFrame(cells, columns=pd.Index(columns))
    show_table(frame, alt="The first rows of the file as they were read", most=260)
