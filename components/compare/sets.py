"""The choice of a set of articles, which the pages about written headlines share."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.compare import state
from components.compare.opened import set_names, set_title
from components.page_state import controlled


def set_choice(
    key: str,
    opened: Callable[[], None] = lambda: None,
    *,
    files: str = "that were loaded on the Compare page",
) -> None:
    """Draws it; a choice opens the set on the Compare page, too.

    Args:
        key: Of the widget.
        opened: Called once another set is open.
        files: Which files there are beside the sample and the sets.
    """
    names = set_names()
    current = state.now().articles
    st.selectbox(
        "Articles",
        names if current in names else [*names, current],
        format_func=set_title,
        **controlled(key, current, lambda chosen: _open(chosen, opened)),
        help=f"The sample, the sets on this machine, and the files {files}.",
    )


def _open(name: str, opened: Callable[[], None]) -> None:
    state.open_articles(name)
    opened()
