"""The map of headlines with its search, and the map of a sample while many headlines are grouped."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import partial

import numpy as np
import streamlit as st

from components import jobs, large_text
from components.buttons import button, choose_here
from components.charts.maps import (
    HEIGHT,
    Colouring,
    box,
    by_category,
    by_group,
    by_number,
    map_chart,
    map_figure,
)
from components.charts.maps import box as card
from components.charts.theme import LARGE_PIXELS, ink, show_chart
from components.job_queue import Job
from components.library import recipe_choice
from components.map.search import HeadlineMatches, filters, found
from components.markdown import plain, shorten
from components.resources import cached
from components.tables import show_table
from components.timeline import state
from components.timeline.correct import event_title, mark_of
from components.timeline.group_list import summaries, written_days
from components.timeline.workspace import View
from core.arrays import Float32Array
from core.data.timelines.timeline import Field, Timeline
from core.events.export import FIRST_MAP, Drawing, draw_map, typicality
from core.events.lanes import FirstLook, first_look
from core.maps.labels import FONT, NAME_CHARACTERS, MapLabel, apart, labels_for_map
from core.maps.projector import DEFAULT_MAP, projectors
from core.results.chart import isolated
from core.results.render import count_words
from core.runtime import Runtime

VIEW = "map"
COLOURS = {
    "group": "Event",
    "date": "Time",
    "publisher": "Outlet",
    "language": "Language",
    "score": "How typical of its event",
    "gold": "Human groups",
}
PLOT = (620.0, HEIGHT - 16.0)
"""Size of the picture in pixels in a wide window, at least; the table stands next to it."""
NARROW = {last: (wide, PLOT[1]) for last, wide in ((640, 327.0), (760, 346.0), (900, 418.0), (1100, 502.0))}
"""The same in windows up to so many pixels wide."""
NAMES = 24


def map_controls(view: View) -> None:
    """Draws colour and filters."""
    options = _colours(view)
    words = {name: f"Colour: {COLOURS[name].lower()}" for name in options}
    choose_here("Colour by", options, words, "pick-colour", _colour(options), _colour_by, width=230)
    with st.popover("Filters", icon=":material/tune:"):
        filters(view)
        help = "The direct UMAP is ready first; umap-learn's own is there to compare."
        recipe_choice(
            "Layout", projectors, state.now().map, lambda signature: state.put(map=signature), help=help
        )


def headline_map(view: View) -> tuple[HeadlineMatches, str]:
    """Draws the map, a first picture at once; gives what was found and the map's method."""
    job = detailed_map(view)
    ready = job.future.done()
    drawing: Drawing = job.future.result() if ready else _first_map(view)
    matches = found(view)
    _sentence(view, matches)
    font = float(LARGE_PIXELS if large_text.on() else FONT)
    labels = _labels(view, drawing.method, drawing.positions, font)
    name = ".st-key-headline-map .annotation"
    paper = ink().paper
    rules = [
        f"{name}-text {{ paint-order: stroke; stroke: {paper}; stroke-width: 4px; stroke-linejoin: round; }}"
    ]
    wider = 0
    for width, plot in NARROW.items():
        kept = {label.group: label for label in apart(labels, drawing.positions, plot=plot, font=font)}
        looks = []
        for at, label in enumerate(labels):
            moved = kept.get(label.group)
            look = (
                "display: none"
                if moved is None
                else f"translate: {moved.right - label.right:.1f}px {label.up - moved.up:.1f}px"
            )
            looks.append(f'{name}[data-index="{at}"] {{ {look}; }}')
        rules.append(f"@media (min-width: {wider}px) and (max-width: {width}px) {{ {' '.join(looks)} }}")
        wider = width + 1
    st.html(f"<style>{' '.join(rules)}</style>")
    colouring = _colouring(view, _colour(_colours(view)))
    shown = {"labels": labels, "selected": matches.rows if matches.active else _selected(view)}
    key = state.view_key(VIEW)
    with st.container(key="headline-map"):
        show_chart(
            map_figure(drawing.positions, _boxes(view), colouring, **shown),
            published=lambda: map_chart(drawing.positions, view.timeline.texts, colouring, **shown),
            name="map",
            title=view.timeline.name,
            source=f"Source: Headline Lab, {len(view.timeline):,} headlines; those alike lie close together.",
            data=lambda: _data(view, drawing),
            key=key,
            on_select=lambda: _picked(key, view.grouping.ids.tolist()),
            config={
                "displaylogo": False,
                "displayModeBar": True,
                "scrollZoom": True,
                "modeBarButtons": [["pan2d", "lasso2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
            },
            alt="Map of the headlines by meaning; the table next to it holds the same headlines",
        )
    if not ready:
        jobs.await_picture(job, "A first picture; the detailed map replaces it when it is ready.")
    return matches, drawing.method


def _data(view: View, drawing: Drawing) -> list[list[object]]:
    timeline = view.timeline
    lines = zip(
        timeline.texts,
        timeline.table[Field.PUBLISHER].fillna(""),
        written_days(timeline),
        view.grouping.ids.tolist(),
        drawing.positions.tolist(),
        strict=True,
    )
    header: list[object] = ["headline", "outlet", "published", "event", "x", "y"]
    return [header, *([*cells, x, y] for *cells, (x, y) in lines)]


def _sentence(view: View, matches: HeadlineMatches) -> None:
    now = state.now()
    with st.container(horizontal=True, vertical_alignment="center", key="map-says"):
        if matches.active:
            said = "The headlines that match are marked; the others fade." if matches.rows else ""
        elif now.group is not None:
            lead = next(s.representative for s in summaries(view) if s.group == now.group)
            said = f"**{plain(event_title(view, now.group, lead))}**"
        else:
            said = "Headlines of nearly one meaning lie close: click one."
        st.markdown(said, width="content")
        if now.rows or now.group is not None:
            clear = partial(state.select, group=None, by="")
            button("Clear the selection", "clear-selection", clear, icon="close", type="tertiary")


def _selected(view: View) -> Sequence[int]:
    rows, group = state.now().rows, state.now().group
    if rows or group is None:
        return rows
    return [row for row, one in enumerate(view.grouping.ids.tolist()) if one == group]


@cached(max_entries=16)
def _labels(view: View, method: str, _positions: Float32Array, font: float) -> tuple[MapLabel, ...]:
    titles = {
        s.group: view.grouping.title(s.group, view.timeline.texts[s.representative]) for s in summaries(view)
    }
    return labels_for_map(
        _positions,
        view.grouping.ids,
        texts=titles,
        most=NAMES,
        smallest=2,
        characters=NAME_CHARACTERS,
        lines=2,
        plot=PLOT,
        font=font,
    )


@cached(max_entries=16)
def _boxes(view: View) -> list[str]:
    timeline = view.timeline
    ids = view.grouping.ids.tolist()
    sizes = Counter(ids)
    lines = zip(
        timeline.texts,
        timeline.table[Field.PUBLISHER].fillna(""),
        written_days(timeline),
        ids,
        map(partial(mark_of, view), range(len(timeline))),
        strict=True,
    )
    return [
        box(
            text,
            " · ".join(part for part in (isolated(name), day) if part),
            " · ".join(
                part
                for part in (f"event {group}", count_words(sizes[group], "headline", "headlines"), done)
                if part
            ),
        )
        for text, name, day, group, done in lines
    ]


def detailed_map(view: View, *, ahead: bool = False) -> Job:
    """The work on the detailed map, started if it is not running; its result is a `Drawing`."""
    prepared, method = view.prepared, state.now().map
    long = method != DEFAULT_MAP or len(view.timeline) > jobs.QUICK_HEADLINES
    work = partial(draw_map, prepared, method)
    return jobs.ask(f"map|{method}|{prepared.signature}", work, long=long, ahead=ahead)


@cached(max_entries=16)
def _first_map(view: View) -> Drawing:
    return draw_map(view.prepared, FIRST_MAP, Runtime())


def _colours(view: View) -> list[str]:
    table = view.timeline.table
    known = {
        "group": True,
        "date": view.timeline.undated < len(view.timeline),
        "publisher": table[Field.PUBLISHER].notna().any(),
        "language": table[Field.LANGUAGE].nunique() > 1,
        "score": len(set(view.grouping.ids.tolist())) < len(view.timeline),
        "gold": view.timeline.has_gold,
    }
    return [name for name in COLOURS if known[name]]


def _colour(options: Sequence[str]) -> str:
    return state.now().colour if state.now().colour in options else options[0]


def _colour_by(name: str) -> None:
    state.put(colour=name)


def _colouring(view: View, choice: str) -> Colouring:
    table = view.timeline.table
    if choice in {"gold", "publisher", "language"}:
        field = {"gold": Field.GOLD, "publisher": Field.PUBLISHER, "language": Field.LANGUAGE}[choice]
        return by_category(table[field].tolist())
    if choice == "date":
        days = view.timeline.days
        words = written_days(view.timeline)
        return by_number(days.tolist(), (words[int(np.nanargmin(days))], words[int(np.nanargmax(days))]))
    if choice == "score":
        close = typicality(view.prepared.vectors, view.grouping.ids)
        return by_number(
            close.tolist(), (f"least typical ({np.nanmin(close):.2f})", f"most ({np.nanmax(close):.2f})")
        )
    return by_group(view.grouping.ids.tolist(), {s.group for s in summaries(view) if s.size == 1})


def _picked(key: str, ids: list[int]) -> None:
    places = [point.get("customdata") for point in st.session_state[key]["selection"]["points"]]
    rows = [int(place[0] if isinstance(place, list) else place) for place in places if place is not None]
    groups = {ids[row] for row in rows}
    # One point selects its whole event; a lasso selects just what it holds.
    state.select(
        group=groups.pop() if len(groups) == 1 else None, rows=rows if len(rows) > 1 else [], by=VIEW
    )


SIZES = (500, 1_000, 2_000)  # headlines of the sample, a step every few seconds
SECONDS = 4
SHOWN = 15
_STEP = "_first_look"


def _asked(timeline: Timeline, step: int) -> Future[FirstLook]:
    def work(runtime: Runtime) -> FirstLook:
        return first_look(timeline.texts, most=SIZES[step], runtime=runtime)

    return jobs.ask(f"first-look|{timeline.fingerprint}|{step}", work, long=False).future


@st.fragment(run_every=SECONDS)
def look(timeline: Timeline) -> None:
    """Draws a map of a sample and its largest stories; every few seconds of a larger sample."""
    kept, step = st.session_state.get(_STEP, ("", -1))
    step = step if kept == timeline.fingerprint else -1
    larger = min(step + 1, len(SIZES) - 1)
    asked = _asked(timeline, larger)
    wait([asked], 0.0 if step >= 0 else jobs.PATIENCE_SECONDS)
    step = larger if asked.done() else step
    st.session_state[_STEP] = (timeline.fingerprint, step)
    if step < 0 or not (looked := _asked(timeline, step)).done():
        return
    found = looked.result()
    texts = [timeline.texts[row] for row in found.rows.tolist()]
    sizes = Counter(found.groups.tolist())
    st.markdown(
        f"**A first look at {len(found.rows):,} of {len(timeline):,} headlines**, grouped by the words that "
        "they share. The groups of all headlines replace it when they are ready."
    )
    picture, stories = st.columns([3, 2], gap="large")
    with picture, st.container(key="first-look"):
        colouring = by_group(found.groups.tolist(), {group for group, size in sizes.items() if size == 1})
        labels = labels_for_map(
            found.positions,
            found.groups,
            texts=_titles(timeline, found),
            most=6,
            characters=NAME_CHARACTERS,
            lines=2,
            plot=(327, HEIGHT),
        )
        boxes = [
            card(text, f"one of {sizes[group]} in this sample")
            for text, group in zip(texts, found.groups.tolist(), strict=True)
        ]
        show_chart(
            map_figure(found.positions, boxes, colouring, labels=labels, selected=()),
            published=lambda: map_chart(found.positions, texts, colouring, labels=labels, selected=()),
            name="first-look",
            title=timeline.name,
            source=f"Source: Headline Lab, a sample of {len(found.rows):,} of {len(timeline):,} headlines",
            key=f"first-look-{step}",
            alt="Map of a sample of the headlines; the list beside it names its largest stories",
        )
    with stories:
        large = [(row, size) for row, size in found.stories if size > 1][:SHOWN]
        if large:
            show_table(
                {
                    "Headlines": [size for _, size in large],
                    "Story": [shorten(timeline.texts[row], 120) for row, _ in large],
                },
                alt="The largest stories of the sample",
                columns={"Headlines": (80, "In this sample")},
            )
        else:
            st.caption(plain("No two headlines of the sample share enough words yet."))


def _titles(timeline: Timeline, found: FirstLook) -> dict[int, str]:
    group_of = dict(zip(found.rows.tolist(), found.groups.tolist(), strict=True))
    return {group_of[row]: timeline.texts[row] for row, _ in found.stories}
