"""The map on the Map page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import jobs, large_text
from components.charts.maps import LABEL_CHARACTERS, Colouring, box, by_category, by_day, by_group, map_figure
from components.job_queue import Job
from components.page_state import controlled
from components.recipes import recipe_choice
from components.resources import cached
from components.timeline import state
from components.timeline.correct import mark_of
from components.timeline.group_list import summaries, written_days
from components.timeline.workspace import View
from core.data.timelines.timeline import Field
from core.events.mapping import FIRST_MAP, Drawing, draw_map
from core.maps.labels import labels_for_map
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime

VIEW = "map"
COLOURS = {"group": "Event", "gold": "Human groups", "publisher": "Outlet", "date": "Date"}


def headline_map(view: View) -> str:
    """Draws the map; a first picture at once, the better one when it is ready. Gives its method."""
    job = detailed_map(view)
    ready = job.future.done()
    drawing: Drawing = job.future.result() if ready else _first_map(view)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _colour_choice(view)
        with st.popover("How it is drawn", icon=":material/tune:"):
            recipe_choice(
                "Layout",
                projectors,
                state.now().map,
                lambda signature: state.put(map=signature),
                help="The direct UMAP is ready first; umap-learn's own is there to compare.",
            )
    rows: Sequence[int] = state.now().rows
    if not rows and state.now().group is not None:
        rows = [r for r, g in enumerate(view.grouping.ids.tolist()) if g == state.now().group]
    colouring = _colouring(view)
    st.caption("A click on a point opens its event; the lasso at the top right picks several headlines.")
    figure = map_figure(
        drawing.positions,
        _boxes(view),
        colouring,
        labels=labels_for_map(
            drawing.positions,
            view.grouping.ids,
            texts={
                s.group: view.grouping.title(s.group, view.timeline.texts[s.representative])
                for s in summaries(view)
            },
            most=8,
            characters=LABEL_CHARACTERS,
            plot=(530, 360) if large_text.on() else (800, 540),
        ),
        selected=rows,
    )
    key = state.view_key(VIEW)
    with st.container(key="headline-map"):
        st.plotly_chart(
            figure,
            key=key,
            on_select=lambda: _picked(key, view.grouping.ids.tolist()),
            config={
                "displaylogo": False,
                "displayModeBar": True,
                "modeBarButtonsToRemove": ["toImage", "autoScale2d", "zoom2d"],
            },
            alt="Map of the headlines by meaning; the table below holds the same headlines",
        )
    if not ready:
        jobs.await_picture(job, "A first picture; the detailed map replaces it when it is ready.")
    return drawing.method


@cached(max_entries=16)
def _boxes(view: View) -> list[str]:
    """Headline, publisher, day and event of each point."""
    timeline = view.timeline
    lines = zip(
        timeline.texts,
        timeline.table[Field.PUBLISHER].fillna(""),
        written_days(timeline),
        view.grouping.ids.tolist(),
        map(partial(mark_of, view), range(len(timeline))),
        strict=True,
    )
    return [
        box(text, " · ".join(part for part in (name, day, f"event {group}", done) if part))
        for text, name, day, group, done in lines
    ]


def detailed_map(view: View, *, ahead: bool = False) -> Job:
    """The work on the detailed map, started if it is not running; its result is a `Drawing`.

    With `ahead` nobody waits for it yet.
    """
    prepared, method = view.prepared, state.now().map
    long = method != DEFAULT_MAP or len(view.timeline) > jobs.QUICK_HEADLINES
    work = partial(draw_map, prepared, method)
    return jobs.ask(f"map|{method}|{prepared.signature}", work, long=long, ahead=ahead)


@cached(max_entries=16)
def _first_map(view: View) -> Drawing:
    return draw_map(view.prepared, FIRST_MAP, Runtime())


def _colour_choice(view: View) -> None:
    options = [
        name
        for name in COLOURS
        if (name != "gold" or view.timeline.has_gold)
        and (name != "publisher" or view.timeline.table[Field.PUBLISHER].notna().any())
        and (name != "date" or view.timeline.undated < len(view.timeline))
    ]
    st.segmented_control(
        "Colour by",
        options,
        format_func=COLOURS.__getitem__,
        required=True,
        **controlled(
            "pick-colour",
            state.now().colour if state.now().colour in options else options[0],
            lambda chosen: state.put(colour=chosen),
        ),
    )


def _colouring(view: View) -> Colouring:
    table, choice = view.timeline.table, st.session_state["pick-colour"]
    if choice == "gold":
        return by_category(table[Field.GOLD].tolist())
    if choice == "publisher":
        return by_category(table[Field.PUBLISHER].tolist())
    if choice == "date":
        return by_day(view.timeline.days.tolist())
    return by_group(view.grouping.ids.tolist(), {s.group for s in summaries(view) if s.size == 1})


def _picked(key: str, ids: list[int]) -> None:
    places = [point.get("customdata") for point in st.session_state[key]["selection"]["points"]]
    rows = [int(place[0] if isinstance(place, list) else place) for place in places if place is not None]
    groups = {ids[row] for row in rows}
    # One point selects its whole event; a lasso selects just what it holds.
    state.select(
        group=groups.pop() if len(groups) == 1 else None, rows=rows if len(rows) > 1 else [], by=VIEW
    )
