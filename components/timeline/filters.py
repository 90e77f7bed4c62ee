"""Filters of list, lanes and map at once: what can be chosen, and chips of what is chosen."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.controlled import controlled
from components.frame.markdown import WORDS, spoken
from components.frame.widgets import button
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline.coverage import outlet_table, table_form
from components.timeline.workspace import View
from core.arrays import BoolArray
from core.data.timelines.periods import rows_within
from core.events.facets import FLAGS, Facet, facets, flagged, matching
from core.events.outlet_table import decoded
from core.groups.summary import GroupSummary

# Their columns are no part of what a view is known by: the name of the file is.
_facets = cached(
    lambda view, name, table: facets(view.timeline, view.grouping.ids, decoded(table)), max_entries=16
)


def _known(view: View) -> dict[str, Facet]:
    return _facets(view, state.now().data, outlet_table())


def _flagged(view: View, ask: Callable[..., Any]) -> Any:
    work = partial(flagged, view.timeline, view.grouping.ids, view.grouping.marks)
    key, long = f"flagged|{view.grouping.signature}", len(view.timeline) > 1_000
    return ask(key, "Reading the numbers", work, long=long)


def _flags() -> list[str]:
    return [name for name in FLAGS if getattr(state.LIST.now(), name)]


def filtered() -> bool:
    return bool(state.LIST.now().facets or _flags())


def kept(view: View, *, but: str = "") -> BoolArray:
    """Whether each headline is within the period and has all that is chosen, `but` of one facet, bool [n]."""
    keep, flags = rows_within(view.timeline, state.now().period), _flags()
    if chosen := [each for each in state.LIST.now().facets if each[0] != but]:
        keep &= matching(_known(view), chosen, len(keep))
    known = _flagged(view, progress.result_of) if flags else {}
    for name in flags:
        keep &= np.isin(np.arange(len(keep)), list(known[name]))
    return keep


def filters_form(view: View, *, opened: bool) -> None:
    """Draws what can be chosen, in an open menu with how many headlines each choice has."""
    known = _flagged(view, progress.finished) if opened else None
    keep = kept(view) if known else None
    for name in FLAGS:
        count = f" ({keep[list(known[name])].sum():,})" if known else ""
        st.toggle(f"{WORDS['flags'][name]}{count}", **state.LIST.widget(name, f"pick-{name}"))
    for name, facet in _known(view).items() if opened else ():
        others = [each for each in state.LIST.now().facets if each[0] != name]
        here = [value for of, value in state.LIST.now().facets if of == name]
        keep = kept(view, but=name)
        counts = dict.fromkeys(here, 0) | {value: int(keep[rows].sum()) for value, rows in facet.rows.items()}
        said = {value: f"{value} ({count:,})" for value, count in counts.items() if count or value in here}
        look = controlled(f"facet-{name}", here, partial(_put, others, name))
        if said:
            st.multiselect(spoken(facet.title), list(said), format_func=said.__getitem__, **look)
    if opened:
        table_form({name for name in view.timeline.publishers if name})


def _put(others: Iterable[tuple[str, str]], name: str = "", values: Iterable[str] = ()) -> None:
    state.LIST.put(facets=(*others, *((name, value) for value in values)))


def _clear() -> None:
    state.LIST.reset("facets", "find", *FLAGS)
    state.choose_period(None)


def chips(view: View, events: Callable[[View], Sequence[GroupSummary]]) -> None:
    """What is chosen, each with a cross that takes it away, and how many of how many are left."""
    now = state.LIST.now()
    if not (filtered() or now.find or state.now().period):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="chips"):
        for name, value in now.facets:
            title, rows = _known(view).get(name, Facet(name.partition(".")[2], {}))
            said = spoken(f"{title}: {value}" + " (not here)" * (value not in rows))
            others = [each for each in now.facets if each != (name, value)]
            button(said, f"chip-{name}-{value}", _put, others, icon="close")
        for name in _flags():
            button(WORDS["flags"][name], f"chip-{name}", state.LIST.reset, name, icon="close")
        button("Clear all", "chips-clear", _clear, type="tertiary", shortcut="x")
        left = f" · {kept(view).sum():,} of {len(view.timeline):,} headlines" * (not now.find)
        count, total = len(events(view)), len(np.unique(view.grouping.ids))
        st.markdown(f"**{count:,}** of {total:,} events and single reports{left}", width="content")
