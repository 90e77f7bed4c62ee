"""The swimlane: a lane for each group on a time axis, marks sized by publishers."""

from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from textwrap import wrap
from typing import Any, Final

import altair as alt
import pandas as pd
import plotly.graph_objects as go

from components.charts import theme
from components.markdown import shorten
from components.page_state import is_large
from core.events.lanes import Lane, Mark
from core.palette import ADDED, AGAINST, AGREES, group_colour
from core.results.chart import isolated
from core.results.render import count_words

LANE_PIXELS = 52
LEAST_LANE = 38  # of a lane with its title, where the picture is published
TOOLBAR_PIXELS = 26  # above the axis, so that the buttons hide no date
DATED = 0.9  # share of the width for marks with a date where others have none; theirs stand right of it


def swimlane_figure(lanes: Sequence[Lane], *, selected: Collection[int]) -> go.Figure:
    colours, dark = theme.ink(), theme.is_dark()
    # Added one by one, plotly would check all earlier ones again each time.
    traces: list[go.Scatter] = []
    shapes: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    most = max((mark.publishers for lane in lanes for mark in lane.marks), default=1)

    def write(text: str, colour: str, x: int, y: float, **place: Any) -> None:
        look = {"showarrow": False, "font": {"size": 12, "color": colour}}
        annotations.append({"x": x, "xref": "paper", "y": y, "text": text, **look, **place})

    for place, lane in enumerate(lanes):
        bright = not selected or lane.group in selected
        ends = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": place, "y1": place}
        line = {"color": colours.lane, "width": 12}
        shapes.append({"type": "line", **ends, "line": line, "layer": "below"})
        dated = [mark for mark in lane.marks if mark.time is not None]
        undated = [mark for mark in lane.marks if mark.time is None]
        for marks, axis, symbol in ((dated, "x", "circle"), (undated, "x2", "diamond")):
            if not marks:
                continue
            traces.append(
                go.Scatter(
                    x=[mark.time or 0 for mark in marks],
                    y=[place] * len(marks),
                    xaxis=axis,
                    mode="markers",
                    marker={
                        "symbol": symbol,
                        "size": [7 + 19 * (mark.publishers / most) ** 0.5 for mark in marks],
                        "color": group_colour(lane.group, dark=dark),
                        "line": {"width": 1.5, "color": colours.paper},
                        "opacity": 1.0 if bright else 0.3,
                    },
                    customdata=[lane.group] * len(marks),
                    hovertext=[_said(mark) for mark in marks],
                    hoverinfo="text",
                    showlegend=False,
                    # The page draws its own emphasis: Plotly's would fade marks of a new selection.
                    selected={"marker": {"opacity": 1.0}},
                    unselected={"marker": {"opacity": 1.0 if bright else 0.3}},
                )
            )
        title = f"<b>{lane.group}</b>  {theme.hover(lane.title, 56)}"
        write(title, colours.text if bright else colours.muted, 0, place, xanchor="left", yshift=22)
    columns = {trace.xaxis for trace in traces}
    if "x2" in columns:
        write("undated", colours.muted, 1, len(lanes) - 0.5, xanchor="right", yanchor="bottom")
    return theme.calm(
        go.Figure(traces),
        shapes=shapes,
        annotations=annotations,
        height=TOOLBAR_PIXELS + 70 + LANE_PIXELS * max(len(lanes), 2),
        xaxis={
            "gridcolor": colours.grid,
            "zeroline": False,
            "side": "top",
            "tickfont": {"color": colours.muted},
            "visible": "x" in columns,
            "domain": [0, DATED if "x2" in columns else 1],
        },
        xaxis2={"visible": False, "domain": [DATED, 1], "fixedrange": True},
        yaxis={"visible": False, "range": [len(lanes) - 0.5, -0.75], "fixedrange": True},
        margin={"l": 8, "r": 8, "t": 44 + TOOLBAR_PIXELS, "b": 8},
    )


def _said(mark: Mark) -> str:
    outlets = count_words(mark.publishers, "outlet", "outlets")
    about = f"{mark.when} · {count_words(mark.headlines, 'headline', 'headlines')} · {outlets}"
    return f"{theme.hover(mark.headline)}<br><i>{about}</i>"


def swimlane_chart(lanes: Sequence[Lane], *, selected: Collection[int]) -> alt.LayerChart:
    colours, dark = theme.ink(), theme.is_dark()
    most = max((mark.publishers for lane in lanes for mark in lane.marks), default=1)
    found, titles = [], []
    for place, lane in enumerate(lanes):
        bright = not selected or lane.group in selected
        look = {"colour": group_colour(lane.group, dark=dark), "opacity": 1.0 if bright else 0.3}
        for mark in lane.marks:
            time = None if mark.time is None else mark.time.isoformat()
            size = 0.79 * (7 + 19 * (mark.publishers / most) ** 0.5) ** 2
            found.append({"lane": place, "time": time, "Headline": mark.headline, "size": size, **look})
        title, colour = f"{lane.group}  {shorten(lane.title, 56)}", colours.text if bright else colours.muted
        titles.append(theme.note(title, colour, 12, up=22, lane=place))
    marks = pd.DataFrame(found)
    undated = marks["time"].isna()
    share = DATED if undated.any() else 1.0
    y = alt.Y("lane:Q", scale=alt.Scale(domain=[len(lanes) - 0.5, -0.75], nice=False), axis=None)
    x = alt.X(
        "time:T",
        title=None,
        axis=alt.Axis(orient="top"),
        scale=alt.Scale(type="utc", nice=False, padding=14, range=[0, alt.expr(f"{share:g} * width")]),
    )
    behind = theme.aside("lanes", [{"lane": place} for place in range(len(lanes))])
    layers: list[Any] = [alt.Chart(behind).mark_rule(strokeWidth=12, color=colours.lane).encode(y=y)]
    look = {"filled": True, "stroke": colours.paper, "strokeWidth": 1.5}
    aside_of = theme.across((1 + DATED) / 2)
    for rows, place, shape in ((marks[~undated], x, "circle"), (marks[undated], aside_of, "diamond")):
        if len(rows):
            layers.append(
                alt.Chart(theme.inline(rows))
                .mark_point(shape=shape, **look)
                .encode(
                    x=place,
                    y=y,
                    color=alt.Color("colour:N", scale=None),
                    size=alt.Size("size:Q", scale=None),
                    opacity=alt.Opacity("opacity:Q", scale=None),
                )
            )
    layers.append(theme.notes("titles", titles, x=theme.across(0), y=y, size=12, align="left"))
    if undated.any():
        head = [theme.note("undated", colours.muted, 12, up=8, lane=-0.75)]
        layers.append(theme.notes("undated", head, x=theme.across(1), y=y, size=12, align="right"))
    return alt.layer(*layers).properties(height=300)


PLACES: Final = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))  # the headline that both links share stands on top
SIDES: Final = ((0, 1), (0, 2), (1, 2))  # the shared headline with the second, with the third, and these two
ANSWERS: Final = ("different", "same event")  # what a model says of two headlines, by whether it links them


def triangle_chart(
    texts: Sequence[str], dates: Sequence[str], scores: Sequence[float], links: Sequence[bool]
) -> alt.LayerChart:
    colours, large = theme.ink(), is_large()
    letters = theme.LARGE_PIXELS if large else 15
    x, y = theme.between(-0.42, 1.42, "x", alt.X), theme.between(-0.45, 1.45 if large else 1.4, "y", alt.Y)
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
        label = _label(name, text, date)
        away = 20 + (label.count("\n") + 1) * theme.LINE_HEIGHT * size / 2
        labels.append(theme.note(label, colours.text, size, up=away if place["y"] else -away, **place))
    drawn = alt.layer(
        lines,
        dots,
        theme.notes("scores", words, x=x, y=y, size=letters, fontWeight=600),
        theme.notes("headlines", labels, x=x, y=y, size=size),
    )
    return theme.readable(drawn.properties(height=470 if large else 400))


def _label(name: str, text: str, date: str) -> str:
    # Large letters leave space for fewer lines, so these are longer.
    length, most = (32, 3) if is_large() else (26, 4)
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
        panels.append(_panel("On the validation part", curves, last, alt.Scale(domain=[0, 1.02]), "Step"))
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
    legend = {"orient": "bottom", "symbolType": "stroke"}
    dashes = {name: dash for (name, *_), dash in zip(shown, cycle(dashes_of), strict=False)}
    head = alt.TitleParams(title, anchor="start", fontSize=13, color=theme.ink().text)
    return (
        alt.Chart(data, title=head)
        .mark_line(point=not losses)
        .encode(
            x=alt.X("Step:Q", title=across or None, scale=alt.Scale(domain=[0, last * 1.01], nice=False)),
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
