"""A form drawn from a recipe's fields: a new method gets its form for free."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st


def recipe_form(recipe: Any, *, key: str) -> Any:
    """Draws one widget for each field and gives the recipe with the values chosen.

    A field's metadata may hold `label`, `help`, `low`, `high`, `step` and `choices`.
    """
    values: dict[str, Any] = {}
    for field in dataclasses.fields(recipe):
        current = getattr(recipe, field.name)
        meta = field.metadata
        label = meta.get("label", field.name.replace("_", " ").capitalize())
        common = {"help": meta.get("help"), "key": f"{key}-{field.name}"}
        if meta.get("choices"):
            options = list(meta["choices"])
            values[field.name] = st.selectbox(label, options, index=options.index(current), **common)
        elif isinstance(current, bool):
            values[field.name] = st.toggle(label, current, **common)
        elif {"int", "float"} & set(str(field.type).split(" | ")):
            values[field.name] = _number(label, field, current, common)
        elif isinstance(current, str):
            values[field.name] = st.text_input(label, current, **common)
        else:
            values[field.name] = current
    return dataclasses.replace(recipe, **values)


def _number(label: str, field: dataclasses.Field[Any], current: float | None, common: dict[str, Any]) -> Any:
    kind = int if "int" in str(field.type).split(" | ") else float
    bounds = (field.metadata.get(name) for name in ("low", "high", "step"))
    low, high, step = (None if bound is None else kind(bound) for bound in bounds)
    # An empty field means None, where the method allows it.
    chosen = st.number_input(label, min_value=low, max_value=high, value=current, step=step, **common)
    return current if chosen is None and "None" not in str(field.type) else chosen
