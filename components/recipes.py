"""Choosing a registered method; its form is drawn from its fields, so a new method gets one for free."""

import dataclasses
from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from components.page_state import controlled
from core.registry import Registry, types_of
from core.runtime import workshop
from research.catalogue.catalogue import summary_of

WORDS: Final = {
    "lexical": "Weight of shared words",
    "strength": "Strength of the crowding correction",
    "tau_days": "Time decay τ (days)",
    "window_days": "Compared at most (days apart)",
    "nearest": "Neighbours at least",
    "per_event": "Neighbours per headline of an event",
    "n_neighbors": "Neighbours",
    "min_dist": "Least distance of points",
    "epochs": "Passes",
    "model": "Folder, hub id or name",
    "max_tokens": "Longest text (tokens)",
}
"""Labels of parameters whose names are written for programmers."""


def recipe_form(recipe: Any, *, key: str, free_text: bool = True) -> Any:
    """Draws one widget for each field and gives the recipe with the values chosen.

    A field's metadata may hold `label`, `help`, `low`, `high`, `step` and `choices`.

    Args:
        recipe: Its values are the ones in force.
        key: Begins the keys of the widgets.
        free_text: Draw fields that take any text, which may name a folder; else, and in a workshop, they
            keep their values.
    """
    values: dict[str, Any] = {}
    for field in dataclasses.fields(recipe):
        current = getattr(recipe, field.name)
        meta = field.metadata
        label = meta.get("label") or WORDS.get(field.name) or field.name.replace("_", " ").capitalize()
        common: dict[str, Any] = {"help": _sentence(meta.get("help")), "key": f"{key}-{field.name}"}
        if meta.get("choices"):
            options = list(meta["choices"])
            values[field.name] = st.selectbox(label, options, index=options.index(current), **common)
        elif isinstance(current, bool):
            values[field.name] = st.toggle(label, current, **common)
        elif {"int", "float"} & types_of(field):
            values[field.name] = _number(label, field, current, common)
        elif isinstance(current, str) and free_text and not workshop():
            values[field.name] = st.text_input(label, current, **common)
        else:
            values[field.name] = current
    return dataclasses.replace(recipe, **values)


def _sentence(help_text: str | None) -> str | None:
    return f"{help_text[0].upper()}{help_text[1:]}." if help_text else None


def _number(label: str, field: dataclasses.Field[Any], current: float | None, common: dict[str, Any]) -> Any:
    kind = int if "int" in types_of(field) else float
    bounds = (field.metadata.get(name) for name in ("low", "high", "step"))
    low, high, step = (None if bound is None else kind(bound) for bound in bounds)
    # Two digits after the point, the usual form, would show a small number as nothing.
    shown = "%g" if step is not None and step < 0.01 else None
    # An empty field means None, where the method allows it.
    chosen = st.number_input(
        label, min_value=low, max_value=high, value=current, step=step, format=shown, **common
    )
    return current if chosen is None and "None" not in types_of(field) else chosen


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
    st.selectbox(label, names, format_func=_for_people, help=help, **controlled(key, in_force, choose))
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
