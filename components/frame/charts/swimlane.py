"""The swimlane: a lane for each event on a time axis, a mark for each report; and other drawings."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import cycle
from textwrap import wrap
from typing import Any, Final, NamedTuple

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from components.frame.charts import theme
from components.frame.page_state import is_large
from core.events.lanes import Lane, Mark, initials
from core.palette import ADDED, AGAINST, AGREES, group_colour
from core.results.chart import broken, isolated
from core.results.render import count_words

WIDE = 1232.0  # pixels of a picture whose width is not known yet
NARROW = 600  # pixels up to which titles stand above their reports, else left of them
EDGE, MARGIN = 24, 64  # pixels beyond both ends of time, and of reports without a date
TOOLBAR_PIXELS, AXIS_PIXELS = 26, 40  # buttons above the axis, so that they hide no date
LETTERED, PLAIN, LARGEST = 23, 10, 44  # diameters of a report with initials, among many, of most together
STACKED: Final = {LETTERED: 4, PLAIN: 9}  # how many of a diameter stand above each other at most
APART = 36  # pixels from the middle of reports that share a mark to the next, where more would stand


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
        high = len(words) * theme.LINE_HEIGHT * letter
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
        marks += [(dot, hue, bright, line) for dot in dots]
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


_FIRST: Final = """datum.index > 0 || test(/^[0-9]{4}$/, datum.label) ? datum.label
    : [datum.label, utcFormat(datum.value, test(/:/, datum.label) ? '%-d %b %Y' : '%Y')]"""
"""Below the first label of the axis, its year, or its day where it is an hour."""


def swimlane_chart(
    lanes: Sequence[Lane], *, selected: Collection[int], width: float = WIDE
) -> alt.LayerChart:
    colours = theme.ink()
    placed, rules, marks, words = _drawing(lanes, selected, width)
    x, y = theme.between(0, width, "x", alt.X), theme.between(placed.height, 0, "y", alt.Y)
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
            heads.append(theme.note(text, hue, size, up=28, x=width - 8, y=0))
        else:
            notes.append(theme.note(isolated(text), hue, size, x=at, y=line))
    ends = [alt.expr(f"{share:g} * width") for share in (placed.left / width, 1 - placed.right / width)]
    time = alt.Scale(type="utc", nice=False, domain=[1000 * end for end in placed.span], range=ends)
    few, days = max(2, int((width - placed.left) // 110)), dict.fromkeys(("week", "date", "day"), "%-d %b")
    looks = {"format": days | {"hours": "%H:%M", "minutes": "%H:%M"}, "labelExpr": _FIRST, "labelPadding": 17}
    axis = alt.Axis(orient="top", tickCount=few, labelOverlap=True, **looks)
    dates = alt.Chart(theme.aside("dates", [{"time": 1000 * end} for end in placed.span]))
    faded, drop = alt.Opacity("faded:Q", scale=None), alt.expr("datum.dy")
    fill, edge = alt.Fill("hue:N", scale=None), alt.Stroke("edge:N", scale=None)
    lines = alt.Chart(theme.aside("lines", rules)).mark_rule(strokeWidth=1.5)
    dots = alt.Chart(alt.InlineData(values=rows)).mark_point(filled=True, strokeWidth=1.5, yOffset=drop)
    names = alt.Chart(theme.aside("letters", letters)).mark_text(fontSize=9, color=colours.text, dy=drop)
    drawn = alt.layer(
        dates.mark_point(opacity=0).encode(x=alt.X("time:T", title=None, scale=time, axis=axis)),
        lines.encode(x=x, x2="x2", y=y, color=alt.Color("hue:N", scale=None), opacity=faded),
        dots.encode(x=x, y=y, fill=fill, stroke=edge, opacity=faded, size=alt.Size("size:Q", scale=None)),
        names.encode(x=x, y=y, text="text:N"),
        theme.notes("words", notes, x=x, y=y, size=13, align="left", clip=True),
        theme.notes("heads", heads, x=x, y=y, size=13, align="right"),
    )
    least = {"least": placed.height + AXIS_PIXELS}
    return drawn.resolve_scale(x="independent").properties(height=placed.height, usermeta=least)


PLACES: Final = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))  # the headline that both links share stands on top
SIDES: Final = ((0, 1), (0, 2), (1, 2))  # the shared headline with the second, with the third, and these two
ANSWERS: Final = ("different", "same event")  # what a model says of two headlines, by whether it links them


def triangle_chart(
    texts: Sequence[str], dates: Sequence[str], scores: Sequence[float], links: Sequence[bool]
) -> alt.LayerChart:
    colours, large = theme.ink(), is_large()
    letters = theme.LARGE_PIXELS if large else 15
    x, y = theme.between(-0.42, 1.42, "x", alt.X), theme.between(-0.5, 1.45 if large else 1.32, "y", alt.Y)
    looks = {ANSWERS[link]: theme.meaning(AGREES if link else AGAINST) for link in links}
    sides, words = [], []
    for (start, end), score, link in zip(SIDES, scores, links, strict=True):
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        pair, ends = f"{'ABC'[start]} and {'ABC'[end]}", {"x": x0, "y": y0, "x2": x1, "y2": y1}
        sides.append({"Pair": pair, "Answer": ANSWERS[link], "Score": score, **ends})
        said = f"{score:.2f} {'=' if link else '≠'}"
        words.append(theme.note(said, looks[ANSWERS[link]], letters, x=(x0 + x1) / 2, y=(y0 + y1) / 2))
    together = alt.datum.Answer == ANSWERS[True]
    lines = alt.Chart(pd.DataFrame(sides)).mark_rule()
    lines = lines.encode(
        **{"x": x, "y": y, "x2": "x2:Q", "y2": "y2:Q"},
        color=theme.named(looks, "Answer", orient="bottom", symbolType="stroke"),
        strokeDash=alt.condition(together, alt.value([1, 0]), alt.value([2, 3])),
        strokeWidth=alt.condition(together, alt.value(5), alt.value(2)),
    )
    places = [dict(zip("xy", place, strict=True)) for place in PLACES]
    corners = pd.DataFrame(places).assign(Name=list("ABC"), Headline=list(texts), Date=list(dates))
    look = {"color": colours.text, "stroke": colours.paper, "strokeWidth": 2, "opacity": 1}
    dots = alt.Chart(corners).mark_circle(size=200, **look)
    size = theme.LARGE_PIXELS if large else 13
    labels = []
    for name, text, date, place in zip("ABC", texts, dates, places, strict=True):
        label = _label(name, text, date, wide=place["y"] > 0)
        away = 20 + (label.count("\n") + 1) * theme.LINE_HEIGHT * size / 2
        labels.append(theme.note(label, colours.text, size, up=away if place["y"] else -away, **place))
    drawn = alt.layer(
        lines,
        dots.encode(x=x, y=y, tooltip=["Headline", "Date"]),
        theme.notes("scores", words, x=x, y=y, size=letters, fontWeight=600),
        theme.notes("headlines", labels, x=x, y=y, size=size),
    )
    return drawn.properties(height=470 if large else 360)


def _label(name: str, text: str, date: str, *, wide: bool) -> str:
    # Large letters leave space for fewer lines, so these are longer; nothing stands beside the top one.
    length, most = (32, 3) if is_large() else (46, 2) if wide else (26, 4)
    lines = wrap(f"{name}: {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)


SMOOTHED = 20  # lines that the smoothed loss is the mean of
_DASHES: Final = ([1, 0], [2, 3], [7, 4], [8, 3, 2, 3], [11, 4])
_UNBOUNDED: Final = frozenset({"loss", "perplexity", "threshold"})
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


def training_chart(lines: Sequence[Mapping[str, Any]]) -> alt.VConcatChart:
    """The curves of the lines of progress.jsonl; one panel until something was validated."""
    table = pd.json_normalize(list(lines)).set_index("step")
    losses, checked = table.dropna(subset="loss"), table.filter(regex=r"^validation\.").dropna(how="all")
    checked = checked.rename(columns=lambda name: name.partition(".")[2]).apply(pd.to_numeric)
    loss, last = losses["loss"], int(losses["steps"].iloc[-1])
    measures = [name for name in checked if name not in _UNBOUNDED]
    accent, quiet = theme.meaning(AGREES), theme.ink().muted
    mean = loss.rolling(SMOOTHED, 1).mean()
    curves = {"Loss": (loss, quiet, 1.0), f"Mean of the last {SMOOTHED}": (mean, accent, 2.0)}
    if "loss" in checked and not measures:
        curves["Validation loss"] = (checked["loss"], quiet, 1.5)
    panels = [_panel("Loss in training", curves, last, alt.Scale(zero=True), "" if measures else "Step")]
    if measures:
        looks = [(theme.meaning(ADDED), 2.0), *[(quiet, 1.2)] * len(measures)]
        titles = map(measure_title, measures)
        named = zip(titles, measures, looks, strict=False)
        curves = {title[0].upper() + title[1:]: (checked[name], *look) for title, name, look in named}
        low = math.floor(10 * np.nan_to_num(checked[measures].min().min())) / 10
        high = math.ceil(10 * np.nan_to_num(checked[measures].max().max(), nan=1.0)) / 10
        scale = alt.Scale(domain=[low, max(low + 0.1, high)])
        panels.append(_panel("On the validation part", curves, last, scale, "Step"))
    return alt.vconcat(*panels).resolve_scale(color="independent", strokeDash="independent")


def _panel(
    title: str, curves: Mapping[str, tuple[pd.Series, str, float]], last: int, scale: alt.Scale, across: str
) -> alt.Chart:
    # The two curves of the loss are told apart by their width.
    losses = title == "Loss in training"
    curve, dashes_of = ("Curve", ([1, 0], [1, 0], [2, 3])) if losses else ("Measure", _DASHES)
    points = [
        pd.DataFrame({curve: name, "Step": values.index, "Value": values.to_numpy(), "width": width})
        for name, (values, _, width) in curves.items()
    ]
    data = theme.inline(pd.concat(points))
    shown = {name: hue for name, (values, hue, _) in curves.items() if values.notna().any()}
    legend = {"orient": "top", "symbolType": "stroke", "columns": 3}
    dashes = dict(zip(shown, cycle(dashes_of), strict=False))
    head = alt.TitleParams(title, anchor="start", fontSize=13, color=theme.ink().text)
    steps = {"scale": alt.Scale(domain=[0, last * 1.01], nice=False), "axis": alt.Axis(labels=bool(across))}
    drawn = alt.Chart(data, title=head).mark_line(point=not losses).properties(height=150)
    return drawn.encode(
        x=alt.X("Step:Q", title=across or None, **steps),
        y=alt.Y("Value:Q", title=None, scale=scale),
        color=theme.named(shown, curve, **legend),
        strokeDash=theme.named(dashes, curve, of=alt.StrokeDash, **legend),
        strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        tooltip=[f"{curve}:N", "Step:Q", alt.Tooltip("Value:Q", format=".3f")],
    )


def measure_title(name: str) -> str:
    words = {"f1": "F1", "rouge_mean": "mean ROUGE"}
    return words.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))
