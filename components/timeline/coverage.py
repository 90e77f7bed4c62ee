"""Coverage by the columns of the user's table of outlets: bars on a card, and blind spots of a timeline."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Final

import streamlit as st

from components.frame.charts.theme import is_dark
from components.frame.publish import show_published
from components.frame.widgets import segments
from components.opened.views import timeline as state
from components.timeline.correct import event_title
from components.timeline.outlet_table import outlet_table
from components.timeline.workspace import View
from core.events.coverage import blind_spots_table
from core.events.outlet_table import decoded
from core.groups.summary import GroupSummary
from core.palette import group_colour
from core.results.render import clean

_BARS: Final = 3  # columns that have a bar on the card, the first ones
_UNKNOWN: Final = "not known"


def coverage_bars(outlets: Sequence[str]) -> None:
    """A bar for each column: how many of an event's outlets have each value."""
    table, drawn = decoded(outlet_table()), []
    for place, column in enumerate(table.columns[:_BARS]):
        value_of, parts = table.value_of(column, outlets), []
        order = sorted({said[place] for said in table.outlets.values()})
        counts = Counter(value_of.get(name, _UNKNOWN) for name in outlets)
        for value, count in counts.most_common() if value_of else ():
            colour = group_colour(order.index(value) if value in order else -1, dark=is_dark())
            said = f"{escape(clean(value))} {count}"
            parts.append(f'<span style="flex-grow:{count};border-color:{colour}">{said}</span>')
        if parts:
            drawn.append(f'<div><b dir="auto">{escape(clean(column))}</b>{"".join(parts)}</div>')
    if drawn:
        st.html(f'<div class="coverage">{"".join(drawn)}</div>')


def blind_spots(view: View, events: Sequence[GroupSummary]) -> None:
    """The events that the outlets of one side alone report, by a column of the table, to publish."""
    table = decoded(outlet_table())
    st.header("Blind spots", anchor=False)
    if not table.columns:
        said = (
            "Which side, country or owner reports an event alone: give a table of your outlets under Filters."
        )
        st.caption(said)
        return
    column = segments("By", table.columns, str, "blind-spots-by")
    value_of = table.value_of(column, view.timeline.publishers)
    if len(set(value_of.values())) < 2:
        st.caption("The table has no two different values for the outlets of these headlines.")
        return
    found = blind_spots_table(
        view.timeline,
        events,
        column,
        value_of,
        lambda event: event_title(view, event.group, event.representative),
    )
    if not found.rows:
        st.caption(" ".join(("No event is reported by two outlets or more of one kind alone.", *found.notes)))
        return
    days = "" if state.now().period is None else f", {state.now().period.words}"
    title = f"{view.timeline.name}: reported by one {column} alone"
    show_published(
        found, name=f"blind-{column}", title=title, source=f"{len(value_of):,} outlets of an own table{days}"
    )
    for note in found.notes:
        st.caption(note)
