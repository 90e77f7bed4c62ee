"""Widgets that show a value of a view and hand over what is chosen."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.markdown import HELPS


def controlled(key: str, value: Any, choose: Callable[[Any], object]) -> dict[str, Any]:
    """Key, help and callback of a widget that shows a value of a view and hands over what is chosen."""
    st.session_state[key] = value
    return {"key": key, "help": HELPS.get(key), "on_change": lambda: choose(st.session_state[key])}


def controlled_days(
    key: str, shown: tuple[date, date], choose: Callable[[date, date], object]
) -> dict[str, Any]:
    """`controlled` for a choice of first and last day."""

    def chosen() -> None:
        given = st.session_state[key]
        if len(given) == 2:
            choose(*given)

    if len(st.session_state.get(key, shown)) == 2:
        st.session_state[key] = shown
    return {"key": key, "on_change": chosen}


def page_parts() -> DeltaGenerator:
    """Where the parts of a page stand, as tabs right under its title; views of one thing do not."""
    return st.container(key="page-parts")


def show(words: Mapping[str, str], current: str, choose: Callable[[str], object], *, key: str) -> str:
    """Draws the choice among words of the address, of which `current` is in force; gives that word."""
    look = {"format_func": words.__getitem__, "required": True, "label_visibility": "collapsed"}
    st.segmented_control("Show", list(words), **look, **controlled(key, current, choose))
    return current
