"""Filters of list, lanes and map at once: what can be chosen, and chips of what is chosen."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.controlled import controlled
from components.frame.markdown import WORDS, spoken
from components.frame.widgets import button
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline.outlet_table import outlet_table, table_form
from components.timeline.workspace import View
from core.arrays import BoolArray
from core.data.timelines.periods import rows_within
from core.events.facets import FLAGS, Facet, facets, flagged, matching
from core.events.outlet_table import decoded

MENU: Final = "order-and-period"
_known = cached(lambda view, table: facets(view.timeline, view.grouping.ids, decoded(table)), max_entries=16)


def facets_of(view: View) -> dict[str, Facet]:
    return _known(view, outlet_table())


def chosen_flags() -> list[str]:
    return [name for name in FLAGS if getattr(state.LIST.now(), name)]


def filtered() -> bool:
    return bool(state.LIST.now().facets or chosen_flags())


def kept(view: View, *, but: str = "") -> BoolArray:
    """Whether each headline is within the period and has all that is chosen, `but` of one facet, bool [n]."""
    chosen, n = [each for each in state.LIST.now().facets if each[0] != but], len(view.timeline)
    keep = rows_within(view.timeline, state.now().period)
    if chosen:
        keep &= matching(facets_of(view), chosen, n)
    if flags := chosen_flags():
        grouping = view.grouping
        work, ask = (
            partial(flagged, view.timeline, grouping.ids, grouping.marks),
            f"flagged|{grouping.signature}",
        )
        known = progress.result_of(ask, "Reading the numbers", work, long=n > 1_000)
        for name in flags:
            keep &= np.isin(np.arange(n), list(known[name]))
    return keep


def filters_form(view: View, *, opened: bool) -> None:
    """Draws what can be chosen, with how many headlines each choice has; lists when the menu is open."""
    for name in FLAGS:
        st.toggle(WORDS["flags"][name], **state.LIST.widget(name, f"pick-{name}"))
    if not opened:
        return
    for name, facet in facets_of(view).items():
        keep, here = kept(view, but=name), [value for of, value in state.LIST.now().facets if of == name]
        counts = {value: int(keep[rows].sum()) for value, rows in facet.rows.items()}
        values = [
            value for value in dict.fromkeys([*facet.rows, *here]) if counts.get(value) or value in here
        ]

        def choose(values: list[str], name: str = name) -> None:
            others = [each for each in state.LIST.now().facets if each[0] != name]
            state.LIST.put(facets=(*others, *((name, value) for value in values)))

        said = {value: f"{value} ({counts.get(value, 0):,})" for value in values}
        st.multiselect(
            spoken(facet.title),
            values,
            format_func=said.__getitem__,
            **controlled(f"facet-{name}", here, choose),
        )
    table_form()


def _without(name: str, value: str) -> None:
    state.LIST.put(facets=tuple(each for each in state.LIST.now().facets if each != (name, value)))


def clear() -> None:
    state.LIST.reset("facets", "find", *FLAGS)
    state.choose_period(None)


def chips(view: View, events: int) -> None:
    """What is chosen, each with a cross that takes it away, and how many of how many are left."""
    if not (filtered() or state.LIST.now().find or state.now().period):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="chips"):
        look = {"icon": "close", "type": "secondary"}
        known = facets_of(view) if state.LIST.now().facets else {}
        for name, value in state.LIST.now().facets:
            title = known[name].title if name in known else name.partition(".")[2] or name
            lacks = name not in known or value not in known[name].rows
            said = spoken(f"{title}: {value}" + " (not here)" * lacks)
            button(said, f"chip-{name}-{value}", _without, name, value, **look)
        for name in chosen_flags():
            button(WORDS["flags"][name], f"chip-{name}", state.LIST.reset, name, **look)
        button("Clear all", "chips-clear", clear, type="tertiary", shortcut="x")
        total, rows = len(np.unique(view.grouping.ids)), f"{len(view.timeline):,} headlines"
        left = f"{int(kept(view).sum()):,} of {rows}" if not state.LIST.now().find else ""
        said = f"**{events:,}** of {total:,} events and single reports" + f" · {left}" * bool(left)
        st.markdown(said, width="content")
