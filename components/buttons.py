"""Buttons: what a click calls before the page is drawn again, and the two that go to the next and back."""

from collections.abc import Callable
from typing import Any

import streamlit as st


def button(
    label: str, key: str, then: Callable[..., object] | None = None, *given: Any, icon: str = "", **more: Any
) -> bool:
    """Draws a button with a Material icon; a click calls `then` with what is given, before the page runs."""
    sign = f":material/{icon}:" if icon else None
    return st.button(label, key=key, icon=sign, on_click=then, args=given, **more)


def undo_button(key: str, shortcut: str, then: Callable[..., object], *given: Any, disabled: bool) -> None:
    button("Undo", key, then, *given, icon="undo", type="tertiary", shortcut=shortcut, disabled=disabled)


def steps(said: str, at: int, count: int, go: Callable[[int], None], *, what: str) -> None:
    """Draws “Previous” and “Next” and, as markdown, where the page is: `at` of `count`, from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{what}"):
        button(
            "Previous", f"previous-{what}", go, at - 1, icon="arrow_back", disabled=at <= 0, shortcut="Left"
        )
        last = at + 1 >= count
        button("Next", f"next-{what}", go, at + 1, icon="arrow_forward", disabled=last, shortcut="Right")
        st.markdown(said)
