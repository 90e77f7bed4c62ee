"""Pictures of a result as SVG, drawn without a browser and the same bytes each time."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from core import __version__
from core.arrays import Float32Array, IntArray
from core.maps.labels import MapLabel, bounds
from core.palette import NEUTRAL_LIGHT, group_colour
from core.results.chart import FONTS
from core.results.render import count_words, shorten
from core.results.table import Table
from core.results.vega import as_svg

INK, QUIET, RULE, PAPER = "#121210", "#5c5a52", "#d9d4c5", "#fdfcf9"  # as the page of the report has them
LANES = 24  # groups that get a lane of their own; more would not be read
LANE_HEIGHT = 26
WIDTH = 640
LABEL_CHARACTERS = 44
NAME_LINE = 15  # pixels of a line of a name on the map
HOURLY_DAYS = 3  # up to this span, and with times known, marks stand for hours instead of days


@dataclass(frozen=True, slots=True)
class ReportHeadlines:
    texts: tuple[str, ...]
    published: tuple[datetime | None, ...]  # aware UTC times; None where there is none
    day_only: tuple[bool, ...]  # whether only the day is known
    publishers: tuple[str | None, ...]  # names of outlets, or None
    urls: tuple[str | None, ...]  # as given by the source, or None; only http and https become links
    labels: tuple[str, ...] = ()  # what coders said of each; () for nothing

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class ReportCard:
    group: int  # its stable number
    representative: int  # row of the headline that stands for it
    rows: tuple[int, ...]  # rows of all its headlines, in the order in which they are to be listed
    suggested: int | None = None  # row of the headline that is suggested for it; None for no suggestion
    reason: str = ""  # what speaks for that one, a sentence
    title: str = ""  # the one that people gave it; "" for its representative headline
    remarks: tuple[str, ...] = ()  # on corrections, and on who reported first
    facts: str = ""  # its facts grid, an escaped HTML table; "" for none
    reports: tuple[tuple[int, ...], ...] = ()  # each original with its copies; () without copies


@dataclass(frozen=True, slots=True, eq=False)
class ReportContent:
    """All that a report shows; every text may come from a stranger's file and is escaped."""

    title: str  # usually the timeline's name
    facts: tuple[tuple[str, str], ...]  # label and value of each fact in the strip at the top
    headlines: ReportHeadlines  # the n headlines
    groups: IntArray  # stable group number of each headline, int64 [n]
    cards: tuple[ReportCard, ...]  # the groups of two and more, the most important first
    signature: str  # method and parameters of the result, one line
    fingerprint: str  # of the timeline's data
    positions: Float32Array | None = None  # map places, float32 [n, 2], or None to leave the map out
    labels: tuple[MapLabel, ...] = ()  # names on the map
    quality: Table | None = None  # measures against gold, their values and meaning; None without gold
    rejected: int = 0  # how many input rows could not be read
    notes: tuple[str, ...] = ()  # sentences for the reader (dates missing, groups folded, …)
    version: str = __version__  # of this program
    command: str = "headline-lab group FILE --bundle out.zip"

    def name(self, card: ReportCard) -> str:
        return card.title or self.headlines.texts[card.representative]


def swimlane_svg(content: ReportContent) -> str | None:
    """A lane a group, single reports in the last; a mark a day or hour, its area the number of publishers."""
    when = content.headlines.published
    dated = [moment for moment in when if moment is not None]
    if not dated:
        return None
    short = max(dated) - min(dated) < timedelta(days=HOURLY_DAYS)
    hourly = short and not any(content.headlines.day_only)
    lanes = list(content.cards[:LANES])
    grouped = {row for card in content.cards for row in card.rows}
    alone = tuple(row for row in range(len(content.headlines)) if row not in grouped)
    if alone:
        lanes.append(ReportCard(group=-1, representative=alone[0], rows=alone))
    marks = [mark for order, lane in enumerate(lanes) for mark in _marks(content, lane, order, hourly)]
    whole = ("Single reports" if lane.group < 0 else content.name(lane) for lane in lanes)
    titles = [shorten(name, LABEL_CHARACTERS) for name in whole]
    names = [f"{title} ({len(lane.rows):,})" for title, lane in zip(titles, lanes, strict=True)]
    return _svg(_swimlane_spec(marks, names), "swimlane")


def swimlane_words(content: ReportContent) -> str:
    shown = min(len(content.cards), LANES)
    text = f"Time chart with a lane for each of {count_words(shown, 'event', 'events')}"
    if content.cards:
        card = content.cards[0]
        name = shorten(content.name(card), 80)
        text += f"; the first is “{name}” with {count_words(len(card.rows), 'headline', 'headlines')}"
    return text + ". The table of headlines below gives the same in numbers."


def map_svg(content: ReportContent) -> str | None:
    """The map, a point a headline in its group's colour, with names; None without places."""
    if content.positions is None or len(content.positions) == 0:
        return None
    groups = content.groups.tolist()
    sizes = Counter(groups)
    points = [
        {
            "x": round(float(x), 3),
            "y": round(float(y), 3),
            "c": group_colour(group, dark=False) if sizes[group] > 1 else NEUTRAL_LIGHT,
        }
        for (x, y), group in zip(content.positions, groups, strict=True)
    ]
    names = [
        {
            "x": round(mark.x, 3),
            "y": round(mark.y, 3),
            "t": [shorten(line, 40) for line in mark.text.split("\n")],
            "dx": mark.right,
            "dy": (mark.text.count("\n") * -NAME_LINE / 2) - mark.up,
        }
        for mark in content.labels
    ]
    sides = bounds(content.positions)
    scales = {axis: {"domain": list(side), "nice": False} for axis, side in zip("xy", sides, strict=True)}
    place = {
        axis: {"field": axis, "type": "quantitative", "axis": None, "scale": scale}
        for axis, scale in scales.items()
    }
    few = len(points) <= 500
    dots = {
        "data": {"values": points},
        "mark": {"type": "circle", "opacity": 0.8 if few else 0.6, "size": 60 if few else 14},
        "encoding": {**place, "color": {"field": "c", "type": "nominal", "scale": None}},
    }
    moved = {axis: {"expr": f"datum.{axis}"} for axis in ("dx", "dy")}
    look = {"fontSize": 12, "lineHeight": NAME_LINE, "baseline": "middle", "fontWeight": 600, "clip": False}
    text = {"type": "text", **moved, **look}
    halo = {**text, "stroke": PAPER, "strokeWidth": 4, "strokeJoin": "round", "color": PAPER}
    encoding = {**place, "text": {"field": "t", "type": "nominal"}}
    marks = (halo, {**text, "color": INK})
    layers = [{"data": {"values": names}, "mark": mark, "encoding": encoding} for mark in marks]
    return _svg({"width": 900, "height": 560, "layer": [dots, *layers]}, "map")


def map_words(content: ReportContent) -> str:
    return (
        f"Map of {count_words(len(content.headlines), 'headline', 'headlines')}: headlines of like "
        f"meaning lie near each other, coloured by {count_words(len(content.cards), 'event', 'events')}; "
        "grey ones are single reports. Directions and distances across the map have no meaning of their own."
    )


def _marks(content: ReportContent, lane: ReportCard, order: int, hourly: bool) -> list[dict[str, Any]]:
    heads = content.headlines
    publishers: dict[datetime, set[str]] = {}
    for row in lane.rows:
        moment = heads.published[row]
        if moment is None:
            continue
        cut = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        cut = cut if hourly else cut.replace(hour=0)
        # A headline without a publisher counts as one of its own.
        publishers.setdefault(cut, set()).add(heads.publishers[row] or f"\0{row}")
    colour = group_colour(lane.group, dark=False)
    return [
        {"when": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "lane": order, "publishers": len(names), "c": colour}
        for when, names in sorted(publishers.items())
    ]


def _swimlane_spec(marks: list[dict[str, Any]], names: list[str]) -> dict[str, Any]:
    lane = {
        "field": "lane",
        "type": "ordinal",
        "scale": {"domain": list(range(len(names)))},
        "axis": {
            "title": None,
            "labelExpr": f"{json.dumps(names)}[datum.value]",
            "labelLimit": 420,  # wider than any name: its count is at the end
            "domain": False,
            "ticks": False,
            "grid": False,
            "labelPadding": 10,
        },
    }
    times = {"title": None, "grid": True, "tickCount": 7, "labelOverlap": True, "domain": False}
    scale = {"type": "utc", "nice": False, "padding": 14}
    when = {"field": "when", "type": "temporal", "scale": scale, "axis": times}
    colour = {"field": "c", "type": "nominal", "scale": None}
    most = max(mark["publishers"] for mark in marks)
    areas = {"type": "linear", "domain": [0, most], "range": [0, 320]}
    size = {"field": "publishers", "type": "quantitative", "scale": areas, "legend": None}
    ends = {"x": {**when, "aggregate": "min"}, "x2": {"field": "when", "aggregate": "max"}}
    rule = {"type": "rule", "strokeWidth": 2, "opacity": 0.35}
    span = {"mark": rule, "encoding": {**ends, "y": lane, "color": colour}}
    circles = {"x": when, "y": lane, "color": colour, "size": size}
    dots = {"mark": {"type": "circle", "opacity": 0.9}, "encoding": circles}
    return {"data": {"values": marks}, "width": WIDTH, "height": {"step": LANE_HEIGHT}, "layer": [span, dots]}


def _svg(spec: dict[str, Any], name: str) -> str:
    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "padding": 6,
        "config": {
            "aria": False,  # the page describes the picture as a whole
            "font": FONTS,
            "view": {"stroke": None},
            "axis": {"labelColor": QUIET, "gridColor": RULE, "tickColor": RULE, "labelFontSize": 12},
        },
        **spec,
    }
    svg = as_svg(whole)
    ids: dict[str, str] = {}
    for element in re.findall(r'\bid="([^"]+)"', svg):
        ids.setdefault(element, f"{name}-{len(ids)}")
    for old, new in ids.items():
        svg = svg.replace(f'id="{old}"', f'id="{new}"').replace(f"url(#{old})", f"url(#{new})")
    # Marks in groups are announced even so, each as a picture without a name.
    return re.sub(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*")', "", svg)
