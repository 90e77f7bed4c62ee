"""The swimlane on the Timeline page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from functools import partial

import streamlit as st

from components import jobs, large_text, resources
from components.charts.menu import show_chart
from components.charts.swimlane import LEAST_LANE, swimlane_chart, swimlane_figure
from components.job_queue import Job
from components.map.headline_map import detailed_map
from components.mounted import copy_button
from components.page import Download, download, stem
from components.timeline import state
from components.timeline.group_list import marked_title
from components.timeline.history import corrections_exchange
from components.timeline.workspace import View
from core.data.timelines.periods import rows_within, written_day
from core.events.export import FORMATS, report, report_bundle, table_bytes
from core.events.lanes import Lane, lanes
from core.groups.card import GroupSummary
from core.runtime import workshop

VIEW = "swimlane"
FIRST_LANES = 12
MORE_LANES = 60
_COLUMNS = ("event", "title", "when", "headlines", "outlets", "first headline")


def swimlane(view: View, groups: Sequence[GroupSummary]) -> None:
    """A lane for each of the first of some groups; a click selects the group everywhere."""
    if view.timeline.undated == len(view.timeline):
        st.info(
            "None of these headlines has a date, so time is ignored and there is no time axis. The list "
            "and the map show the groups.",
            icon=":material/event_busy:",
        )
        return
    shown = MORE_LANES if st.session_state.get("all-lanes") else FIRST_LANES
    chosen = groups[:shown]
    selected = _selected(view)
    picked = [g for g in groups[shown:] if g.group in selected][:FIRST_LANES]
    rows = lanes(
        view.timeline,
        view.grouping.ids,
        [(g.group, marked_title(view, g.group, g.representative)) for g in [*chosen, *picked]],
        within=rows_within(view.timeline, state.now().period),
    )
    key = state.view_key(VIEW)
    show_chart(
        swimlane_figure(rows, selected=selected),
        published=lambda: swimlane_chart(rows, selected=selected),
        name="swimlane",
        title=f"{view.timeline.name}: what happened when",
        source=f"Source: Headline Lab, {len(view.timeline):,} headlines{_period(rows)}",
        data=lambda: [
            _COLUMNS,
            *((lane.group, lane.title, *astuple(mark)[1:]) for lane in rows for mark in lane.marks),
        ],
        least=LEAST_LANE * len(rows),
        key=key,
        on_select=lambda: _picked(key),
        selection_mode="points",
        config={
            "displaylogo": False,
            "modeBarButtons": [["pan2d", "zoom2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
        },
        alt=f"Timeline of {len(rows)} events; the list of events holds the same numbers",
    )
    if len(groups) > FIRST_LANES:
        st.toggle(
            f"Show up to {MORE_LANES} lanes (of {len(groups):,})", key="all-lanes", persist_state="session"
        )


def _period(rows: Sequence[Lane]) -> str:
    times = [mark.time for lane in rows for mark in lane.marks if mark.time is not None]
    return f", {written_day(min(times))} to {written_day(max(times))}" if times else ""


def _selected(view: View) -> set[int]:
    group = state.now().group
    if group is not None:
        return {group}
    return {int(view.grouping.ids[row]) for row in state.now().rows}


def _picked(key: str) -> None:
    points = st.session_state[key]["selection"]["points"]
    if points:
        place = points[0].get("customdata")
        state.select(group=int(place[0] if isinstance(place, list) else place), by=VIEW)


def exports(view: View) -> None:
    """One menu of everything that can be saved; not for a class."""
    if large_text.on():
        return
    drawing = detailed_map(view, ahead=True)
    with st.popover("Export", icon=":material/download:", key="export-menu"):
        _files(view, drawing)
        corrections_exchange(view)
        elsewhere = "in another browser" if workshop() else "on another computer"
        with st.container(horizontal=True, vertical_alignment="center", key="export-link"):
            copy_button("Copy the link", key="copy-link")
            st.caption(
                "The address of this page holds the whole view: send it to reopen it"
                + (
                    f" while this server runs; {elsewhere} the same file has to be opened first."
                    if state.now().data.startswith(resources.FILE)
                    else "."
                )
            )


def _files(view: View, drawing: Job) -> None:
    name = stem(view.timeline.name, "headlines")
    with st.container(horizontal=True, key="export"):
        page = Download(
            "Report (HTML)",
            lambda: report(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{name}-report.html",
            "One file with pictures, events and all headlines; opens without a network.",
        )
        bundle = Download(
            "Bundle (ZIP)",
            lambda: report_bundle(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{name}-bundle.zip",
            "Report, figures, tables, settings and checksums; the same view gives the same bytes.",
        )
        download(page, key="export-report", type="primary")
        for kind in FORMATS:
            table = Download(
                kind.upper(),
                partial(table_bytes, view.prepared, view.grouping, kind),
                f"{name}-groups.{kind}",
                "Every headline in its order, with all its columns and its group.",
            )
            download(table, key=f"export-{kind}")
        download(bundle, key="export-bundle")
