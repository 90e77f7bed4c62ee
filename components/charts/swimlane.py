"""The swimlane: a lane for each group on a time axis, marks sized by publishers."""

from collections.abc import Collection, Sequence
from typing import Any

import altair as alt
import pandas as pd
import plotly.graph_objects as go

from components.charts.theme import across, aside, calm, hover, ink, inline, is_dark, note, notes
from components.markdown import shorten
from core.events.lanes import Lane
from core.palette import group_colour
from core.results.render import count_words

LANE_PIXELS = 52
LEAST_LANE = 38  # of a lane with its title, where the picture is published
TOOLBAR_PIXELS = 26  # above the axis, so that the buttons hide no date
DATED = 0.9  # share of the width for marks with a date where others have none; theirs stand right of it


def swimlane_figure(lanes: Sequence[Lane], *, selected: Collection[int]) -> go.Figure:
    colours, dark = ink(), is_dark()
    # Added one by one, plotly would check all earlier ones again each time.
    traces: list[go.Scatter] = []
    shapes: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    most = max((mark.publishers for lane in lanes for mark in lane.marks), default=1)
    for place, lane in enumerate(lanes):
        bright = not selected or lane.group in selected
        shapes.append(
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "yref": "y",
                "y0": place,
                "y1": place,
                "line": {"color": colours.lane, "width": 12},
                "layer": "below",
            }
        )
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
                    hovertext=[
                        f"{hover(mark.headline)}<br><i>{mark.when} · "
                        f"{count_words(mark.headlines, 'headline', 'headlines')} · "
                        f"{count_words(mark.publishers, 'outlet', 'outlets')}</i>"
                        for mark in marks
                    ],
                    hoverinfo="text",
                    showlegend=False,
                    # The page draws its own emphasis: Plotly's would fade marks of a new selection.
                    selected={"marker": {"opacity": 1.0}},
                    unselected={"marker": {"opacity": 1.0 if bright else 0.3}},
                )
            )
        annotations.append(
            {
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": place,
                "yshift": 22,
                "text": f"<b>{lane.group}</b>  {hover(lane.title, 56)}",
                "showarrow": False,
                "font": {"size": 12, "color": colours.text if bright else colours.muted},
            }
        )
    columns = {trace.xaxis for trace in traces}
    if "x2" in columns:
        annotations.append(
            {
                "x": 1,
                "xref": "paper",
                "xanchor": "right",
                "y": len(lanes) - 0.5,
                "yanchor": "bottom",
                "text": "undated",
                "showarrow": False,
                "font": {"size": 12, "color": colours.muted},
            }
        )
    return calm(
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


def swimlane_chart(lanes: Sequence[Lane], *, selected: Collection[int]) -> alt.LayerChart:
    colours, dark = ink(), is_dark()
    most = max((mark.publishers for lane in lanes for mark in lane.marks), default=1)
    marks = pd.DataFrame(
        [
            {
                "lane": place,
                "time": None if mark.time is None else mark.time.isoformat(),
                "Headline": mark.headline,
                "size": 0.79 * (7 + 19 * (mark.publishers / most) ** 0.5) ** 2,
                "colour": group_colour(lane.group, dark=dark),
                "opacity": 1.0 if not selected or lane.group in selected else 0.3,
            }
            for place, lane in enumerate(lanes)
            for mark in lane.marks
        ]
    )
    undated = marks["time"].isna()
    share = DATED if undated.any() else 1.0
    y = alt.Y("lane:Q", scale=alt.Scale(domain=[len(lanes) - 0.5, -0.75], nice=False), axis=None)
    x = alt.X(
        "time:T",
        title=None,
        axis=alt.Axis(orient="top"),
        scale=alt.Scale(type="utc", nice=False, padding=14, range=[0, alt.expr(f"{share:g} * width")]),
    )
    behind = aside("lanes", [{"lane": place} for place in range(len(lanes))])
    layers: list[Any] = [alt.Chart(behind).mark_rule(strokeWidth=12, color=colours.lane).encode(y=y)]
    look = {"filled": True, "stroke": colours.paper, "strokeWidth": 1.5}
    for rows, place, shape in (
        (marks[~undated], x, "circle"),
        (marks[undated], across((1 + DATED) / 2), "diamond"),
    ):
        if len(rows):
            layers.append(
                alt.Chart(inline(rows))
                .mark_point(shape=shape, **look)
                .encode(
                    x=place,
                    y=y,
                    color=alt.Color("colour:N", scale=None),
                    size=alt.Size("size:Q", scale=None),
                    opacity=alt.Opacity("opacity:Q", scale=None),
                )
            )
    titles = [
        note(
            f"{lane.group}  {shorten(lane.title, 56)}",
            colours.text if not selected or lane.group in selected else colours.muted,
            12,
            up=22,
            lane=place,
        )
        for place, lane in enumerate(lanes)
    ]
    layers.append(notes("titles", titles, x=across(0), y=y, size=12, align="left"))
    if undated.any():
        head = [note("undated", colours.muted, 12, up=8, lane=-0.75)]
        layers.append(notes("undated", head, x=across(1), y=y, size=12, align="right"))
    return alt.layer(*layers).properties(height=300)
