"""The swimlane: a lane for each event on a time axis, a mark for each report."""

import math
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import altair as alt
import plotly.graph_objects as go

from components.frame.charts import theme
from components.frame.charts.vega_parts import LINE_HEIGHT, hidden_axis, label_layer, label_row, unlisted_data
from components.frame.page_state import is_large
from core.events.lanes import Lane, Mark, initials
from core.palette import group_colour
from core.results.render import count_words
from core.results.text_lines import broken, isolated

WIDE = 1232.0  # pixels of a picture whose width is not known yet
NARROW = 600  # pixels up to which titles stand above their reports, else left of them
EDGE, MARGIN = 24, 64  # pixels beyond both ends of time, and of reports without a date
TOOLBAR_PIXELS, AXIS_PIXELS = 26, 40  # buttons above the axis, so that they hide no date
LETTERED, PLAIN, LARGEST = 23, 10, 44  # diameters of a report with initials, among many, of most together
STACKED: Final = {LETTERED: 4, PLAIN: 9}  # how many of a diameter stand above each other at most
APART = 36  # pixels from the middle of reports that share a mark to the next, where more would stand
_FIRST: Final = """datum.index > 0 || test(/^[0-9]{4}$/, datum.label) ? datum.label
    : [datum.label, utcFormat(datum.value, test(/:/, datum.label) ? '%-d %b %Y' : '%Y')]"""
"""Below the first label of the axis, its year, or its day where it is an hour."""


class Dot(NamedTuple):
    """A mark of a report, or of several; all in pixels."""

    lane: int  # place of its lane
    x: float
    y: float  # below the line of its lane
    size: float  # diameter; 0 for that of its share of reports
    label: str
    marks: Sequence[Mark]


class LaneLayout(NamedTuple):
    """Where everything stands, in pixels of a picture of a given width."""

    left: int  # of titles left of their reports
    right: int  # of reports without a date
    foot: float  # from the top to the end of the lanes; what marks mean stands below
    height: int
    span: tuple[float, float]  # ends of the axis, seconds since 1970
    lines: list[float]  # from the top to the line of each lane
    titles: list[tuple[float, str]]  # from there up to the middle of a title, and its lines
    dots: list[Dot]
    key: list[tuple[Dot, float, str]]  # what marks mean: mark, from the top to it, words


def layout(lanes: Sequence[Lane], width: float) -> LaneLayout:
    unit, letter = _unit(), 13 * _unit()
    narrow = width <= NARROW * unit
    left = 0 if narrow else round(min(350 * unit, 0.36 * width))
    marks = [mark for lane in lanes for mark in lane.marks]
    times = [mark.time.timestamp() for mark in marks if mark.time is not None] or [0.0]
    right = round(MARGIN * unit) if len(times) < len(marks) else 0
    spare = max(0.0, 1800 - (max(times) - min(times)) / 2)  # a single moment stands in the middle of an hour
    first, last = min(times) - spare, max(times) + spare
    pixel = (last - first) / max(width - left - right - 2 * EDGE, 1)

    def across(time: datetime) -> float:
        return left + EDGE + (time.timestamp() - first) / pixel

    dots = [dot for at, lane in enumerate(lanes) for dot in _dots(at, lane.marks, across, width - right / 2)]
    most = max((len(dot.marks) for dot in dots), default=1)
    for at, dot in enumerate(dots):
        if not dot.size:
            size = max(LARGEST * (len(dot.marks) / most) ** 0.5, 8 + 5 * len(dot.label))
            dots[at] = dot._replace(size=size * unit)
    over, under = [0.0] * len(lanes), [0.0] * len(lanes)
    for dot in dots:
        over[dot.lane] = max(over[dot.lane], dot.size / 2 - dot.y)
        under[dot.lane] = max(under[dot.lane], dot.size / 2 + dot.y)
    top, lines, titles = 0.0, [], []
    length = (width - 4) / (0.95 * letter) if narrow else (left - 24) / (0.88 * letter)
    least = 2 if narrow or left > 300 else 3
    for lane, up, down in zip(lanes, over, under, strict=True):
        words = broken(f"{lane.group}  {lane.title}", length, most=least)
        high = len(words) * LINE_HEIGHT * letter
        above = high + 5 if narrow else max(high - up - down, 0) / 2
        lines.append(top + 8 + above + up)
        middle = up + 5 + high / 2 if narrow else (up - down) / 2
        titles.append((middle, "\n".join(words).replace(" ", "\u2002", 1)))
        top = lines[-1] + down + 8 + (0 if narrow else above)
    key: list[tuple[Dot, float, str]] = []
    x, y = 0.0, top + 12 + LARGEST * unit / 2
    for said, dot in _kinds(dots).items():
        wide = dot.size + 6 * unit * len(said) + 30
        if x and x + wide > width:
            x, y = 0.0, y + max(26 * unit, dot.size + 4)
        key.append((dot._replace(x=x + dot.size / 2 + 2, y=0.0), y, said))
        x += wide
    span = first - EDGE * pixel, last + EDGE * pixel
    return LaneLayout(left, right, top, round(y + LARGEST * unit / 2 + 4), span, lines, titles, dots, key)


def _unit() -> float:
    return theme.LARGE_PIXELS / 13 if is_large() else 1.0


def _dots(lane: int, marks: Sequence[Mark], across: Callable[[datetime], float], aside: float) -> list[Dot]:
    """A dot for each report, none hiding another; dots for several where there are too many."""
    unit = _unit()
    dated = [(across(mark.time), mark) for mark in marks if mark.time is not None]
    undated = [(aside, mark) for mark in marks if mark.time is None]
    if 1 < len(undated) < 3:
        undated = [(aside + side * 13 * unit, mark) for side, (_, mark) in zip((-1, 1), undated, strict=True)]
    for size, most in STACKED.items() if len(undated) < 3 else ():
        ends, dots = [-math.inf] * most, []
        for x, mark in [*dated, *undated]:
            level = next((level for level, end in enumerate(ends) if x - end > size * unit), most)
            if level == most:
                break
            ends[level], y = x, (level + 1) // 2 * (size * unit + 1) * (-1) ** level
            label = initials(mark.outlet) if size == LETTERED else ""
            dots.append(Dot(lane, x, y, size * unit, label, [mark]))
        if len(dots) == len(marks):
            return dots
    dots = []
    for x, mark in [*dated, *undated]:
        last = dots[-1] if dots else None
        if last and x - last.x < APART * unit and (mark.time is None) == (last.marks[0].time is None):
            together = [*last.marks, mark]
            middle = last.x + (x - last.x) / len(together)
            dots[-1] = Dot(lane, middle, 0, 0, f"{len(together):,}", together)
        else:
            dots.append(Dot(lane, x, 0, PLAIN * unit, "", [mark]))
    return dots


def _kinds(dots: Sequence[Dot]) -> dict[str, Dot]:
    together = sorted({len(dot.marks) for dot in dots} - {1})
    kinds: dict[str, Dot] = {}
    for dot in sorted(dots, key=lambda dot: (len(dot.marks), -dot.size)):
        reports = len(dot.marks)
        if reports == 1:
            kinds.setdefault("a report, its outlet’s initials" if dot.label else "a report", dot)
        elif reports in {together[0], together[-1]}:
            kinds[f"{reports:,} reports close together"] = dot
    return kinds


def _look(dot: Dot, colour: str) -> tuple[str, str]:
    """Fill and edge: what has letters is pale, so that they can be read."""
    paper = theme.ink().paper
    if not dot.label:
        return colour, paper
    parts = zip(bytes.fromhex(colour[1:]), bytes.fromhex(paper[1:]), strict=True)
    return "#" + bytes(round(0.2 * own + 0.8 * under) for own, under in parts).hex(), colour


def _drawing(
    lanes: Sequence[Lane], selected: Collection[int], width: float
) -> tuple[LaneLayout, list[Any], list[Any], list[Any]]:
    """The layout, its lines, its dots (colour, emphasis, lane) and its words (colour, size, place)."""
    colours, placed, rules, marks, words = theme.ink(), layout(lanes, width), [], [], []
    for at, (lane, line, (up, title)) in enumerate(zip(lanes, placed.lines, placed.titles, strict=True)):
        bright, hue = not selected or lane.group in selected, group_colour(lane.group, dark=theme.is_dark())
        dots = [dot for dot in placed.dots if dot.lane == at]
        marks += [(dot, hue, bright and any(mark.fits for mark in dot.marks), line) for dot in dots]
        ends = [dot.x for dot in dots if dot.marks[0].time is not None]
        if len(ends) > 1:
            look = {"hue": hue, "faded": 0.6 if bright else 0.2}
            rules.append({"x": min(ends), "x2": max(ends), "y": line, **look})
        words.append((title, colours.text if bright else colours.muted, 13.0, 0.0, line - up))
    words += [(said, colours.muted, 12.0, dot.x + dot.size / 2 + 6, line) for dot, line, said in placed.key]
    if placed.right:
        words.append(("no date", colours.muted, 12.0, width - placed.right / 2 - 20 * _unit(), -14.0))
    return placed, rules, marks, words


def swimlane_figure(lanes: Sequence[Lane], *, selected: Collection[int], width: float = WIDE) -> go.Figure:
    colours, unit = theme.ink(), _unit()
    placed, rules, marks, words = _drawing(lanes, selected, width)
    across = max(width - placed.left - placed.right, 1)

    def moment(x: float) -> str:
        seconds = placed.span[0] + (x - placed.left) / across * (placed.span[1] - placed.span[0])
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"

    shapes: list[dict[str, Any]] = []
    for rule in rules:
        ends = {"x0": moment(rule["x"]), "x1": moment(rule["x2"]), "y0": rule["y"], "y1": rule["y"]}
        look = {"line": {"color": rule["hue"], "width": 1.5}, "opacity": rule["faded"], "layer": "below"}
        shapes.append({"type": "line", **ends, **look})
    for dot, line, _ in placed.key:
        fill, edge = _look(dot, colours.muted)
        middle, half, below = dot.x - placed.left, dot.size / 2, placed.foot - line
        ends = {"x0": middle - half, "x1": middle + half, "y0": below - half, "y1": below + half}
        pixels = {f"{side}ref": "paper" for side in "xy"} | {f"{side}anchor": 0 for side in "xy"}
        pixels |= {f"{side}sizemode": "pixel" for side in "xy"}
        letters = {"text": dot.label, "font": {"size": 9 * unit, "color": colours.text}}
        look = {"fillcolor": fill, "line": {"color": edge, "width": 1.5}, "label": letters}
        shapes.append({"type": "circle", **ends, **pixels, **look})
    notes = []
    for text, colour, size, left, line in words:
        *number, title = text.split("\u2002", 1)
        body = "<br>".join(isolated(theme.hover(part, len(part))) for part in title.split("\n"))
        place = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": left - placed.left, "align": "left"}
        place |= {"y": 1, "yref": "paper", "yanchor": "middle", "yshift": -line, "showarrow": False}
        look = {"font": {"size": size * unit, "color": colour}, "bgcolor": colours.paper}
        notes.append({"text": "".join(f"<b>{group}</b>\u2002" for group in number) + body, **place, **look})
    parts: dict[tuple[str, bool], list[tuple[Dot, str, float]]] = {}
    for dot, hue, bright, line in marks:
        axis = "x2" if dot.marks[0].time is None else "x"
        parts.setdefault((axis, bright), []).append((dot, hue, line))
    traces = []
    for (axis, bright), dots in parts.items():
        looks = [_look(dot, hue) for dot, hue, _ in dots]
        emphasis = {"marker": {"opacity": 1.0 if bright else 0.3}}
        emphasis["textfont"] = {"color": colours.text if bright else colours.muted}
        edges = {"width": 1.5 if dots[0][0].label else 1, "color": [edge for _, edge in looks]}
        marker = {"size": [dot.size for dot, *_ in dots], "color": [fill for fill, _ in looks], "line": edges}
        # As a dict, since plotly would check thousands of points twice in an object of its own.
        trace = {
            "x": [moment(dot.x) if axis == "x" else dot.x for dot, *_ in dots],
            "y": [line + dot.y for dot, _, line in dots],
            "marker": marker | emphasis["marker"],
            "text": [theme.hover(dot.label) for dot, *_ in dots],
            "textfont": {"size": 9 * unit, **emphasis["textfont"]},
            "customdata": [lanes[dot.lane].group for dot, *_ in dots],
            "hovertext": [_said(dot) for dot, *_ in dots],
            # The page draws its own emphasis: Plotly's would fade marks of a new selection.
            **{"selected": emphasis, "unselected": emphasis},
        }
        usual = {"type": "scatter", "mode": "markers+text", "hoverinfo": "text", "showlegend": False}
        traces.append(trace | usual | {"xaxis": axis})
    share, clear = across / (across + placed.right), "rgba(0,0,0,0)"
    letters = {"color": colours.text, "size": 13 * unit}
    dated = {"gridcolor": colours.grid, "showgrid": True, "zeroline": False, "side": "top"}
    dated |= {"tickfont": {"color": colours.muted}, "visible": any(axis == "x" for axis, _ in parts)}
    dated |= {"range": [moment(placed.left), moment(placed.left + across)], "domain": [0, share]}
    undated = {"range": [width - placed.right, width], "domain": [min(share, 0.99), 1]}
    top = TOOLBAR_PIXELS + AXIS_PIXELS
    margin = {"l": placed.left, "r": 0, "t": top, "b": placed.height - placed.foot, "autoexpand": False}
    return go.Figure(traces).update_layout(
        **{"shapes": shapes, "annotations": notes, "height": top + placed.height, "margin": margin},
        **{"paper_bgcolor": clear, "plot_bgcolor": clear, "font": letters, "uirevision": "keep"},
        hoverlabel={"bgcolor": colours.paper, "font": letters, "align": "left"},
        modebar={"bgcolor": clear, "color": colours.muted, "activecolor": colours.text},
        dragmode="select" if placed.left else False,  # a finger moves the page
        **{"clickmode": "event+select", "selectdirection": "h", "xaxis": dated},
        xaxis2={"visible": False, "fixedrange": True, **undated},
        yaxis={"visible": False, "range": [placed.foot, 0], "fixedrange": True},
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


def swimlane_chart(
    lanes: Sequence[Lane], *, selected: Collection[int], width: float = WIDE
) -> alt.LayerChart:
    colours = theme.ink()
    placed, rules, marks, words = _drawing(lanes, selected, width)
    x, y = hidden_axis(0, width, "x", alt.X), hidden_axis(placed.height, 0, "y", alt.Y)
    rows, letters = [], []
    marks += [(dot, colours.muted, True, line) for dot, line, _ in placed.key]
    for dot, hue, bright, line in marks:
        fill, edge = _look(dot, hue)
        place = {"x": dot.x, "y": line}
        look = {"size": dot.size**2, "hue": fill, "edge": edge, "faded": 1.0 if bright else 0.3, "dy": dot.y}
        rows.append({"Headline": dot.marks[0].headline, "Reports": len(dot.marks), **place, **look})
        letters.append({"text": dot.label, "dy": dot.y + 0.5, **place})
    notes, heads = [], []  # heads stand beside the axis, aligned right since Vega thinks them wider
    for text, hue, size, at, line in words:
        if line < 0:
            heads.append(label_row(text, hue, size, up=28, x=width - 8, y=0))
        else:
            notes.append(label_row(isolated(text), hue, size, x=at, y=line))
    ends = [alt.expr(f"{share:g} * width") for share in (placed.left / width, 1 - placed.right / width)]
    time = alt.Scale(type="utc", nice=False, domain=[1000 * end for end in placed.span], range=ends)
    few, days = max(2, int((width - placed.left) // 110)), dict.fromkeys(("week", "date", "day"), "%-d %b")
    looks = {"format": days | {"hours": "%H:%M", "minutes": "%H:%M"}, "labelExpr": _FIRST, "labelPadding": 17}
    axis = alt.Axis(orient="top", tickCount=few, labelOverlap=True, **looks)
    dates = alt.Chart(unlisted_data("dates", [{"time": 1000 * end} for end in placed.span]))
    faded, drop = alt.Opacity("faded:Q", scale=None), alt.expr("datum.dy")
    fill, edge = alt.Fill("hue:N", scale=None), alt.Stroke("edge:N", scale=None)
    lines = alt.Chart(unlisted_data("lines", rules)).mark_rule(strokeWidth=1.5)
    dots = alt.Chart(alt.InlineData(values=rows)).mark_point(filled=True, strokeWidth=1.5, yOffset=drop)
    names = alt.Chart(unlisted_data("letters", letters)).mark_text(fontSize=9, color=colours.text, dy=drop)
    drawn = alt.layer(
        dates.mark_point(opacity=0).encode(x=alt.X("time:T", title=None, scale=time, axis=axis)),
        lines.encode(x=x, x2="x2", y=y, color=alt.Color("hue:N", scale=None), opacity=faded),
        dots.encode(x=x, y=y, fill=fill, stroke=edge, opacity=faded, size=alt.Size("size:Q", scale=None)),
        names.encode(x=x, y=y, text="text:N"),
        label_layer("words", notes, x=x, y=y, size=13, align="left", clip=True),
        label_layer("heads", heads, x=x, y=y, size=13, align="right"),
    )
    least = {"least": placed.height + AXIS_PIXELS}
    return drawn.resolve_scale(x="independent").properties(height=placed.height, usermeta=least)
