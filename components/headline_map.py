"""The map of headlines with its filters and table."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from components import jobs
from components.charts import maps
from components.charts.theme import LARGE_PIXELS, ink, show_chart
from components.jobs import Job
from components.library import recipe_choice
from components.markdown import plain
from components.page_state import is_large
from components.resources import cached
from components.timeline import state
from components.timeline.correct import event_title, mark_of
from components.timeline.group_list import safe_links, summaries, written_days
from components.timeline.workspace import View
from components.widgets import button, choose_here, height_for, show_table
from core.arrays import Float32Array
from core.data.timelines.timeline import Field, Timeline, rows_within
from core.events.export import FIRST_MAP, Drawing, draw_map
from core.events.lanes import first_look
from core.maps.labels import FONT, NAME_CHARACTERS, MapLabel, apart, labels_for_map
from core.maps.projector import DEFAULT_MAP, projectors
from core.results.alt_text import tally_text
from core.results.chart import isolated
from core.results.render import count_words
from core.runtime import Runtime

_FIELDS = {Field.PUBLISHER: "Outlets", Field.LANGUAGE: "Languages", "event": "Events"}


class HeadlineMatches(NamedTuple):
    table: pd.DataFrame
    keep: pd.Series
    active: bool  # whether anything was searched for

    @property
    def rows(self) -> list[int]:
        return [int(row) for row in self.table.index[self.keep]]


def filters(view: View) -> None:
    table = view.timeline.table.assign(event=view.grouping.ids)
    for field, label in _FIELDS.items():
        # The most frequent first in the list; none chosen keeps all.
        values = table[field].dropna().value_counts().index.tolist()
        if len(values) > 1:
            st.multiselect(label, values, key=f"filter-{field}", persist_state="session")


def found(view: View) -> HeadlineMatches:
    """The headlines of the period that match what was chosen, among all of them."""
    table = view.timeline.table.assign(event=view.grouping.ids)
    keep = pd.Series(True, index=table.index)
    words = state.LIST.now().find.casefold().split()
    for word in words:
        keep &= table[Field.HEADLINE].str.casefold().str.contains(word, regex=False)
    chosen = {field: st.session_state.get(f"filter-{field}") for field in _FIELDS}
    for field, values in chosen.items():
        if values:
            keep &= table[field].isin(values)
    period = state.now().period
    if period is not None:
        keep &= rows_within(view.timeline, period)
    return HeadlineMatches(table, keep, active=bool(words or period or any(chosen.values())))


TABLE = "headline-table"
_SCOPE = "headline-table-scope"
COLUMNS = {
    "Event": "event",
    "Headline": Field.HEADLINE,
    "Published": Field.PUBLISHED,
    "Outlet": Field.PUBLISHER,
    "Language": Field.LANGUAGE,
    "Link": Field.URL,
}


def headline_table(view: View, found: HeadlineMatches) -> None:
    """What was searched for among all headlines; without a search the selection, or everything."""
    if not found.active and state.now().moved_by != TABLE:
        st.session_state[_SCOPE] = (state.now().rows, state.now().group)
    matching, (rows, group) = found.table, st.session_state.get(_SCOPE, ([], None))
    if found.active:
        matching = matching[found.keep]
    elif rows:
        matching = matching[matching.index.isin(rows)]
    elif group is not None:
        matching = matching[matching["event"] == group]
    ticked = state.now().rows if state.now().moved_by == TABLE else []
    shown, total = len(matching), len(found.table)
    said = f" match{'es' if shown == 1 else ''}" if found.active else ", those selected" * (shown < total)
    st.markdown(
        f"**{shown:,}** of {total:,} headlines{said}{f', {len(ticked):,} ticked' if ticked else ''}"
        ". :gray[Tick rows to select them on every page. Tick two to see why they are together or apart.]"
    )
    if matching.empty:
        st.info("No headline matches. Try fewer words, or remove a filter.", icon=":material/search_off:")
        return
    columns = {label: name for label, name in COLUMNS.items() if matching[name].notna().any()}
    cells = pd.DataFrame({label: matching[name] for label, name in columns.items()})
    if "Link" in cells:
        # Whatever else a file calls a link (javascript:, file:) must not be opened by a click.
        cells["Link"] = safe_links(view.timeline)[matching.index]
    # Ticks are places in the table, so a table of other rows is another widget.
    key = f"{state.view_key(TABLE)}-{zlib.crc32(matching.index.to_numpy().tobytes())}"
    st.dataframe(
        cells,
        key=key,
        hide_index=True,
        height=height_for(shown, 380),
        on_select=lambda: _ticked(key, matching.index.tolist(), found.table["event"].tolist()),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": np.flatnonzero(matching.index.isin(ticked)).tolist()}},
        column_config={
            "Event": st.column_config.NumberColumn(width=60),
            "Headline": st.column_config.TextColumn(width="large"),
            "Published": st.column_config.DatetimeColumn(
                format="D MMM YYYY" if view.timeline.table["day_only"].all() else "D MMM YYYY HH:mm"
            ),
            "Link": st.column_config.LinkColumn(display_text="open", width=60),
        },
        alt="Headlines with their event, date, outlet and link",
    )


def _ticked(key: str, rows: list[int], groups: list[int]) -> None:
    ticked = {rows[place] for place in st.session_state[key]["selection"]["rows"]}
    if state.now().moved_by == TABLE:
        # Ticks that a filter hides at the moment.
        ticked |= set(state.now().rows) - set(rows)
    events = {groups[row] for row in ticked}
    state.select(group=events.pop() if len(events) == 1 else None, rows=ticked, by=TABLE)


VIEW = "map"
COLOURS = {
    "group": "Event",
    "date": "Time",
    "publisher": "Outlet",
    "language": "Language",
    "gold": "Human groups",
}
PLOT = (620.0, maps.HEIGHT - 16.0)
"""Size of the picture in pixels in a wide window, at least; the table stands next to it."""
NARROW = {last: (wide, PLOT[1]) for last, wide in ((640, 327.0), (760, 346.0), (900, 418.0), (1100, 502.0))}
"""The same in windows up to so many pixels wide."""
NAMES = 24


def map_controls(view: View) -> None:
    options = _colours(view)
    words = {name: COLOURS[name] for name in options}
    here = _colour(options)
    look = {"label_visibility": "visible"}
    choose_here("Colour by", options, words, "pick-colour", here, lambda to: state.put(colour=to), **look)
    filters(view)
    help = "The direct UMAP is ready first; umap-learn's own is there to compare."
    recipe_choice("Layout", projectors, state.now().map, lambda name: state.put(map=name), help=help)


def headline_map(view: View) -> tuple[HeadlineMatches, str]:
    """Draws the map, a first picture at once; gives what was found and the map's method."""
    job = detailed_map(view)
    ready = job.future.done()
    drawing: Drawing = job.future.result() if ready else _first_map(view)
    matches = found(view)
    _sentence(view, matches)
    font = float(LARGE_PIXELS if is_large() else FONT)
    labels = _labels(view, drawing.method, drawing.positions, font)
    name = ".st-key-headline-map .annotation"
    paper = ink().paper
    halo = f"paint-order: stroke; stroke: {paper}; stroke-width: 4px; stroke-linejoin: round;"
    rules = [f"{name}-text {{ {halo} }}"]
    wider = 0
    for width, plot in NARROW.items():
        visible = {label.group: label for label in apart(labels, drawing.positions, plot=plot, font=font)}
        looks = []
        for at, label in enumerate(labels):
            look, moved = "display: none", visible.get(label.group)
            if moved is not None:
                look = f"translate: {moved.right - label.right:.1f}px {label.up - moved.up:.1f}px"
            looks.append(f'{name}[data-index="{at}"] {{ {look}; }}')
        rules.append(f"@media (min-width: {wider}px) and (max-width: {width}px) {{ {' '.join(looks)} }}")
        wider = width + 1
    st.html(f"<style>{' '.join(rules)}</style>")
    colouring = _colouring(view, _colour(_colours(view)))
    shown = {"labels": labels, "selected": matches.rows if matches.active else _selected(view)}
    key, buttons = state.view_key(VIEW), [["pan2d", "lasso2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]]

    def data() -> list[list[object]]:
        places = zip(_facts(view), drawing.positions.tolist(), strict=True)
        header: list[object] = ["headline", "outlet", "published", "event", "x", "y"]
        return [header, *([*cells, *place] for cells, place in places)]

    def pick() -> None:
        places = [point.get("customdata") for point in st.session_state[key]["selection"]["points"]]
        rows = [int(place[0] if isinstance(place, list) else place) for place in places if place is not None]
        groups = set(view.grouping.ids[rows].tolist())
        # One point selects its whole event; a lasso selects just what it holds.
        group = groups.pop() if len(groups) == 1 else None
        state.select(group=group, rows=rows if len(rows) > 1 else [], by=VIEW)

    more, ids = {"scrollZoom": True, "modeBarButtons": buttons}, view.grouping.ids.tolist()
    with st.container(key="headline-map"):
        show_chart(
            maps.map_figure(drawing.positions, _boxes(view), colouring, **shown),
            published=lambda _: maps.map_chart(drawing.positions, view.timeline.texts, colouring, **shown),
            name="map",
            title=view.timeline.name,
            source=f"Source: Headline Lab, {len(view.timeline):,} headlines; those alike lie close together.",
            data=data,
            words=lambda: tally_text(
                view.timeline.name, list(map(_titles(view).__getitem__, ids)), of="headlines"
            ),
            key=key,
            on_select=pick,
            config={"displaylogo": False, "displayModeBar": True, **more},
            alt="Map of the headlines by meaning; the table next to it holds the same headlines",
        )
    if not ready:
        jobs.await_picture(job, "A first picture; the detailed map replaces it when it is ready.")
    return matches, drawing.method


def _facts(view: View) -> Iterator[tuple[str, str, str, int]]:
    timeline = view.timeline
    outlets = timeline.table[Field.PUBLISHER].fillna("")
    return zip(timeline.texts, outlets, written_days(timeline), view.grouping.ids.tolist(), strict=True)


def _titles(view: View) -> dict[int, str]:
    return {event.group: event_title(view, event.group, event.representative) for event in summaries(view)}


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
    return rows if rows or group is None else np.flatnonzero(view.grouping.ids == group).tolist()


@cached(max_entries=16)
def _labels(view: View, method: str, _positions: Float32Array, font: float) -> tuple[MapLabel, ...]:
    titles = _titles(view)
    look = {"most": NAMES, "smallest": 2, "plot": PLOT, "font": font}
    look |= {"characters": NAME_CHARACTERS, "lines": 2}
    return labels_for_map(_positions, view.grouping.ids, texts=titles, **look)


@cached(max_entries=16)
def _boxes(view: View) -> list[str]:
    sizes = Counter(view.grouping.ids.tolist())
    boxes = []
    for row, (text, name, day, group) in enumerate(_facts(view)):
        event = (f"event {group}", count_words(sizes[group], "headline", "headlines"), mark_of(view, row))
        boxes.append(
            maps.box(text, *(" · ".join(filter(None, lines)) for lines in ((isolated(name), day), event)))
        )
    return boxes


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
        "gold": view.timeline.has_gold,
    }
    return [name for name in COLOURS if known[name]]


def _colour(options: Sequence[str]) -> str:
    return state.now().colour if state.now().colour in options else options[0]


def _colouring(view: View, choice: str) -> maps.Colouring:
    field = {"gold": Field.GOLD, "publisher": Field.PUBLISHER, "language": Field.LANGUAGE}.get(choice)
    if field is not None:
        return maps.by_category(view.timeline.table[field].tolist())
    if choice == "date":
        days = view.timeline.days
        words = written_days(view.timeline)
        return maps.by_number(days.tolist(), (words[int(np.nanargmin(days))], words[int(np.nanargmax(days))]))
    return maps.by_group(view.grouping.ids.tolist(), {s.group for s in summaries(view) if s.size == 1})


@st.fragment(run_every=2)
def look(timeline: Timeline) -> None:
    """A sample of many headlines, grouped by their words, until the groups of all are there."""
    work = partial(first_look, timeline.texts)
    job = jobs.ask(f"first-look|{timeline.fingerprint}", work, long=False)
    if not job.future.done():
        return
    sample = job.future.result()
    rows, ids = sample.rows.tolist(), sample.groups.tolist()
    texts, large = [timeline.texts[row] for row in rows], [each for each in sample.stories if each[1] > 1]
    st.markdown(
        f"**A first look at {len(rows):,} of {len(timeline):,} headlines**, grouped by the words that "
        "they share. The groups of all headlines replace it when they are ready."
    )
    picture, stories = st.columns([3, 2], gap="large")
    with picture, st.container(key="first-look"):
        colouring = maps.by_group(ids, set(ids) - {ids[rows.index(row)] for row, _ in large})
        boxes = [maps.box(text) for text in texts]
        shown = {"labels": (), "selected": ()}
        show_chart(
            maps.map_figure(sample.positions, boxes, colouring, **shown),
            published=lambda _: maps.map_chart(sample.positions, texts, colouring, **shown),
            name="first-look",
            title=timeline.name,
            source=f"Source: Headline Lab, a sample of {len(rows):,} of {len(timeline):,} headlines",
            words=lambda: tally_text(
                timeline.name, [texts[ids.index(group)] for group in ids], of="headlines by story"
            ),
            key="first-look-map",
            alt="Map of a sample of the headlines; the list beside it names its largest stories",
        )
    with stories:
        lines = [{"Headlines": size, "Story": timeline.texts[row]} for row, size in large[:15]]
        show_table(
            lines, alt="The largest stories of the sample", columns={"Headlines": (80, "In this sample")}
        )
