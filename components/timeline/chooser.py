"""The choice of a timeline in one line."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import resources
from components.page_state import controlled
from components.timeline import state


def choose_timeline(key: str, changed: Callable[[], None] = lambda: None) -> None:
    """Draws the choice of the timeline that is open."""
    options, here = resources.known(), state.now().data

    def open_(name: str) -> None:
        state.open_data(name)
        changed()

    st.selectbox(
        "Headlines",
        options if here in options else [here, *options],
        format_func=resources.title,
        label_visibility="collapsed",
        width=300,
        **controlled(key, here, open_),
    )
