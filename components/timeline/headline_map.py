"""The map of headlines, and what its points say."""

import base64
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.charts.colouring import (
    HEIGHT,
    Colouring,
    by_category,
    by_group,
    by_number,
    greyed,
    painted,
)
from components.frame.charts.show_chart import show_chart
from components.frame.markdown import WORDS, plain, shorten
from components.frame.point_map import point_map, served
from components.frame.widgets import button, choose_here
from components.opened.reader_zone import reader_zone
from components.opened.recipes import recipe_choice
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.server import queue
from components.timeline.correct import event_title, mark_of
from components.timeline.coverage import outlet_columns
from components.timeline.group_list import events, summaries, written_days
from components.timeline.headline_table import HeadlineMatches, matching_headlines
from components.timeline.workspace import View
from core.archive.query import Lasso
from core.archive.timeline_points import Points, place_points
from core.arrays import Float32Array
from core.data.timelines.timeline import Field
from core.events.export import FIRST_MAP, Drawing, draw_map
from core.events.outlet_table import values_of
from core.events.published_source import published_source
from core.events.report_times import moment_of
from core.events.stories import stories_of
from core.maps.labels import FONT, NAME_CHARACTERS, MapLabel, labels_for_map
from core.maps.projector import DEFAULT_MAP, projectors
from core.results.alt_text import tally_text
from core.results.render import count_words
from core.runtime import Runtime

if TYPE_CHECKING:
    import altair as alt

VIEW = "map"
COLOURS: Mapping[str, str] = WORDS["colours"]
PLOT = (620.0, HEIGHT - 16.0)  # pixels of the published picture
_CATEGORIES = {"publisher": Field.PUBLISHER, "language": Field.LANGUAGE, "gold": Field.GOLD}
_OF_OUTLETS = "outlet."  # before a column of the table of outlets
_first_map = cached(lambda view: draw_map(view.prepared, FIRST_MAP, Runtime()), max_entries=16)
WITHOUT_WEBGL = "without-webgl"  # this browser draws no points: it gets a picture
_points = cached(
    lambda view, method, _positions: place_points(_positions, view.grouping.ids, _titles(view)),
    max_entries=16,
)


def map_controls(view: View) -> None:
    options, here = _colours(view)
    look = {"label_visibility": "visible"}
    named = {name: COLOURS.get(name) or name.removeprefix(_OF_OUTLETS) for name in options}
    choose_here("Colour by", options, named, "pick-colour", here, lambda to: state.put(colour=to), **look)
    recipe_choice("Layout", projectors, state.now().map, lambda name: state.put(map=name))


def headline_map(view: View) -> tuple[HeadlineMatches, str]:
    """Draws the map, a first picture at once; gives what was matching_headlines and the map's method."""
    job = detailed_map(view)
    ready = job.future.done()
    drawing: Drawing = job.future.result() if ready else _first_map(view)
    matches = matching_headlines(view)
    by, ids = _colours(view)[1], view.grouping.ids
    colouring, plain = _colouring(view, by), by == "group"  # one hue of twelve says nothing of an event
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

    def picture(_: float) -> "alt.LayerChart":
        from components.frame.charts.maps import map_chart

        labels = _labels(view, drawing.method, drawing.positions, FONT)
        seen = greyed(colouring, selected) if plain else colouring
        return map_chart(drawing.positions, texts, seen, labels=labels, selected=selected)

    place, name, texts = view.prepared.signature, view.timeline.name, view.timeline.texts
    without = st.session_state.get(WITHOUT_WEBGL, False)
    with st.container(key="headline-map"):
        if not without:
            shown = points, f"{drawing.method}|{place}", _texts(view, str(reader_zone())), colouring, selected
            first = next((event.representative for event in events(view)), -1)
            draw_points(*shown, opening=first, plain=plain, choose=choose, surround=surround)
        _sentence(matches, by)
        show_chart(
            picture(0) if without else None,
            published=None if without else picture,
            name="map",
            title=name,
            source=f"{published_source(view.timeline, range(len(texts)))}; those alike lie close together",
            signature=f"{view.grouping.signature} · map:{drawing.method}",
            data=data,
            words=lambda: tally_text(name, [*map(_titles(view).__getitem__, ids.tolist())], of="headlines"),
        )
    if not ready:
        progress.await_picture(job, "A first picture; the detailed map replaces it when it is ready.")
    return matches, drawing.method


@cached(max_entries=16)
def _texts(view: View, zone: str) -> list[tuple[str, str, str]]:
    """What stands at the pointer: a headline, and quiet lines under it."""
    sizes, texts = Counter(view.grouping.ids.tolist()), []
    for row, (text, name, _, group) in enumerate(_facts(view)):
        about = name, moment_of(view.timeline, row, ZoneInfo(zone))
        event = (f"event {group}", count_words(sizes[group], "headline", "headlines"), mark_of(view, row))
        texts.append((shorten(text, 150), *(" · ".join(filter(None, said)) for said in (about, event))))
    return texts


def _facts(view: View) -> Iterator[tuple[str, str, str, int]]:
    timeline = view.timeline
    outlets = timeline.table[Field.PUBLISHER].fillna("")
    return zip(timeline.texts, outlets, written_days(timeline), view.grouping.ids.tolist(), strict=True)


def _titles(view: View) -> dict[int, str]:
    return {event.group: event_title(view, event.group, event.representative) for event in summaries(view)}


def _sentence(matches: HeadlineMatches, by: str) -> None:
    if (wanted := state.now().colour) != by and wanted.startswith(_OF_OUTLETS):
        st.caption(f"The table has no column “{plain(wanted[len(_OF_OUTLETS) :])}”: events have colours.")
    if state.now().rows or state.now().group is not None:
        clear = partial(state.select, group=None, by="")
        button("Clear the selection", "clear-selection", clear, icon="close", type="tertiary")
    elif matches.active and matches.rows:
        st.markdown("The headlines that match are marked; the others fade.")


def event_beside(matches: HeadlineMatches) -> int | None:
    """The event whose card stands beside the map, None for the table of headlines."""
    now = state.now()
    return None if now.rows or (matches.active and now.moved_by != VIEW) else now.group


@cached(max_entries=16)
def _labels(view: View, method: str, _positions: Float32Array, font: float) -> tuple[MapLabel, ...]:
    look = {"most": 12, "smallest": 2, "plot": PLOT, "font": font, "characters": NAME_CHARACTERS, "lines": 2}
    return labels_for_map(_positions, view.grouping.ids, texts=_titles(view), **look)


def detailed_map(view: View, *, ahead: bool = False) -> queue.Job:
    """The work on the detailed map, started if it is not running; its result is a `Drawing`."""
    prepared, method = view.prepared, state.now().map
    long = method != DEFAULT_MAP or len(view.timeline) > queue.QUICK_HEADLINES
    work = partial(draw_map, prepared, method)
    return queue.ask(f"map|{method}|{prepared.signature}", work, long=long, ahead=ahead)


def _colours(view: View) -> tuple[list[str], str]:
    counts = view.timeline.table[list(_CATEGORIES.values())].nunique()
    known = {name: counts[field] > (name == "language") for name, field in _CATEGORIES.items()}
    known |= {"date": view.timeline.undated < len(view.timeline), "gold": view.timeline.has_gold}
    options = [name for name in COLOURS if known.get(name, True)]
    outlets = view.timeline.publishers
    options += [f"{_OF_OUTLETS}{name}" for name, of in outlet_columns().items() if values_of(of, outlets)]
    return options, state.now().colour if state.now().colour in options else options[0]


@cached(max_entries=16)
def _stories(view: View) -> list[str | None]:
    """The title of each headline's story, None where it is of none."""
    titles, ids = _titles(view), view.grouping.ids.tolist()
    stories = stories_of(view.prepared, view.grouping)
    named = {event: titles[story.central] for story in stories for event in story.events}
    return [*map(named.get, ids)]


def _colouring(view: View, choice: str) -> Colouring:
    if choice.startswith(_OF_OUTLETS):
        outlets = view.timeline.publishers
        value_of = values_of(outlet_columns()[choice.removeprefix(_OF_OUTLETS)], outlets)
        return by_category([value_of.get(name or "") for name in outlets])
    if choice in _CATEGORIES:
        return by_category(view.timeline.table[_CATEGORIES[choice]].tolist())
    if choice == "story":
        return by_category(_stories(view))
    if choice == "date":
        days, words = view.timeline.days, written_days(view.timeline)
        return by_number(days.tolist(), (words[int(np.nanargmin(days))], words[int(np.nanargmax(days))]))
    return by_group(view.grouping.ids.tolist(), {s.group for s in summaries(view) if s.size == 1})


def draw_points(
    points: Points,
    place: str,
    texts: Sequence[Sequence[str]],
    colouring: Colouring,
    selected: Sequence[int],
    *,
    key: str = "points",
    opening: int = -1,
    plain: bool = True,
    choose: Callable[[int], object],
    surround: Callable[[Lasso], object],
) -> None:
    palette, colours, legend = painted(colouring)
    bright = np.zeros(len(points.order), dtype=np.bool_)
    bright[list(selected)] = True
    paints = np.asarray(colours, dtype=np.uint8)[points.order].tobytes()
    data = {"place": place, "fills": True, "palette": palette, "legend": legend, "found": len(selected)}
    data |= {"points": served(points.content, f"{key}-points"), "colours": base64.b64encode(paints).decode()}
    data["plain"] = plain
    data["opening"] = points.order.tolist().index(opening) if opening >= 0 else -1
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
        picture=partial(st.session_state.__setitem__, WITHOUT_WEBGL, True),
    )
