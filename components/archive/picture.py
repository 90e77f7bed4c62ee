"""The map as a picture of the server's, with an area given in numbers: the same selection without WebGL."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.archive.state import ARCHIVE
from components.charts.theme import ink, is_dark
from core.archive.layout import SPAN, picture
from core.archive.opened import ArchiveAnswer, OpenArchive
from core.results.render import count_words

_PIXELS: Final = 720
_SIDES: Final = ("left", "right", "bottom", "top")


def picture_map(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    """Draws the picture and the fields of an area."""
    found = len(answer.rows)
    drawn = picture(archive, answer, _PIXELS, dark=is_dark(), paper=ink().paper)
    said = count_words(found, "headline", "headlines")
    st.image(drawn, width="stretch", alt=f"Map with {said} selected; the tables hold the same headlines")
    with st.form("archive-area", border=False):
        st.caption(
            "The map is a picture: this browser has no WebGL, or *Filters* asks for it. An area of it, in"
            " percent of its longer side from the left and from the bottom:"
        )
        columns = st.columns(4)
        whole = _area()
        given = [
            column.number_input(side.capitalize(), 0, 100, value, key=f"archive-{side}-{value}")
            for column, side, value in zip(columns, _SIDES, whole, strict=True)
        ]
        if st.form_submit_button("Select the area", icon=":material/select:"):
            left, right, bottom, top = (round(value * SPAN / 100) for value in given)
            corners = ((left, bottom), (right, bottom), (right, top), (left, top))
            ARCHIVE.put(lasso=corners, group=0)
            st.rerun()


def _area() -> tuple[int, int, int, int]:
    lasso = ARCHIVE.now().lasso or ((0, 0), (SPAN, SPAN))
    x, y = zip(*lasso, strict=True)
    left, right, bottom, top = (round(100 * side / SPAN) for side in (min(x), max(x), min(y), max(y)))
    return left, right, bottom, top
