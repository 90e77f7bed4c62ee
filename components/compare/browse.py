"""Search, order and filters above the list of articles, and the rows that they leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from components.compare import state
from components.compare.measured import hay_of
from components.compare.opened import Scene
from components.page_state import came_by_link, controlled, refuse_link
from core.headlines.comparison.comparison import IntArray
from core.headlines.comparison.orders import order
from core.headlines.side_by_side.browsing import MEAN, SPREAD, ArticleMeasure, FloatArray, found, within

WAYS = {MEAN: "mean of the systems", SPREAD: "range of the systems"}


LENGTH = "words"


def rows_of(scene: Scene, measures: dict[str, ArticleMeasure]) -> IntArray:
    """The articles that are left, in the order asked for; in the file's while nothing is measured."""
    keep = found(hay_of(scene), state.now().search)
    for name, low, high in (
        (state.now().score, state.now().low, state.now().high),
        (LENGTH, state.now().fewest, state.now().most),
    ):
        if name in measures and not (low is None and high is None):
            values = _values(scene, measures, name)
            keep &= within(values, -np.inf if low is None else low, np.inf if high is None else high)
    if state.now().unsupported and "unsupported" in measures:
        keep &= np.nan_to_num(measures["unsupported"].values).max(axis=0) > 0
    rows = np.flatnonzero(keep)
    if measures:
        _refuse_unknown(scene, measures)
    by = state.now().sort
    if by not in measures:
        return rows
    return rows[order(_values(scene, measures, by)[rows], descending=state.now().descending)]


def _refuse_unknown(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    for name, known, wants in (
        ("sort", {state.FILE_ORDER, "unsupported", *measures}, "a score of these headlines"),
        ("of", {MEAN, SPREAD, *scene.systems}, f"“{MEAN}”, “{SPREAD}” or a system of these articles"),
    ):
        given = getattr(state.now(), name)
        if given not in known and came_by_link(name):
            refuse_link(name, given, wants)
            state.reset(name)


def browse_bar(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    """Draws the search, and behind a button the order and the filters."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-browse"):
        st.text_input(
            "Search",
            placeholder="Words in headlines, articles or ids",
            label_visibility="collapsed",
            **_kept("search"),
        )
        with st.popover(f"Order and filter{_active()}", icon=":material/filter_alt:"):
            by = _choice(
                "Order",
                "sort",
                [state.FILE_ORDER, *measures],
                lambda one: measures[one].label if one in measures else "Order of the file",
            )
            if measures and len(scene.systems) > 1:
                systems = () if scene.blind else scene.systems
                _choice("Scores of", "of", [MEAN, SPREAD, *systems], lambda way: WAYS.get(way, way))
            if by != state.FILE_ORDER:
                st.toggle("Highest first", **_kept("descending"))
            _filters(scene, measures)


def _filters(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    if not measures:
        st.caption("There is more to filter by as soon as the headlines are measured.")
        return
    way = WAYS.get(state.now().of, state.now().of)
    scores = [name for name in measures if name != LENGTH]
    name = _choice(f"Score, {way}", "score", ["", *scores], lambda one: measures[one].label if one else "any")
    if name in measures:
        _ends(("low", "high"), _values(scene, measures, name), 0.01)
    st.caption("Words in a headline, mean of the systems")
    _ends(("fewest", "most"), _values(scene, measures, LENGTH), 1.0)
    if "unsupported" in measures:
        st.toggle("Only with a name or number that is not in the article", **_kept("unsupported"))
    st.button(
        "Show all articles",
        on_click=state.reset,
        args=(*state.FILTERS, "unsupported", "search", "page"),
        icon=":material/filter_alt_off:",
        key="compare-all",
    )


def _ends(names: tuple[str, str], values: FloatArray, step: float) -> None:
    known = values[~np.isnan(values)]
    if not len(known):
        st.caption("It has no value here.")
        return
    for column, name, label, hint in zip(
        st.columns(2), names, ("from", "to"), (known.min(), known.max()), strict=True
    ):
        column.number_input(label, step=step, placeholder=f"{hint:.3g}", **_kept(name))


def _values(scene: Scene, measures: dict[str, ArticleMeasure], name: str) -> FloatArray:
    way = state.now().of
    hidden = scene.blind and way not in WAYS
    return measures[name].of(MEAN if hidden or name == LENGTH else way, scene.systems)


def _active() -> str:
    count = sum(getattr(state.now(), name) is not None for name in state.FILTERS) + state.now().unsupported
    return f" ({count})" if count else ""


def _kept(name: str, options: Sequence[Any] = ()) -> dict[str, Any]:
    value = getattr(state.now(), name)
    shown = value if not options or value in options else options[0]
    return controlled(f"compare-{name}", shown, lambda chosen: state.narrow(**{name: chosen}))


def _choice(label: str, name: str, options: list[str], shown: Callable[[str], str]) -> str:
    return str(st.selectbox(label, options, format_func=shown, **_kept(name, options)))
