"""Events as lanes on a time axis."""

from collections.abc import Sequence
from dataclasses import astuple
from datetime import UTC
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.charts.show_chart import show_chart
from components.frame.charts.swimlane import WIDE, layout, swimlane_chart, swimlane_figure
from components.frame.mounting import mounted
from components.frame.widgets import notice
from components.opened.reader_zone import reader_zone
from components.opened.views import timeline as state
from components.timeline.correct import event_title
from components.timeline.filters import filtered, kept
from components.timeline.group_list import marked_title
from components.timeline.workspace import View
from core.data.timelines.periods import Period, rows_within, whole
from core.events.busy_times import HOUR, finding, times_of, unit_of
from core.events.lanes import Lane, lanes
from core.events.published_source import published_source
from core.groups.summary import GroupSummary
from core.results.alt_text import tally_text
from core.results.render import zone_name

VIEW = "swimlane"
FIRST_LANES = 12
MORE_LANES = 60
BESIDE, GAP = 1100, 32  # pixels from which the card stands beside the lanes, and between both
_LANES = "lanes-width"
_measure = mounted(__file__, "lanes", '<div class="width"></div>')


def _choose(group: object) -> None:
    state.select(group=int(str(group)), by=VIEW)


def places() -> tuple[DeltaGenerator, DeltaGenerator, float]:
    """Where lanes and card stand, and how wide lanes are: the card of a chosen event stands beside them."""
    clicked = {"on_chosen_change": lambda: _choose(st.session_state[_LANES].chosen)}
    width = float(_measure(key=_LANES, on_width_change=lambda: None, **clicked).width or WIDE)
    if state.now().group is None or width < BESIDE:
        return st.container(), st.container(), width
    left, right = st.columns([3, 2], gap="medium")
    return left, right, round(0.6 * (width - GAP))


def _said(rows: Sequence[Lane]) -> tuple[str, str]:
    """What lanes show, and what a dot is, with the zone of its hours."""
    found, unit = finding(rows), "a day"
    if unit_of(rows) == HOUR:
        first = times_of(rows)[0]
        unit = f"an hour ({zone_name(first, first.tzinfo or UTC)})"
    dots = f"A dot is {unit}, or a few close together; its number, the reports"
    # The sentence says where there is quiet time.
    return found, dots + "; quiet time is cut out" * (" bursts in " in found)


def swimlane(view: View, groups: Sequence[GroupSummary], width: float) -> list[GroupSummary]:
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
    drawn = partial(lanes, view.timeline, ids, within=within, fitting=fitting)
    rows = drawn(titles, zone=reader_zone())
    faded = "Headlines outside the filter are faded" * (fitting is not None)
    key = f"{state.view_key(VIEW)}-{width:g}"  # Plotly would not move what it has drawn for another width
    buttons = ["select2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]

    def pick() -> None:
        picked = st.session_state[key]["selection"]
        if picked["box"] and (span := whole(view.timeline)):
            first, last = sorted(picked["box"][0]["x"])
            dots = [dot for dot in layout(rows, width).dots if first <= dot.x <= last]
            times = [mark.time for dot in dots for mark in dot.marks if mark.time is not None]
            days = sorted(time.astimezone(UTC).date() for time in times)
            if days:
                chosen = Period(days[0], days[-1])
                state.choose_period(chosen if chosen != span else None)
        elif picked["points"]:
            place = picked["points"][0].get("customdata")
            _choose(place[0] if isinstance(place, list) else place)

    unsigned = drawn([(event.group, event_title(view, event.group, event.representative)) for event in shown])
    (found, dots), (sentence, dots_in_utc) = _said(rows), _said(unsigned)
    heading = f"{view.timeline.name}: {sentence or 'what happened when'}".rstrip(".")

    def reports() -> list[tuple[object, ...]]:
        return [(lane.group, lane.title, *astuple(mark)[1:4]) for lane in unsigned for mark in lane.marks]

    bar = {"displaylogo": False, "scrollZoom": True, "modeBarButtons": [buttons]}
    reported = [row for event in shown for row in event.rows]
    with st.container(key="lanes"):
        st.markdown(f"**{found}** " * bool(found) + f":gray[{'. '.join(filter(None, (dots, faded)))}.]")
        show_chart(
            swimlane_figure(rows, selected=selected, width=width),
            published=lambda across: swimlane_chart(unsigned, width=across),
            name="swimlane",
            title=heading,
            source="; ".join(filter(None, (published_source(view.timeline, reported), dots_in_utc, faded))),
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
