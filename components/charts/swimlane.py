"""The swimlane: a lane for each event on a time axis, a mark for each report; and other drawings."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import cycle
from textwrap import wrap
from typing import Any, Final, NamedTuple

import altair as alt
import pandas as pd
import plotly.graph_objects as go

from components.charts import theme
from components.page_state import is_large
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


class Layout(NamedTuple):
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


def layout(lanes: Sequence[Lane], width: float) -> Layout:
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
        titles.append(
            (up + 5 + high / 2 if narrow else (up - down) / 2, "\n".join(words).replace(" ", "\u2002", 1))
        )
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
    return Layout(left, right, top, round(y + LARGEST * unit / 2 + 4), span, lines, titles, dots, key)


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
    """An example of each kind of mark, by what it means."""
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


def swimlane_figure(lanes: Sequence[Lane], *, selected: Collection[int], width: float = WIDE) -> go.Figure:
    colours, dark, placed, unit = theme.ink(), theme.is_dark(), layout(lanes, width), _unit()
    across = max(width - placed.left - placed.right, 1)
    shapes: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []

    def moment(x: float) -> str:
        seconds = placed.span[0] + (x - placed.left) / across * (placed.span[1] - placed.span[0])
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"

    def write(text: str, colour: str, y: float, size: float, **place: Any) -> None:
        look = {"showarrow": False, "font": {"size": size * unit, "color": colour}, "bgcolor": colours.paper}
        place = {"x": 0, "xref": "paper", "xanchor": "left", "yanchor": "middle", "align": "left", **place}
        annotations.append({"y": y, "text": text, **look, **place})

    hues = [group_colour(lane.group, dark=dark) for lane in lanes]
    bright = [not selected or lane.group in selected for lane in lanes]
    for at, (lane, y, (up, words)) in enumerate(zip(lanes, placed.lines, placed.titles, strict=True)):
        lines = words.removeprefix(f"{lane.group}\u2002").split("\n")
        text = "<br>".join(isolated(theme.hover(line, len(line))) for line in lines)
        colour = colours.text if bright[at] else colours.muted
        write(f"<b>{lane.group}</b>\u2002{text}", colour, y - up, 13, xshift=-placed.left)
        times = [f"{mark.time:%Y-%m-%d %H:%M:%S}" for mark in lane.marks if mark.time is not None]
        if len(times) > 1:
            ends = {"x0": times[0], "x1": times[-1], "y0": y, "y1": y, "opacity": 0.6 if bright[at] else 0.2}
            line = {"color": hues[at], "width": 1.5}
            shapes.append({"type": "line", **ends, "line": line, "layer": "below"})
    for dot, y, said in placed.key:
        fill, edge = _look(dot, colours.muted)
        middle, half = dot.x - placed.left, dot.size / 2
        below = placed.foot - y
        ends = {"x0": middle - half, "x1": middle + half, "y0": below - half, "y1": below + half}
        pixels = {"xref": "paper", "xanchor": 0, "xsizemode": "pixel"}
        pixels |= {"yref": "paper", "yanchor": 0, "ysizemode": "pixel"}
        look = {"fillcolor": fill, "line": {"color": edge, "width": 1.5}}
        look["label"] = {"text": dot.label, "font": {"size": 9 * unit, "color": colours.text}}
        shapes.append({"type": "circle", **ends, **pixels, **look})
        write(said, colours.muted, 0, 12, xshift=middle + half + 6, yref="paper", yshift=below)
    if placed.right:
        aside = {"xanchor": "center", "xshift": -placed.right / 2, "yanchor": "bottom"}
        write("no date", colours.muted, 0, 12, x=1, **aside)
    parts: dict[tuple[str, bool], list[Dot]] = {}
    for dot in placed.dots:
        axis = "x2" if dot.marks[0].time is None else "x"
        parts.setdefault((axis, bright[dot.lane]), []).append(dot)
    traces = []
    for (axis, shown), dots in parts.items():
        looks = [_look(dot, hues[dot.lane]) for dot in dots]
        emphasis = {"marker": {"opacity": 1.0 if shown else 0.3}}
        emphasis["textfont"] = {"color": colours.text if shown else colours.muted}
        # As a dict, since plotly would check thousands of points twice in an object of its own.
        trace = {
            "type": "scatter",
            "x": [moment(dot.x) if axis == "x" else dot.x for dot in dots],
            "y": [placed.lines[dot.lane] + dot.y for dot in dots],
            "xaxis": axis,
            "mode": "markers+text",
            "marker": {
                "size": [dot.size for dot in dots],
                "color": [fill for fill, _ in looks],
                "line": {"width": 1.5 if dots[0].label else 1, "color": [edge for _, edge in looks]},
                **emphasis["marker"],
            },
            "text": [theme.hover(dot.label) for dot in dots],
            "textfont": {"size": 9 * unit, **emphasis["textfont"]},
            "customdata": [lanes[dot.lane].group for dot in dots],
            "hovertext": [_said(dot) for dot in dots],
            "hoverinfo": "text",
            "showlegend": False,
            # The page draws its own emphasis: Plotly's would fade marks of a new selection.
            "selected": emphasis,
            "unselected": emphasis,
        }
        traces.append(trace)
    share = across / (across + placed.right)
    dated = {
        "gridcolor": colours.grid,
        "showgrid": True,
        "zeroline": False,
        "side": "top",
        "tickfont": {"color": colours.muted},
        "visible": any(axis == "x" for axis, _ in parts),
        "range": [moment(placed.left), moment(placed.left + across)],
        "domain": [0, share],
    }
    ends = {"range": [width - placed.right, width], "domain": [min(share, 0.99), 1]}
    return theme.calm(
        go.Figure(traces),
        shapes=shapes,
        annotations=annotations,
        height=TOOLBAR_PIXELS + AXIS_PIXELS + placed.height,
        selectdirection="h",
        xaxis=dated,
        xaxis2={"visible": False, "fixedrange": True, **ends},
        yaxis={"visible": False, "range": [placed.foot, 0], "fixedrange": True},
        margin={
            **{"l": placed.left, "r": 0, "t": TOOLBAR_PIXELS + AXIS_PIXELS, "autoexpand": False},
            "b": placed.height - placed.foot,
        },
    ).update_layout(dragmode="select" if placed.left else False)  # a finger moves the page


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
    colours, dark, placed = theme.ink(), theme.is_dark(), layout(lanes, width)
    x, y = (
        channel(name, scale=alt.Scale(domain=ends, nice=False, zero=False), axis=None)
        for channel, name, ends in ((alt.X, "x:Q", [0, width]), (alt.Y, "y:Q", [placed.height, 0]))
    )
    marks, letters, lines, words = [], [], [], []
    for at, (lane, (up, title)) in enumerate(zip(lanes, placed.titles, strict=True)):
        bright = not selected or lane.group in selected
        hue, place = group_colour(lane.group, dark=dark), {"y": placed.lines[at]}
        dots = [dot for dot in placed.dots if dot.lane == at]
        marks += [(dot, hue, 1.0 if bright else 0.3, placed.lines[at]) for dot in dots]
        ends = [dot.x for dot in dots if dot.marks[0].time is not None]
        faded = 0.6 if bright else 0.2
        lines.append(
            {**place, "x": min(ends, default=0), "x2": max(ends, default=0), "hue": hue, "faded": faded}
        )
        colour = colours.text if bright else colours.muted
        words.append(theme.note(isolated(title), colour, 13, up=up, x=0, **place))
    for dot, line, said in placed.key:
        marks.append((dot, colours.muted, 1.0, line))
        right = dot.size / 2 + 6
        words.append(theme.note(said, colours.muted, 12, x=dot.x, y=line, right=right))
    rows = []
    for dot, hue, faded, line in marks:
        fill, edge = _look(dot, hue)
        place = {"x": dot.x, "y": line}
        look = {"size": dot.size**2, "hue": fill, "edge": edge, "faded": faded, "dy": dot.y}
        rows.append({"Headline": dot.marks[0].headline, "Reports": len(dot.marks), **place, **look})
        letters.append({"text": dot.label, "dy": dot.y + 0.5, **place})
    if placed.right:
        words.append(theme.note("no date", colours.muted, 12, up=14, x=width - placed.right / 2 - 20, y=0))
    time = alt.Scale(
        type="utc",
        nice=False,
        domain=[1000 * end for end in placed.span],
        range=[alt.expr(f"{share:g} * width") for share in (placed.left / width, 1 - placed.right / width)],
    )
    clock = {"hours": "%H:%M", "minutes": "%H:%M"}
    few = max(2, int((width - placed.left) // 110))
    axis = alt.Axis(orient="top", tickCount=few, labelOverlap=True, format=clock)
    dates = alt.Chart(theme.aside("dates", [{"time": 1000 * end} for end in placed.span]))
    look = {"color": alt.Color("hue:N", scale=None), "opacity": alt.Opacity("faded:Q", scale=None)}
    drawn = alt.Chart(alt.InlineData(values=rows)).mark_point(
        filled=True, strokeWidth=1.5, yOffset=alt.expr("datum.dy")
    )
    return (
        alt.layer(
            dates.mark_point(opacity=0).encode(x=alt.X("time:T", title=None, scale=time, axis=axis)),
            alt.Chart(theme.aside("lines", lines))
            .mark_rule(strokeWidth=1.5)
            .encode(x=x, x2="x2", y=y, **look),
            drawn.encode(
                x=x,
                y=y,
                fill=alt.Fill("hue:N", scale=None),
                stroke=alt.Stroke("edge:N", scale=None),
                opacity=look["opacity"],
                size=alt.Size("size:Q", scale=None),
            ),
            alt.Chart(theme.aside("letters", letters))
            .mark_text(fontSize=9, color=colours.text, dy=alt.expr("datum.dy"))
            .encode(x=x, y=y, text="text:N"),
            theme.notes("words", words, x=x, y=y, size=13, align="left", clip=True),
        )
        .resolve_scale(x="independent")
        .properties(height=placed.height, usermeta={"least": placed.height + AXIS_PIXELS})
    )


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
    lines = (
        alt.Chart(pd.DataFrame(sides))
        .mark_rule()
        .encode(
            x=x,
            y=y,
            x2="x2:Q",
            y2="y2:Q",
            color=theme.named(looks, "Answer", orient="bottom", symbolType="stroke"),
            strokeDash=alt.condition(together, alt.value([1, 0]), alt.value([2, 3])),
            strokeWidth=alt.condition(together, alt.value(5), alt.value(2)),
        )
    )
    places = [dict(zip("xy", place, strict=True)) for place in PLACES]
    corners = pd.DataFrame(places).assign(Name=list("ABC"), Headline=list(texts), Date=list(dates))
    dots = (
        alt.Chart(corners)
        .mark_circle(size=200, color=colours.text, stroke=colours.paper, strokeWidth=2, opacity=1)
        .encode(x=x, y=y, tooltip=["Headline", "Date"])
    )
    size = theme.LARGE_PIXELS if large else 13
    labels = []
    for name, text, date, place in zip("ABC", texts, dates, places, strict=True):
        label = _label(name, text, date, wide=place["y"] > 0)
        away = 20 + (label.count("\n") + 1) * theme.LINE_HEIGHT * size / 2
        labels.append(theme.note(label, colours.text, size, up=away if place["y"] else -away, **place))
    drawn = alt.layer(
        lines,
        dots,
        theme.notes("scores", words, x=x, y=y, size=letters, fontWeight=600),
        theme.notes("headlines", labels, x=x, y=y, size=size),
    )
    return theme.readable(drawn.properties(height=470 if large else 360))


def _label(name: str, text: str, date: str, *, wide: bool) -> str:
    # Large letters leave space for fewer lines, so these are longer; nothing stands beside the top one.
    length, most = (32, 3) if is_large() else (46, 2) if wide else (26, 4)
    lines = wrap(f"{name}  {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)


SMOOTHED = 20  # lines that the smoothed loss is the mean of
_DASHES: Final = ([1, 0], [2, 3], [7, 4], [8, 3, 2, 3], [11, 4])
_UNBOUNDED: Final = frozenset({"loss", "perplexity", "threshold"})
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


def training_chart(lines: Sequence[Mapping[str, Any]]) -> alt.VConcatChart:
    """The curves of the lines of progress.jsonl; one panel until something was validated."""
    validated = [line for line in lines if "validation" in line]
    measures = [name for name in (validated[0]["validation"] if validated else ()) if name not in _UNBOUNDED]
    losses = pd.DataFrame([(line["step"], line["loss"]) for line in lines if "loss" in line])
    last = next(line["steps"] for line in reversed(lines) if "loss" in line)
    steps = losses[0].tolist()
    accent, quiet = theme.meaning(AGREES), theme.ink().muted
    curves = [
        ("Loss", quiet, 1.0, steps, losses[1].tolist()),
        (f"Mean of the last {SMOOTHED}", accent, 2.0, steps, losses[1].rolling(SMOOTHED, 1).mean().tolist()),
    ]
    at = [line["step"] for line in validated]
    if validated and not measures:
        values = [line["validation"].get("loss") for line in validated]
        curves.append(("Validation loss", quiet, 1.5, at, values))
    panels = [_panel("Loss in training", curves, last, alt.Scale(zero=True), "" if measures else "Step")]
    if measures:
        curves = []
        for name in measures:
            hue, width = (quiet, 1.2) if curves else (theme.meaning(ADDED), 2.0)
            values = [one["validation"].get(name) for one in validated]
            title = measure_title(name)
            curves.append((title[0].upper() + title[1:], hue, width, at, values))
        known = [value for *_, values in curves for value in values if value is not None]
        low = math.floor(10 * min(known, default=0)) / 10
        scale = alt.Scale(domain=[low, max(low + 0.1, math.ceil(10 * max(known, default=1)) / 10)])
        panels.append(_panel("On the validation part", curves, last, scale, "Step"))
    return theme.readable(alt.vconcat(*panels).resolve_scale(color="independent", strokeDash="independent"))


def _panel(title: str, curves: Sequence[Any], last: int, scale: alt.Scale, across: str) -> alt.Chart:
    # The two curves of the loss are told apart by their width.
    losses = title == "Loss in training"
    curve = "Curve" if losses else "Measure"
    dashes_of = ([1, 0], [1, 0], [2, 3]) if losses else _DASHES
    points = [
        (name, step, value, width)
        for name, _, width, steps, values in curves
        for step, value in zip(steps, values, strict=True)
    ]
    data = theme.inline(pd.DataFrame(points, columns=[curve, "Step", "Value", "width"]))
    shown = [curve for curve in curves if any(value is not None for value in curve[4])]
    legend = {"orient": "top", "symbolType": "stroke", "columns": 3}
    dashes = {name: dash for (name, *_), dash in zip(shown, cycle(dashes_of), strict=False)}
    head = alt.TitleParams(title, anchor="start", fontSize=13, color=theme.ink().text)
    return (
        alt.Chart(data, title=head)
        .mark_line(point=not losses)
        .encode(
            x=alt.X(
                "Step:Q",
                title=across or None,
                scale=alt.Scale(domain=[0, last * 1.01], nice=False),
                axis=alt.Axis(labels=bool(across)),
            ),
            y=alt.Y("Value:Q", title=None, scale=scale),
            color=theme.named({name: colour for name, colour, *_ in shown}, curve, **legend),
            strokeDash=theme.named(dashes, curve, of=alt.StrokeDash, **legend),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            tooltip=[f"{curve}:N", "Step:Q", alt.Tooltip("Value:Q", format=".3f")],
        )
        .properties(height=150)
    )


def measure_title(name: str) -> str:
    words = {"f1": "F1", "rouge_mean": "mean ROUGE"}
    return words.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))
