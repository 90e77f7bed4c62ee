"""The swimlane: a row for each event, its days in busy stretches of time, the quiet between them cut out."""

import math
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from components.frame.charts import theme
from components.frame.charts.vega_parts import hidden_axis, unlisted_data
from components.frame.page_state import is_large
from core.events.busy_times import (
    DAY,
    BusyStretch,
    busy_stretches,
    said_quiet,
    times_of,
    unit_of,
    unit_start,
)
from core.events.lanes import Lane, Mark
from core.palette import group_colour
from core.results.render import count_words, shorten
from core.results.text_lines import broken, cut, isolated, text_width

WIDE: Final = 1232.0  # pixels of a picture whose width is not known yet
NARROW: Final = 600  # pixels up to which titles stand above their reports, else left of them
MIDDLE, TALL = 800, 62  # pixels up to which titles have two lines, and of a row with these
ROWS: Final = {False: (44, 36), True: (66, 54)}  # heights of a row by narrowness, on the page and in print
HEAD, TOOLS = 44, 28  # pixels of the heads of time above the rows, and of the buttons below them
GAPS: Final = {False: 52, True: 12}  # pixels of time that is cut out, by narrowness
PAD: Final = 13  # pixels within a stretch beyond both its ends
DOT, LARGEST = 10, {False: 30, True: 18}  # diameters of one report, and of most where there is little room
DIGITS: Final = 13  # pixels of the numbers of reports
START, EDGE = {False: 14, True: 10}, 12  # pixels before a title, and between it and the first stretch
HINTED: Final = 1.015  # how much wider a browser may draw a title, whose letters begin at whole pixels
UNDATED: Final = 56  # pixels of reports without a date
STRIP, LOW = 24, 0.79  # pixels of a narrow row in which reports stand, below its words; where their middle is
TICKS: Final = ("h", "3h", "6h", "12h", "D", "2D", "7D", "14D", "MS", "QS", "2QS", "YS", "5YS")
APART: Final = 4  # pixels from a date to the words of a gap
TICK: Final = 84  # pixels from one date to the next within a stretch
DEEP: Final = 104  # lightness of a colour, of 255, on which white can be read
FILLS: Final = {False: ("#8f7f4a14", "#e6edf3"), True: ("#d8dce40e", "#222c36")}  # a stretch, a chosen row


class Dot(NamedTuple):
    """The reports of a day or hour, or of several that would hide each other; in pixels."""

    lane: int  # place of its lane
    x: float
    y: float  # from the top to the middle of its row
    size: float  # diameter
    marks: Sequence[Mark]

    @property
    def label(self) -> str:
        return f"{len(self.marks):,}" * (len(self.marks) > 1)


class Words(NamedTuple):
    """A line of text: its place in pixels, and from there down to its middle."""

    text: str
    x: float
    y: float
    down: float
    size: float
    bold: bool = False
    lane: int | None = None  # of a title: place of its lane


class LaneLayout(NamedTuple):
    """Where everything stands, in pixels of a picture of a given width; heads of time stand above 0."""

    left: float  # of titles left of their reports
    height: float
    row: float
    stretches: list[tuple[float, float]]
    ticks: list[float]
    dots: list[Dot]
    words: list[Words]


def layout(lanes: Sequence[Lane], width: float, *, printed: bool = False) -> LaneLayout:
    scale, unit, times = _scale(), unit_of(lanes), times_of(lanes)
    narrow = width <= NARROW * scale
    left = 0 if narrow else round(min(396 * scale, 0.36 * width))
    row, letter, size = ROWS[narrow][printed] * scale, (13 if printed else 15) * scale, 13 * scale
    middle = not narrow and not printed and width <= MIDDLE * scale
    row, largest = TALL * scale if middle else row, LARGEST[narrow or middle]
    undated = any(mark.time is None for lane in lanes for mark in lane.marks)
    right = width - (UNDATED + GAPS[narrow]) * scale * undated
    moments, stretches, ticks, words = _time_axis(times, unit, float(left), right, narrow=narrow)
    if undated:
        stretches.append((right + GAPS[narrow] * scale, width))
        words.append(Words("no date", stretches[-1][0], 0, -13, size))
    days = [_days(lane, unit) for lane in lanes]
    most = max((len(marks) for own in days for marks in own.values()), default=1)
    share = min(1.0, largest / (DOT * most**0.5)) * scale * (0.8 if printed else 1)
    dots: list[Dot] = []
    for at, lane in enumerate(lanes):
        centre = (at + (LOW if narrow else 0.5)) * row
        own: list[Dot] = []
        for (day, fits), marks in days[at].items():
            x = (stretches[-1][0] + width) / 2
            if day is not None:
                x = float(np.interp((day + unit / 2).timestamp(), *moments))
            dot = _dot(at, x, centre, marks, share)
            while own and dot.x - own[-1].x < (near := 0.95 * (dot.size + own[-1].size) / 2):
                if own[-1].marks[0].fits != fits:  # beside it, as what the filter leaves is counted alone
                    dot = dot._replace(x=own[-1].x + near)
                    break
                before, together = own.pop(), len(dot.marks)
                x = before.x + (dot.x - before.x) * together / (together + len(before.marks))
                dot = _dot(at, x, centre, [*before.marks, *dot.marks], share)
            own.append(dot)
        dots += own
        room = (width if narrow else left) - EDGE - START[narrow]
        title = broken(lane.title, room / (HINTED * letter) if middle else math.inf, most=1 + middle)
        title = title if middle else tuple(cut(line, room / (HINTED * letter)) for line in title)
        down, below = (1.0, 2.1) if narrow else (row / letter * 0.36, row / letter * 0.74)
        if len(title) > 1:
            down, below = row / letter * 0.21, row / letter * 0.8
        for line in title:
            words.append(Words(line, START[narrow], at * row + down * letter, 0, letter, bold=True, lane=at))
            down += 1.2
        facts = "".join(broken(_facts(lane), room / (0.9 * (letter - 2 * scale)), most=1))
        words.append(Words(facts, START[narrow], at * row + below * letter, 0, letter - 2 * scale, lane=at))
    most = max((len(dot.marks) for dot in dots), default=1)  # reports close together may be more
    share = min(share, largest * scale / (DOT * most**0.5))
    dots = [_dot(dot.lane, dot.x, dot.y, dot.marks, share) for dot in dots]
    return LaneLayout(left, len(lanes) * row, row, stretches, ticks, dots, words)


def _scale() -> float:
    return theme.LARGE_PIXELS / 13 if is_large() else 1.0


def _time_axis(
    times: Sequence[datetime], unit: timedelta, left: float, right: float, *, narrow: bool
) -> tuple[tuple[list[float], list[float]], list[tuple[float, float]], list[float], list[Words]]:
    scale, gap, size = _scale(), GAPS[narrow] * _scale(), 13 * _scale()
    busy, wide, heads = _fitted(times, unit, right - left, gap=gap, size=size)
    moments: tuple[list[float], list[float]] = ([], [])
    stretches: list[tuple[float, float]] = []
    ticks: list[float] = []
    words: list[Words] = []
    x = left
    for at, (stretch, across, head) in enumerate(zip(busy, wide, heads, strict=True)):
        if at:
            quiet = "" if narrow else said_quiet(stretch.first - busy[at - 1].end)
            begins = x - (0 if narrow else gap / 2 + text_width(quiet) * size / 2)
            least = begins - APART
            while words and words[-1].x + text_width(words[-1].text) * size > least:
                words.pop()  # its line has no date
            words += [Words(quiet, begins, 0, -13, size)] * (not narrow)
        stretches.append((x, x + across))
        moments[0].extend((stretch.first.timestamp(), stretch.end.timestamp()))
        moments[1].extend((x + PAD, x + across - PAD))
        inner = _ticks(stretch, unit, across / scale)
        places = [float(np.interp(tick.timestamp(), *moments)) for tick in inner]
        ticks += places
        months, above = bool(inner) and inner[-1] - inner[0] > 27 * DAY * (len(inner) - 1), ""
        for place, time in zip(places or [x], inner or [stretch.first], strict=True):
            year = f"{time:%Y}" if unit == DAY else f"{time.day} {time:%b %Y}"
            day = f"{time:%H:%M}" if unit < DAY else f"{time:%b}" if months else f"{time.day} {time:%b}"
            words += [Words(year, place, 0, -30, size, bold=True)] * (year != above)
            words.append(Words(day if inner else head, place, 0, -13, size))
            above = year
        x += across + gap
    return moments, stretches, ticks, words


def _fitted(
    times: Sequence[datetime], unit: timedelta, width: float, *, gap: float, size: float
) -> tuple[list[BusyStretch], list[float], list[str]]:
    """As many stretches as fit with their heads, how wide each is, and its head."""
    for most in range(max(1, int(width // 44)), 0, -1):
        busy = busy_stretches(times, unit, most=most)
        units = [(stretch.end - stretch.first) / unit for stretch in busy]
        for brief in (False, True):
            heads = [_head(stretch, unit, brief=brief) for stretch in busy]
            least = [max(2 * PAD + 10, text_width(head) * size + 4) for head in heads]
            spare = width - sum(least) - gap * (len(busy) - 1)
            if spare >= (0.02 if brief else 0.12) * width or (most == 1 and brief):
                share = max(spare, 0) / max(sum(units), 1)
                return busy, [own + share * long for own, long in zip(least, units, strict=True)], heads
    return [], [], []


def _head(stretch: BusyStretch, unit: timedelta, *, brief: bool) -> str:
    first, last = stretch.first, stretch.end - timedelta(seconds=1)
    if unit < DAY:
        return f"{first:%H}–{last.hour + 1:02d} h"
    if brief:
        return f"{first:%b}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}{f'–{last.day}' * (first.day < last.day)} {first:%b}"
    return f"{first.day} {first:%b} – {last.day} {last:%b}" + f" {last:%Y}" * (first.year < last.year)


def _ticks(stretch: BusyStretch, unit: timedelta, width: float) -> list[datetime]:
    """Dates within a stretch that is wide enough for three or more; [] where its head says all."""
    for step in TICKS if unit < DAY else TICKS[4:]:
        found = (
            pd.date_range(stretch.first, stretch.end, freq=step, inclusive="left").to_pydatetime().tolist()
        )
        if len(found) * TICK <= width:
            return found if len(found) > 2 else []
    return []


def _days(lane: Lane, unit: timedelta) -> dict[tuple[datetime | None, bool], list[Mark]]:
    days: dict[tuple[datetime | None, bool], list[Mark]] = {}
    for mark in lane.marks:
        day = None if mark.time is None else unit_start(mark.time, unit)
        days.setdefault((day, mark.fits), []).append(mark)
    return days


def _dot(lane: int, x: float, y: float, marks: Sequence[Mark], share: float) -> Dot:
    dot = Dot(lane, x, y, min(DOT * len(marks) ** 0.5 * share, 34), marks)
    digits = len(dot.label)
    return dot._replace(size=max(dot.size, 7, (digits and max(16 + digits, 5 + 7 * digits)) * _scale()))


def _facts(lane: Lane) -> str:
    outlets = list(dict.fromkeys(mark.outlet for mark in lane.marks if mark.outlet))
    size = "single report" if len(lane.marks) == 1 else f"{len(lane.marks):,} reports"
    said = f"{len(outlets)} outlets" if len(outlets) > 1 else shorten("".join(outlets), 30)
    return " · ".join(filter(None, (size, said, _first(lane))))


def _first(lane: Lane) -> str:
    """The outlet that reported first, and how many more at that time."""
    dated = [mark for mark in lane.marks if mark.time is not None]
    first = list(dict.fromkeys(mark.outlet for mark in dated if mark.time == dated[0].time and mark.outlet))
    if not first or len({mark.outlet for mark in dated}) < 2:
        return ""
    others = f" and {count_words(len(first) - 1, 'other', 'others')}" * (len(first) > 1)
    return f"{shorten(first[0], 24)}{others} first"


def _hue(lane: Lane, *, dark: bool) -> str:
    """The colour of an event, on paper deep enough for white numbers."""
    hue = group_colour(lane.group, dark=dark)
    parts = bytes.fromhex(hue[1:])
    light = float(np.dot(list(parts), (0.21, 0.72, 0.07)))
    return hue if dark else "#" + bytes(round(part * min(1.0, DEEP / light)) for part in parts).hex()


def _drawing(
    lanes: Sequence[Lane], placed: LaneLayout, *, width: float, dark: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Boxes and lines; those of rows stay where they are while time is zoomed."""
    ink, boxes, lines = theme.DARK if dark else theme.LIGHT, [], []
    grid, cuts = ink.grid, [(begin + end) / 2 for (_, begin), (end, _) in pairwise(placed.stretches)]
    ends = [{"y": 0.0, "y2": placed.height}]
    if not placed.left:  # words stand above reports, and nothing behind words
        middles, half = [(at + LOW) * placed.row for at in range(len(lanes))], STRIP * _scale() / 2
        ends = [{"y": middle - half, "y2": middle + half} for middle in middles]
    for end in ends:
        boxes += [
            {"x": x, "x2": x2, **end, "hue": FILLS[dark][0], "moves": True} for x, x2 in placed.stretches
        ]
        look = {**end, "hue": grid, "wide": 1, "faded": 1, "moves": True}
        lines += [{"x": x, "x2": x, **look} for x in placed.ticks]
    cut_out = {"y": ends[0]["y"] + 16, "y2": ends[0]["y"] + 8, "hue": ink.muted, "wide": 1, "faded": 1}
    lines += [{"x": x + at - 2, "x2": x + at + 2, **cut_out, "moves": True} for x in cuts for at in (-2, 2)]
    for at, lane in enumerate(lanes):
        top, under, hue = at * placed.row, (at + 1) * placed.row, _hue(lane, dark=dark)
        boxes.append({"x": 0, "x2": 4, "y": top + 6, "y2": under - 6, "hue": hue, "moves": False})
        lines.append(
            {"x": 0, "x2": width, "y": under, "y2": under, "hue": grid, "wide": 1, "faded": 1, "moves": False}
        )
        own = [dot for dot in placed.dots if dot.lane == at and dot.marks[0].time is not None]
        if len(own) > 1:
            ends = {"x": own[0].x, "x2": own[-1].x, "y": own[0].y, "y2": own[0].y}
            lines.append({**ends, "hue": hue, "wide": 2, "faded": 0.45, "moves": True})
    return boxes, lines


def swimlane_figure(lanes: Sequence[Lane], *, selected: Collection[int], width: float = WIDE) -> go.Figure:
    colours, dark, placed = theme.ink(), theme.is_dark(), layout(lanes, width)
    boxes, lines = _drawing(lanes, placed, width=width, dark=dark)
    for at, lane in enumerate(lanes):
        if lane.group in selected:
            row = {"x": 0, "x2": width, "y": at * placed.row, "y2": (at + 1) * placed.row}
            boxes.insert(0, {**row, "hue": FILLS[dark][1], "moves": False})
    shapes: list[dict[str, Any]] = []
    for drawn in [*boxes, *lines]:
        shift = 0 if drawn["moves"] else placed.left
        ends = {"x0": drawn["x"] - shift, "x1": drawn["x2"] - shift, "y0": drawn["y"], "y1": drawn["y2"]}
        pixels = {"xref": "paper", "xsizemode": "pixel", "xanchor": 0} if shift or not drawn["moves"] else {}
        look = {"type": "rect", "fillcolor": drawn["hue"], "line": {"width": 0}, "layer": "below"}
        if "wide" in drawn:
            look = {"type": "line", "line": {"color": drawn["hue"], "width": drawn["wide"]}}
            look |= {"layer": "below", "opacity": drawn["faded"]}
        shapes.append(ends | pixels | look)
    notes = []
    for words in placed.words:
        place = {"x": words.x, "xref": "x", "xanchor": "left"}
        if words.lane is not None:
            place |= {"x": 0, "xref": "paper", "xshift": words.x - placed.left}
            place |= {"name": str(lanes[words.lane].group), "captureevents": True}
        place |= {"y": words.y, "yref": "y", "yanchor": "middle", "yshift": -words.down, "showarrow": False}
        look = {"size": words.size, "weight": 600 if words.bold else 400}
        look["color"] = colours.text if words.bold else colours.muted
        text = isolated(theme.hover(words.text, len(words.text)))
        notes.append({"text": text, "font": look, "borderpad": 0, **place})
    traces = []
    for fits in (True, False):
        dots = [dot for dot in placed.dots if dot.marks[0].fits == fits]
        emphasis = {"marker": {"opacity": 1.0 if fits else 0.3}, "textfont": {"color": colours.paper}}
        hues = [_hue(lanes[dot.lane], dark=dark) for dot in dots]
        fill = {"color": hues, "line": {"width": 1.5, "color": colours.paper}}
        # As a dict, since plotly would check thousands of points twice in an object of its own.
        trace = {
            **{"type": "scatter", "mode": "markers+text", "hoverinfo": "text", "showlegend": False},
            "x": [dot.x for dot in dots],
            "y": [dot.y for dot in dots],
            "marker": {"size": [dot.size + 1.5 for dot in dots], **fill, **emphasis["marker"]},
            "text": [dot.label for dot in dots],
            "textfont": {"size": DIGITS * _scale(), "weight": 600, **emphasis["textfont"]},
            "customdata": [lanes[dot.lane].group for dot in dots],
            "hovertext": [_said(dot) for dot in dots],
            # The page draws its own emphasis: Plotly's would fade marks of a new selection.
            **{"selected": emphasis, "unselected": emphasis},
        }
        traces += [trace] if dots else []
    clear, letters, head = "rgba(0,0,0,0)", {"color": colours.text, "size": 13 * _scale()}, HEAD * _scale()
    return go.Figure(traces).update_layout(
        **{"shapes": shapes, "annotations": notes, "height": head + placed.height + TOOLS},
        margin={"l": placed.left, "r": 0, "t": head, "b": TOOLS, "autoexpand": False},
        **{"paper_bgcolor": clear, "plot_bgcolor": clear, "font": letters, "uirevision": "keep"},
        hoverlabel={"bgcolor": colours.paper, "font": letters, "align": "left"},
        modebar={"bgcolor": clear, "color": colours.muted, "activecolor": colours.text},
        dragmode="select" if placed.left else False,  # a finger moves the page
        **{"clickmode": "event+select", "selectdirection": "h"},
        xaxis={"visible": False, "range": [placed.left, width]},
        yaxis={"visible": False, "range": [placed.height, 0], "fixedrange": True},
    )


def _said(dot: Dot) -> str:
    first, last = dot.marks[0], dot.marks[-1]
    about = [first.when if first.when == last.when else f"{first.when} – {last.when}"]
    if len(dot.marks) > 1:
        outlets = len({mark.outlet for mark in dot.marks})
        about += [f"{len(dot.marks):,} reports", count_words(outlets, "outlet", "outlets")]
    elif first.outlet:
        about.append(theme.hover(first.outlet, 40))
    return f"{theme.hover(first.headline)}<br><i>{' · '.join(about)}</i>"


def swimlane_chart(lanes: Sequence[Lane], *, width: float = WIDE) -> alt.LayerChart:
    """The picture to publish: in the colours of paper, nothing chosen."""
    placed, colours = layout(lanes, width, printed=True), theme.LIGHT
    boxes, lines = _drawing(lanes, placed, width=width, dark=False)
    x, y = hidden_axis(0, width, "x", alt.X), hidden_axis(placed.height, -HEAD, "y", alt.Y)
    hue, size = alt.Color("hue:N", scale=None), alt.Size("size:Q", scale=None)
    faded = alt.Opacity("faded:Q", scale=None)
    letters: dict[str, list[dict[str, Any]]] = {}
    dots = []
    for dot in placed.dots:
        place = {"x": dot.x, "y": dot.y}
        look = {"size": dot.size**2, "hue": _hue(lanes[dot.lane], dark=False)}
        look["faded"] = 1.0 if dot.marks[0].fits else 0.3
        dots.append({"Headline": dot.marks[0].headline, "Reports": len(dot.marks), **place, **look})
        look = {"text": dot.label, "dy": 0.5, "hue": colours.paper, "size": DIGITS * _scale()}
        letters.setdefault("center 600", []).append(place | look)
    for words in placed.words:
        colour = colours.text if words.bold else colours.muted
        look = {"text": isolated(words.text), "dy": words.down, "hue": colour, "size": words.size}
        kind = f"left {600 if words.bold else 400}"
        letters.setdefault(kind, []).append({"x": words.x, "y": words.y, **look})
    layers = [
        alt.Chart(unlisted_data("boxes", boxes)).mark_rect().encode(x=x, x2="x2", y=y, y2="y2", color=hue),
        alt.Chart(unlisted_data("lines", lines))
        .mark_rule()
        .encode(
            x=x,
            x2="x2",
            y=y,
            y2="y2",
            color=hue,
            strokeWidth=alt.StrokeWidth("wide:Q", scale=None),
            opacity=faded,
        ),
        alt.Chart(alt.InlineData(values=dots))
        .mark_point(filled=True, stroke=colours.paper, strokeWidth=1.5)
        .encode(x=x, y=y, color=hue, size=size, opacity=faded),
    ]
    for kind, rows in letters.items():
        align, weight = kind.split()
        look = {"align": align, "fontWeight": int(weight), "baseline": "middle", "clip": True}
        chart = alt.Chart(unlisted_data(kind, rows)).mark_text(**look, dy=alt.expr("datum.dy"))
        layers.append(chart.encode(x=x, y=y, text="text:N", color=hue, size=size))
    least = placed.height + HEAD
    return alt.layer(*layers).properties(height=least, usermeta={"least": least})
