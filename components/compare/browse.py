"""Search, order and filters above the list of articles, and the rows that they leave."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from components.compare import view
from components.compare.measured import hay_of
from components.compare.opened import Scene
from core.headlines.comparison.comparison import IntArray
from core.headlines.comparison.orders import order
from core.headlines.side_by_side.browsing import MEAN, SPREAD, FloatArray, Measure, found, within

WAYS = {MEAN: "mean of the systems", SPREAD: "best less worst system"}


LENGTH = "words"


def rows_of(scene: Scene, measures: dict[str, Measure]) -> IntArray:
    """The articles that are left, in the order asked for.

    Args:
        scene: What is open.
        measures: What there is to sort by; empty while it is measured, and then the file's order counts.
    """
    keep = found(hay_of(scene.key, scene), view.get("search"))
    for name, low, high in (
        (view.get("score"), view.get("low"), view.get("high")),
        (LENGTH, view.get("fewest"), view.get("most")),
    ):
        if name in measures and not (low is None and high is None):
            values = _values(scene, measures, name)
            keep &= within(values, -np.inf if low is None else low, np.inf if high is None else high)
    if view.get("unsupported") and "unsupported" in measures:
        keep &= np.nan_to_num(measures["unsupported"].values).max(axis=0) > 0
    rows = np.flatnonzero(keep)
    by = view.get("sort")
    if by not in measures:
        return rows
    return rows[order(_values(scene, measures, by)[rows], descending=view.get("descending"))]


def browse_bar(scene: Scene, measures: dict[str, Measure]) -> None:
    """Draws the controls of the list."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-browse"):
        _text_field("Search", "search", "Words in headlines, articles or ids")
        by = _choice("Order", "sort", [view.FILE_ORDER, *measures], _order_name(measures))
        if measures and len(scene.systems) > 1:
            systems = () if scene.blind else scene.systems
            _choice("Scores of", "of", [MEAN, SPREAD, *systems], lambda way: WAYS.get(way, way))
        if by != view.FILE_ORDER:
            _switch("Highest first", "descending")
        with st.popover(f"Filter{_active()}", icon=":material/filter_alt:"):
            _filters(scene, measures)


def _filters(scene: Scene, measures: dict[str, Measure]) -> None:
    if not measures:
        st.caption("There is more to filter by as soon as the headlines are measured.")
        return
    way = WAYS.get(view.get("of"), view.get("of"))
    scores = [name for name in measures if name != LENGTH]
    name = _choice(f"Score, {way}", "score", ["", *scores], lambda one: measures[one].label if one else "any")
    if name in measures:
        _ends(("low", "high"), _values(scene, measures, name), 0.01)
    st.caption("Words in a headline, mean of the systems")
    _ends(("fewest", "most"), _values(scene, measures, LENGTH), 1.0)
    if "unsupported" in measures:
        _switch("Only with a name or number that the article lacks", "unsupported")
    st.button("Show all articles", on_click=_show_all, icon=":material/filter_alt_off:", key="compare-all")


def _ends(names: tuple[str, str], values: FloatArray, step: float) -> None:
    known = values[~np.isnan(values)]
    if not len(known):
        st.caption("It has no value here.")
        return
    for column, name, label, hint in zip(
        st.columns(2), names, ("from", "to"), (known.min(), known.max()), strict=True
    ):
        key = f"compare-{name}"
        st.session_state[key] = view.get(name)
        column.number_input(
            label,
            key=key,
            step=step,
            placeholder=f"{hint:.3g}",
            on_change=lambda name=name, key=key: _set(name, st.session_state[key]),
        )


def _values(scene: Scene, measures: dict[str, Measure], name: str) -> FloatArray:
    """One value an article; lengths are always the mean, and no system is picked out in blind mode."""
    way = view.get("of")
    hidden = scene.blind and way not in WAYS
    return measures[name].of(MEAN if hidden or name == LENGTH else way, scene.systems)


def _order_name(measures: dict[str, Measure]) -> Callable[[str], str]:
    return lambda one: measures[one].label if one in measures else "Order of the file"


def _active() -> str:
    count = sum(view.get(name) is not None for name in ("low", "high", "fewest", "most"))
    count += bool(view.get("unsupported"))
    return f" ({count})" if count else ""


def _set(name: str, value: object) -> None:
    view.put(name, value)
    view.put("page", 0)


def _show_all() -> None:
    for name in ("low", "high", "fewest", "most"):
        view.put(name, None)
    view.put("unsupported", False)
    view.put("search", "")
    view.put("page", 0)


def _text_field(label: str, name: str, placeholder: str) -> None:
    key = f"compare-{name}"
    st.session_state[key] = view.get(name)
    st.text_input(
        label, key=key, placeholder=placeholder, on_change=lambda: _set(name, st.session_state[key].strip())
    )


def _choice(label: str, name: str, options: list[str], shown: Callable[[str], str]) -> str:
    key = f"compare-{name}"
    st.session_state[key] = view.get(name) if view.get(name) in options else options[0]
    st.selectbox(
        label, options, key=key, format_func=shown, on_change=lambda: _set(name, st.session_state[key])
    )
    return str(st.session_state[key])


def _switch(label: str, name: str) -> None:
    key = f"compare-{name}"
    st.session_state[key] = view.get(name)
    st.toggle(label, key=key, on_change=lambda: _set(name, st.session_state[key]))
