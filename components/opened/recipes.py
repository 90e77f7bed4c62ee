"""A registered method as a choice and a form, a widget a parameter."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from components.frame.controlled import controlled
from components.frame.markdown import WORDS, plain
from core.models.endpoints.recipe import sent_by
from core.registry import Registry, summary_of, types_of
from core.runtime import workshop


def recipe_form(recipe: Any, *, key: str, free_text: bool = True) -> Any:
    """The recipe with the values chosen, a widget a field; without `free_text` nobody names a folder."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(recipe):
        current = getattr(recipe, field.name)
        meta = field.metadata
        usual = field.name.replace("_", " ").capitalize()
        label = meta.get("label") or WORDS["parameters"].get(field.name, usual)
        said = meta.get("help") and f"{meta['help'][0].upper()}{meta['help'][1:]}."
        common: dict[str, Any] = {"help": said, "key": f"{key}-{field.name}"}
        if meta.get("choices"):
            options = list(meta["choices"])
            values[field.name] = st.selectbox(label, options, index=options.index(current), **common)
        elif isinstance(current, bool):
            values[field.name] = st.toggle(label, current, **common)
        elif {"int", "float"} & types_of(field):
            kind = int if "int" in types_of(field) else float
            bounds = (field.metadata.get(name) for name in ("low", "high", "step"))
            low, high, step = (None if bound is None else kind(bound) for bound in bounds)
            # Two digits after the point, the usual form, would show a small number as nothing.
            shown = "%g" if step is not None and step < 0.01 else None
            # An empty field means None, where the method allows it.
            chosen = st.number_input(label, low, high, current, step, format=shown, **common)
            values[field.name] = current if chosen is None and "None" not in types_of(field) else chosen
        elif isinstance(current, str) and free_text and not workshop():
            values[field.name] = st.text_input(label, current, **common)
        else:
            values[field.name] = current
    return dataclasses.replace(recipe, **values)


def few_choice(
    label: str, kind: str, registry: Registry[Any], current: str, choose: Callable[[str], None]
) -> bool:
    """Draws the few methods that differ to a user, those of plugins and a switch; True: all are asked for."""
    few = {name: words for name, words in WORDS["few"][kind].items() if name in registry.names()}
    others = {*registry.added(), here := registry.name_of(registry.parse(current))} - few.keys()
    few |= {name: (_for_people(name), summary_of(registry.parse(name))) for name in sorted(others)}
    look = {"format_func": lambda name: few[name][0], "captions": [plain(about) for _, about in few.values()]}
    st.radio(label, list(few), **look, **controlled(f"few-{kind}", here, choose))
    say_what_leaves(registry.parse(current))
    return st.toggle("For researchers", key=f"all-{kind}", persist_state="session")


def recipe_choice(
    label: str,
    registry: Registry[Any],
    current: str,
    choose: Callable[[str], None],
    *,
    automatic: str | None = None,
    own: Mapping[str, str] | None = None,
) -> None:
    """Draws the list of methods, `automatic` and one's `own` among them, and the form of that in force."""
    recipe, own = None if current == automatic else registry.parse(current), own or {}
    listed = (name for name in registry.names() if not getattr(registry.get(name), "brought", False))
    names = [*([automatic] if automatic else []), *own, *listed]
    in_force = automatic if recipe is None else current if current in own else registry.name_of(recipe)
    key = f"pick-{label.lower().replace(' ', '-')}"
    titles = {name: f"Trained here: {own[name]}" if name in own else _for_people(name) for name in names}
    st.selectbox(label, names, format_func=titles.__getitem__, **controlled(key, in_force, choose))
    if recipe is None:
        return
    st.caption(summary_of(recipe))
    say_what_leaves(recipe)
    chosen = registry.signature(recipe_form(recipe, key=f"{key}-{in_force}"))
    if chosen != registry.signature(recipe):
        choose(chosen)
        st.rerun()


def say_what_leaves(*recipes: object) -> None:
    """Says in one line what recipes send, and where to; nothing where all is computed here."""
    for line in sent_by(*recipes):
        st.caption(f":material/outbound: {plain(line)}")


def _for_people(name: str) -> str:
    words = name.partition(".")[0].replace("_", " ")
    return "Chosen by language" if words == "auto" else words[0].upper() + words[1:]
