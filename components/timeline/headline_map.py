"""The map of headlines with its filters and table."""

import base64
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from components.frame import progress
from components.frame.charts import maps
from components.frame.charts.theme import show_chart
from components.frame.markdown import WORDS, shorten
from components.frame.point_map import point_map, served
from components.frame.widgets import (
    TABLES,
    button,
    choose_here,
    headline_columns,
    height_for,
    notice,
    show_table,
)
from components.opened.recipes import recipe_choice
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.server import queue
from components.server.queue import Job
from components.timeline.correct import event_title, mark_of
from components.timeline.group_list import summaries, written_days
from components.timeline.workspace import View
from core.archive.points import coordinates, drawing_order, packed
from core.archive.query import Lasso, LassoIndex
from core.arrays import Float32Array, IntArray
from core.data.timelines.periods import rows_within
from core.data.timelines.timeline import Field, Timeline
from core.events.export import FIRST_MAP, Drawing, draw_map
from core.events.lanes import first_look
from core.maps.labels import FONT, NAME_CHARACTERS, MapLabel, labels_for_map, medoid
from core.maps.projector import DEFAULT_MAP, projectors
from core.results.alt_text import tally_text
from core.results.render import count_words, safe_link
from core.runtime import Runtime
from core.text.normalise import searched

_FIELDS = {Field.PUBLISHER: "Outlets", Field.LANGUAGE: "Languages", "event": "Events"}


class HeadlineMatches(NamedTuple):
    table: pd.DataFrame
    rows: list[int]  # those that match
    active: bool  # whether anything was searched for


def found(view: View) -> HeadlineMatches:
    table = view.timeline.table.assign(event=view.grouping.ids)
    keep = pd.Series(True, index=table.index)
    words, period = searched(state.LIST.now().find).split(), state.now().period
    for word in words:
        keep &= table[Field.HEADLINE].map(searched).str.contains(word, regex=False)
    chosen = {field: st.session_state.get(f"filter-{field}") for field in _FIELDS}
    for field, values in chosen.items():
        if values:
            keep &= table[field].isin(values)
    if period is not None:
        keep &= rows_within(view.timeline, period)
    active = bool(words or period or any(chosen.values()))
    return HeadlineMatches(table, table.index[keep].tolist(), active)


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
        matching = matching.loc[found.rows]
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
        notice("no_match")
        return
    columns = {label: name for label, name in COLUMNS.items() if matching[name].notna().any()}
    cells = pd.DataFrame({label: matching[name] for label, name in columns.items()})
    if "Link" in cells:
        # Whatever else a file calls a link (javascript:, file:) must not be opened by a click.
        cells["Link"] = cells["Link"].map(safe_link)
    # Ticks are places in the table, so a table of other rows is another widget.
    key = f"{state.view_key(TABLE)}-{zlib.crc32(matching.index.to_numpy().tobytes())}"
    select = partial(_ticked, key, matching.index.tolist(), found.table["event"].tolist())
    time = "D MMM YYYY" if view.timeline.table["day_only"].all() else "D MMM YYYY HH:mm"
    columns = headline_columns("Published", format=time)
    chosen = {"rows": np.flatnonzero(matching.index.isin(ticked)).tolist()}
    look = {"key": key, "selection_mode": "multi-row", "selection_default": {"selection": chosen}}
    look |= {"height": height_for(shown, 380), "column_config": columns, "hide_index": True}
    st.dataframe(cells, on_select=select, alt="Headlines with their event, date, outlet and link", **look)


def _ticked(key: str, rows: list[int], groups: list[int]) -> None:
    ticked = {rows[place] for place in st.session_state[key]["selection"]["rows"]}
    if state.now().moved_by == TABLE:
        # Ticks that a filter hides at the moment.
        ticked |= set(state.now().rows) - set(rows)
    events = {groups[row] for row in ticked}
    state.select(group=events.pop() if len(events) == 1 else None, rows=ticked, by=TABLE)


VIEW = "map"
COLOURS: Mapping[str, str] = WORDS["colours"]
PLOT = (620.0, maps.HEIGHT - 16.0)
"""Size of the published picture in pixels."""


def map_controls(view: View) -> None:
    options, here = _colours(view)
    look = {"label_visibility": "visible"}
    choose_here("Colour by", options, COLOURS, "pick-colour", here, lambda to: state.put(colour=to), **look)
    table = view.timeline.table.assign(event=view.grouping.ids)
    for field, label in _FIELDS.items():
        # The most frequent first in the list; none chosen keeps all.
        values = table[field].dropna().value_counts().index.tolist()
        if len(values) > 1:
            st.multiselect(label, values, key=f"filter-{field}", persist_state="session")
    recipe_choice("Layout", projectors, state.now().map, lambda name: state.put(map=name))


def headline_map(view: View) -> tuple[HeadlineMatches, str]:
    """Draws the map, a first picture at once; gives what was found and the map's method."""
    job = detailed_map(view)
    ready = job.future.done()
    drawing: Drawing = job.future.result() if ready else _first_map(view)
    matches = found(view)
    _sentence(view, matches)
    colouring, ids = _colouring(view, _colours(view)[1]), view.grouping.ids
    points = _points(view, drawing.method, drawing.positions)
    rows, group = state.now().rows, state.now().group
    selected = rows if rows or group is None else np.flatnonzero(view.grouping.ids == group).tolist()
    if matches.active and event_beside(matches) is None:
        selected = matches.rows

    def choose(point: int) -> None:
        group = int(ids[points.order[point]]) if 0 <= point < len(ids) else None
        state.select(group=group, by=VIEW)  # one point selects its whole event

    def surround(lasso: Lasso) -> None:
        rows = points.inside(lasso)
        groups = set(ids[rows].tolist())
        group = groups.pop() if len(groups) == 1 else None
        state.select(group=group, rows=rows if len(rows) > 1 else [], by=VIEW)

    def data() -> list[list[object]]:
        places = zip(_facts(view), drawing.positions.tolist(), strict=True)
        header: list[object] = ["headline", "outlet", "published", "event", "x", "y"]
        return [header, *([*cells, *place] for cells, place in places)]

    def picture(_: float) -> alt.LayerChart:
        labels = _labels(view, drawing.method, drawing.positions, FONT)
        return maps.map_chart(drawing.positions, texts, colouring, labels=labels, selected=selected)

    place, name, texts = view.prepared.signature, view.timeline.name, view.timeline.texts
    without = st.session_state.get(_WITHOUT, False)
    with st.container(key="headline-map"):
        if not without:
            shown = points, f"{drawing.method}|{place}", _texts(view), colouring, selected
            _draw(*shown, choose=choose, surround=surround)
        show_chart(
            picture(0) if without else None,
            published=None if without else picture,
            name="map",
            title=name,
            source=f"{len(texts):,} headlines; those alike lie close together.",
            data=data,
            words=lambda: tally_text(name, [*map(_titles(view).__getitem__, ids.tolist())], of="headlines"),
        )
    if not ready:
        progress.await_picture(job, "A first picture; the detailed map replaces it when it is ready.")
    return matches, drawing.method


_WITHOUT = "without-webgl"  # this browser draws no points: it gets a picture


class Points(NamedTuple):
    """A map as it is sent: points in an order in which those of an event follow each other."""

    order: IntArray  # the row of each point
    lasso: LassoIndex
    content: bytes
    names: Sequence[tuple[str, int]]  # titles with a point of each, those of the largest events first

    def inside(self, lasso: Lasso) -> list[int]:
        return sorted(self.order[self.lasso.inside(lasso)].tolist())


def _placed(positions: Float32Array, ids: IntArray, titles: Mapping[int, str]) -> Points:
    numbers, groups, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    ranked = np.argsort(-sizes, kind="stable")
    order = drawing_order(groups + 1, ranked + 1)
    spread = np.ptp(positions, axis=0) if len(positions) else 1.0
    places = (positions / np.where(spread > 0, spread, 1.0)).astype(np.float32)  # it fills any window
    content = packed(places[order], sizes[ranked][::-1])
    point_of = np.empty_like(order)
    point_of[order] = np.arange(len(order))
    named = [at for at in ranked.tolist() if sizes[at] > 1 and int(numbers[at]) in titles]
    middles = [int(point_of[medoid(places, np.flatnonzero(groups == at))]) for at in named]
    names = [(titles[int(numbers[at])], middle) for at, middle in zip(named, middles, strict=True)]
    return Points(order, LassoIndex(*coordinates(places[order]).T), content, names)


_points = cached(
    lambda view, method, _positions: _placed(_positions, view.grouping.ids, _titles(view)), max_entries=16
)


@cached(max_entries=16)
def _texts(view: View) -> list[tuple[str, str, str]]:
    """What stands at the pointer: a headline, and quiet lines under it."""
    sizes, texts = Counter(view.grouping.ids.tolist()), []
    for row, (text, name, day, group) in enumerate(_facts(view)):
        event = (f"event {group}", count_words(sizes[group], "headline", "headlines"), mark_of(view, row))
        texts.append((shorten(text, 150), *(" · ".join(filter(None, said)) for said in ((name, day), event))))
    return texts


def _draw(
    points: Points,
    place: str,
    texts: Sequence[Sequence[str]],
    colouring: maps.Colouring,
    selected: Sequence[int],
    *,
    key: str = "points",
    choose: Callable[[int], object],
    surround: Callable[[Lasso], object],
) -> None:
    palette, colours, legend = maps.painted(colouring)
    bright = np.zeros(len(points.order), dtype=np.bool_)
    bright[list(selected)] = True
    paints = np.asarray(colours, dtype=np.uint8)[points.order].tobytes()
    data = {"place": place, "fills": True, "palette": palette, "legend": legend, "found": len(selected)}
    data |= {"points": served(points.content, f"{key}-points"), "colours": base64.b64encode(paints).decode()}
    data["label"] = f"Map of {count_words(len(texts), 'headline', 'headlines')} by meaning."
    words = [texts[row] for row in points.order.tolist()]
    for name, content in (("names", list(points.names)), ("texts", words)):
        data[name] = served(gzip.compress(json.dumps(content).encode(), 4, mtime=0), f"{key}-{name}")
    point_map(
        key=key,
        data=data,
        bits=np.packbits(bright[points.order], bitorder="little").tobytes() if selected else b"",
        choose=choose,
        surround=surround,
        picture=partial(st.session_state.__setitem__, _WITHOUT, True),
    )


def _facts(view: View) -> Iterator[tuple[str, str, str, int]]:
    timeline = view.timeline
    outlets = timeline.table[Field.PUBLISHER].fillna("")
    return zip(timeline.texts, outlets, written_days(timeline), view.grouping.ids.tolist(), strict=True)


def _titles(view: View) -> dict[int, str]:
    return {event.group: event_title(view, event.group, event.representative) for event in summaries(view)}


def _sentence(view: View, matches: HeadlineMatches) -> None:
    now = state.now()
    chosen = bool(now.rows) or now.group is not None
    with st.container(horizontal=True, vertical_alignment="center", key="map-says"):
        if matches.active and event_beside(matches) is None:
            if matches.rows:
                st.markdown("The headlines that match are marked; the others fade.", width="content")
        elif not chosen:
            st.markdown("Headlines of nearly one meaning lie close: click one.", width="content")
        if chosen:
            clear = partial(state.select, group=None, by="")
            button("Clear the selection", "clear-selection", clear, icon="close", type="tertiary")


def event_beside(matches: HeadlineMatches) -> int | None:
    """The event whose card stands beside the map, None for the table of headlines."""
    now = state.now()
    return None if now.rows or (matches.active and now.moved_by != VIEW) else now.group


@cached(max_entries=16)
def _labels(view: View, method: str, _positions: Float32Array, font: float) -> tuple[MapLabel, ...]:
    look = {"most": 24, "smallest": 2, "plot": PLOT, "font": font, "characters": NAME_CHARACTERS, "lines": 2}
    return labels_for_map(_positions, view.grouping.ids, texts=_titles(view), **look)


def detailed_map(view: View, *, ahead: bool = False) -> Job:
    """The work on the detailed map, started if it is not running; its result is a `Drawing`."""
    prepared, method = view.prepared, state.now().map
    long = method != DEFAULT_MAP or len(view.timeline) > queue.QUICK_HEADLINES
    work = partial(draw_map, prepared, method)
    return queue.ask(f"map|{method}|{prepared.signature}", work, long=long, ahead=ahead)


_first_map = cached(lambda view: draw_map(view.prepared, FIRST_MAP, Runtime()), max_entries=16)


def _colours(view: View) -> tuple[list[str], str]:
    counts = view.timeline.table[list(_CATEGORIES.values())].nunique()
    known = {name: counts[field] > (name == "language") for name, field in _CATEGORIES.items()}
    known |= {"date": view.timeline.undated < len(view.timeline), "gold": view.timeline.has_gold}
    options = [name for name in COLOURS if known.get(name, True)]
    return options, state.now().colour if state.now().colour in options else options[0]


_CATEGORIES = {"publisher": Field.PUBLISHER, "language": Field.LANGUAGE, "gold": Field.GOLD}


def _colouring(view: View, choice: str) -> maps.Colouring:
    if choice in _CATEGORIES:
        return maps.by_category(view.timeline.table[_CATEGORIES[choice]].tolist())
    if choice == "date":
        days, words = view.timeline.days, written_days(view.timeline)
        return maps.by_number(days.tolist(), (words[int(np.nanargmin(days))], words[int(np.nanargmax(days))]))
    return maps.by_group(view.grouping.ids.tolist(), {s.group for s in summaries(view) if s.size == 1})


@st.fragment(run_every=2)
def look(timeline: Timeline) -> None:
    """A sample of many headlines, grouped by their words, until the groups of all are there."""
    job = queue.ask(f"first-look|{timeline.fingerprint}", partial(first_look, timeline.texts), long=False)
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
        titles = {ids[rows.index(row)]: timeline.texts[row] for row, _ in large}
        points = _placed(sample.positions, np.array(ids), titles)
        ends = {"choose": lambda _: None, "surround": lambda _: None}
        _draw(points, timeline.fingerprint, [(text,) for text in texts], colouring, [], key="look", **ends)
    with stories:
        lines = [{"Headlines": size, "Story": timeline.texts[row]} for row, size in large[:15]]
        show_table(lines, **TABLES["stories"])
