"""Choosing a registered method and its parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from components.page_state import controlled
from components.recipe_form import recipe_form
from core.catalogue.catalogue import summary_of
from core.registry import Registry


def recipe_choice(
    label: str,
    registry: Registry[Any],
    current: str,
    choose: Callable[[str], None],
    *,
    help: str,
    automatic: str | None = None,
) -> None:
    """Draws the list of methods and the form of the chosen one; a change is chosen at once.

    Args:
        label: What is chosen.
        registry: All methods of that kind.
        current: Signature in force, or `automatic`.
        choose: Called with the new signature.
        help: One line.
        automatic: The value that leaves the choice to the program, if there is one.

    Raises:
        CoreError: The signature in force, from a link, is not one.
    """
    recipe = None if current == automatic else registry.parse(current)
    names = [*([automatic] if automatic else []), *registry.names()]
    in_force = automatic if recipe is None else registry.name_of(recipe)
    key = f"pick-{label.lower()}"
    st.selectbox(
        label,
        names,
        format_func=_for_people,
        help=help,
        **controlled(key, in_force, choose),
    )
    if recipe is None:
        return
    st.caption(summary_of(recipe))
    chosen = registry.signature(recipe_form(recipe, key=f"{key}-{in_force}"))
    if chosen != registry.signature(recipe):
        choose(chosen)
        st.rerun()


def _for_people(name: str) -> str:
    words = name.partition(".")[0].replace("_", " ")
    return "Chosen by language" if words == "auto" else words[0].upper() + words[1:]
