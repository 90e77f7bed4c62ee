"""Next and previous, by button and by arrow key."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def steps(
    said: str,
    at: int,
    count: int,
    go: Callable[[int], None],
    *,
    what: str,
    labels: tuple[str, str] = ("Previous", "Next"),
) -> None:
    """Draws the two buttons and, as markdown, where one is: `at` of `count`, from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{what}"):
        st.button(
            labels[0],
            key=f"previous-{what}",
            icon=":material/arrow_back:",
            disabled=at <= 0,
            on_click=go,
            args=(at - 1,),
            shortcut="Left",
        )
        st.button(
            labels[1],
            key=f"next-{what}",
            icon=":material/arrow_forward:",
            disabled=at + 1 >= count,
            on_click=go,
            args=(at + 1,),
            shortcut="Right",
        )
        st.markdown(said)
