"""The user's table of outlets, and coverage by it: bars on a card, and blind spots of a timeline."""

from collections import Counter
from collections.abc import Sequence, Set
from functools import partial
from html import escape
from typing import Final

import msgspec
import streamlit as st

from components.frame.charts.theme import is_dark
from components.frame.errors import errors_shown
from components.frame.markdown import HELPS, spoken
from components.frame.publish import publish_table
from components.frame.tables import show_result
from components.frame.widgets import button, segments
from components.opened.own_file import keep_file, own_file
from components.opened.reader_zone import reader_zone
from components.opened.reading import read
from components.opened.views import timeline as state
from components.timeline.workspace import View
from core.errors import InputError
from core.events.coverage import ORDERS, blind_spots_table
from core.events.outlet_table import OutletTable, covered, decoded, read_outlet_table, values_of
from core.groups.summary import GroupSummary
from core.palette import group_colour

_BARS: Final = 3  # columns that have a bar on the card, the first ones
_FILE: Final = "outlets.json"


def outlet_table() -> bytes:
    """The table as `decoded` takes it; b"" where none was given."""
    return own_file(_FILE)


def outlet_columns() -> OutletTable:
    return decoded(outlet_table())


def table_form(outlets: Set[str]) -> None:
    """Takes a table that names some of these outlets; another one does not take the place of what is kept."""
    given = st.file_uploader("A table of your outlets", key="outlet-table-file", help=HELPS["outlet-table"])
    if given is not None and st.session_state.get("outlets-given") != given.file_id:
        with errors_shown("Timeline"):
            table = read("Reading the table", read_outlet_table, given.getvalue(), given.name)
            if outlets and not covered(table, outlets):
                said = f"{given.name[:80]} names none of the {len(outlets):,} outlets of this timeline."
                raise InputError(said, hint="Name them as in the file of headlines; case does not matter.")
            keep_file(_FILE, msgspec.json.encode(table))
            st.session_state["outlets-given"] = given.file_id
            st.rerun()
    if table := outlet_columns():
        st.caption(f"{len(covered(table, outlets)):,} of {len(outlets):,} outlets are in the table.")
        label = f"Remove the table of {', '.join(map(spoken, table))}"
        button(label, "outlet-table-remove", keep_file, _FILE, b"", icon="delete", type="tertiary")


def coverage_bars(outlets: Sequence[str]) -> None:
    """A bar for each column: how many of an event's outlets have each value."""
    table, bars = outlet_columns(), ""
    for column in list(table)[:_BARS]:
        if value_of := values_of(table[column], outlets):
            order = sorted(set(table[column].values()))
            bars += f'<div><b dir="auto" style="flex:0 0 6rem">{escape(column)}</b>'
            for value, count in Counter(value_of.get(name, "not known") for name in outlets).most_common():
                colour = group_colour(order.index(value) if value in order else -1, dark=is_dark())
                look = f"flex-grow:{count};border-color:{colour}"
                bars += f'<span style="{look}">{escape(value)} {count}</span>'
            bars += "</div>"
    if bars:
        st.html(f'<div class="coverage">{bars}</div>')


def blind_spots(view: View, events: Sequence[GroupSummary]) -> None:
    table = outlet_columns()
    st.header("Blind spots", anchor=False)
    if not table:
        st.caption("What one side, country or owner reports alone, by a table of your outlets.")
        menu = {"order-and-period": True}  # it has the form
        button("Add a table of outlets", "add-outlets", st.session_state.update, menu, icon="add")
        return
    with st.container(horizontal=True):
        column = segments("By", table, spoken, "blind-spots-by")
        order = segments("Order", ORDERS, ORDERS, "blind-spots-order")
    value_of = values_of(table[column], view.timeline.publishers)
    sole = partial(blind_spots_table, view.timeline, view.grouping, events, column, value_of, order=order)
    found = sole(zone=reader_zone())
    if not found.rows:
        nothing = "Nothing here is reported by two outlets or more of one kind alone."
        st.caption(" ".join((nothing, *found.notes)))
    else:
        title, period = f"{view.timeline.name}: reported by one {column} alone", state.now().period
        source = f"{len(value_of):,} outlets of an own table" + (f", {period.words}" if period else "")
        show_result(found, alt=title)
        publish_table(sole, name=f"blind-{column}", title=title, source=source)
