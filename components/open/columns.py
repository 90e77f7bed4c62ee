"""What the columns of a file mean: proposed, and changed by the reader; one form for all files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from components.tables import show_table

NONE: Final = "– none –"
SHOWN_CHARACTERS: Final = 300
"""Of a cell before it is loaded; a browser stands still over a hundred thousand accents."""
_IN_A_ROW: Final = 4


@dataclass(frozen=True, slots=True)
class ColumnMeaning:
    """Something that a column can mean.

    Attributes:
        name: How the program calls it.
        label: For people.
        help: One line.
        many: Several columns may mean it.
    """

    name: str
    label: str
    help: str
    many: bool = False


def column_form(
    meanings: Sequence[ColumnMeaning],
    columns: Sequence[str],
    proposed: Mapping[str, Sequence[str]],
    *,
    key: str,
) -> dict[str, tuple[str, ...]]:
    """Draws a box for each meaning; gives the columns that are chosen, by meaning, where there are any."""
    chosen: dict[str, tuple[str, ...]] = {}
    # Row by row, so that the tab key and a narrow screen follow the order of the meanings.
    boxes = [box for _ in range(0, len(meanings), _IN_A_ROW) for box in st.columns(_IN_A_ROW)]
    for box, meaning in zip(boxes, meanings, strict=False):
        first = [name for name in proposed.get(meaning.name, ()) if name in columns]
        box_key = f"{key}-{meaning.name}-{hash(tuple(columns))}"
        if meaning.many:
            names = tuple(
                box.multiselect(meaning.label, columns, default=first, key=box_key, help=meaning.help)
            )
        else:
            options = [NONE, *columns]
            name = box.selectbox(
                meaning.label,
                options,
                index=options.index(first[0]) if first else 0,
                key=box_key,
                help=meaning.help,
            )
            names = () if name == NONE else (name,)
        if names:
            chosen[meaning.name] = names
    return chosen


def first_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draws the first rows of a file as they were read."""
    show_table(
        pd.DataFrame([[cell[:SHOWN_CHARACTERS] for cell in row] for row in rows], columns=pd.Index(columns)),
        alt="The first rows of the file as they were read",
        most=260,
    )
