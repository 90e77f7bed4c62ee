"""Events as lanes on a time axis."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from datetime import date

import streamlit as st

from components.frame.charts.show_chart import show_chart
from components.frame.charts.swimlane import WIDE, swimlane_chart, swimlane_figure
from components.frame.mounting import mounted
from components.frame.widgets import notice
from components.opened.views import timeline as state
from components.timeline.filters import filtered, kept
from components.timeline.group_list import marked_title
from components.timeline.workspace import View
from core.data.timelines.periods import Period, rows_within, whole
from core.events.lanes import lanes
from core.events.published_source import published_source
from core.groups.summary import GroupSummary
from core.results.alt_text import tally_text

VIEW = "swimlane"
FIRST_LANES = 12
MORE_LANES = 60
_LANES = "lanes-width"
_measure = mounted(__file__, "lanes", '<div class="width"></div>')


def swimlane(view: View, groups: Sequence[GroupSummary]) -> list[GroupSummary]:
    """A lane for each of some groups; a click selects it, a span the period. Gives those with lanes."""
    if view.timeline.undated == len(view.timeline):
        notice("no_lanes")
        return list(groups)
    most = MORE_LANES if st.session_state.get("all-lanes") else FIRST_LANES
    group, ids = state.now().group, view.grouping.ids
    selected = {int(ids[row]) for row in state.now().rows} if group is None else {group}
    by_time = state.LIST.now().sorted_by == "first"
    ranked = sorted(groups, key=lambda event: -event.size) if by_time else groups
    picked = [event for event in ranked[most:] if event.group in selected][:FIRST_LANES]
    wanted = {event.group for event in [*ranked[:most], *picked]}
    shown = [event for event in groups if event.group in wanted]
    titles = [(event.group, marked_title(view, event.group, event.representative)) for event in shown]
    within, fitting = rows_within(view.timeline, state.now().period), kept(view) if filtered() else None
    rows = lanes(view.timeline, ids, titles, within=within, fitting=fitting)
    faded = "headlines outside the filter are faded" * (fitting is not None)

    def choose(group: object) -> None:
        state.select(group=int(str(group)), by=VIEW)

    clicked = {"on_chosen_change": lambda: choose(st.session_state[_LANES].chosen)}
    width = float(_measure(key=_LANES, on_width_change=lambda: None, **clicked).width or WIDE)
    key = f"{state.view_key(VIEW)}-{width:g}"  # Plotly would not move what it has drawn for another width
    buttons = ["select2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]

    def pick() -> None:
        picked = st.session_state[key]["selection"]
        dated = [box["x"] for box in picked["box"] if isinstance(box["x"][0], str)]
        if dated and (span := whole(view.timeline)):
            first, last = sorted(date.fromisoformat(end[:10]) for end in dated[0])
            days = Period(max(first, span.first), min(last, span.last))
            state.choose_period(days if days.first <= days.last and days != span else None)
        elif picked["points"]:
            place = picked["points"][0].get("customdata")
            choose(place[0] if isinstance(place, list) else place)

    heading = f"{view.timeline.name}: what happened when"
    texts = [view.grouping.title(event.group, view.timeline.texts[event.representative]) for event in shown]
    unsigned = [replace(lane, title=text) for lane, text in zip(rows, texts, strict=True)]

    def reports() -> list[tuple[object, ...]]:
        return [(lane.group, lane.title, *astuple(mark)[1:4]) for lane in unsigned for mark in lane.marks]

    bar = {"displaylogo": False, "scrollZoom": True, "modeBarButtons": [buttons]}
    reported = [row for event in shown for row in event.rows]
    with st.container(key="lanes"):
        if faded:
            st.caption(f"{faded.capitalize()}.")
        show_chart(
            swimlane_figure(rows, selected=selected, width=width),
            published=lambda across: swimlane_chart(unsigned, selected=selected, width=across),
            name="swimlane",
            title=heading,
            source="; ".join(filter(None, (published_source(view.timeline, reported), faded))),
            signature=view.grouping.signature,
            data=lambda: [("event", "title", "when", "outlet", "headline"), *reports()],
            words=lambda: tally_text(heading, [title for _, title, *_ in reports()], of="reports"),
            alt=f"Timeline of {len(rows)} events; the list of events holds the same numbers",
            **{"key": key, "on_select": pick, "selection_mode": ("points", "box"), "config": bar},
        )
    if len(groups) > FIRST_LANES:
        label = f"Show up to {MORE_LANES} lanes (of {len(groups):,})"
        st.toggle(label, key="all-lanes", persist_state="session")
    return shown
