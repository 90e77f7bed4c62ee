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
        elif isinstance(current, int | float):
            values[field.name] = _number(label, current, meta, common)
        elif isinstance(current, str):
            values[field.name] = st.text_input(label, current, **common)
        else:
            values[field.name] = current
    return dataclasses.replace(recipe, **values)


def _number(label: str, current: float, meta: Any, common: dict[str, Any]) -> float:
    kind = type(current)
    low, high, step = (None if meta.get(k) is None else kind(meta[k]) for k in ("low", "high", "step"))
    return st.number_input(label, min_value=low, max_value=high, value=current, step=step, **common)
