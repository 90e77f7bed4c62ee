"""Headlines on a map, similar ones close together: their groups, links, or how people disagree."""

import json
from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go

from components.charts import theme
from components.markdown import shorten
from core.arrays import Float32Array
from core.maps.labels import MapLabel, bounds
from core.palette import AGAINST, NEUTRAL_DARK, NEUTRAL_LIGHT, group_colour
from core.results.chart import isolated
from core.results.page import without_controls

WEBGL_FROM = 1_000  # points from which the figure is drawn by the graphics card; below it SVG is crisper
CARD_CHARACTERS = 46  # length of a line of the card at the pointer, which fits on a phone
HEIGHT = 470  # pixels; with the search above it the whole map is on the first screen of laptop and phone
LEGEND_LINE = 22  # pixels of a line of the legend
FEW = 20  # selected points up to which they are drawn larger than the others
UNKNOWN = "#444444"  # what Plotly draws a point with that has no number
NAMED_COLOURS = 11  # categories that get a colour of their own; the rest are grey


class Colouring(NamedTuple):
    colours: Sequence[str] | Sequence[float]
    ends: tuple[str, str] = ("", "")
    legend: tuple[tuple[str, str], ...] = ()


def by_group(ids: Sequence[int], singles: set[int]) -> Colouring:
    dark = theme.is_dark()
    return Colouring([group_colour(-1 if group in singles else group, dark=dark) for group in ids])


def by_category(values: Sequence[str | None]) -> Colouring:
    dark, grey = theme.is_dark(), theme.meaning(-1)
    counts = Counter(value for value in values if value is not None)
    named = sorted(counts, key=lambda v: (-counts[v], v))[:NAMED_COLOURS]
    colour = {value: group_colour(k + 1, dark=dark) for k, value in enumerate(named)}
    legend = [(colour[v], f"{v} ({counts[v]})") for v in named]
    words = ["others"] * (len(counts) > len(named)) + ["not known"] * (None in values)
    if words:
        legend.append((grey, " or ".join(words)))
    return Colouring([colour.get(v or "", grey) for v in values], legend=tuple(legend))


def by_number(values: Sequence[float], ends: tuple[str, str]) -> Colouring:
    """From least to greatest on a scale that colour-blind readers can follow; NaN in grey."""
    unknown = any(np.isnan(value) for value in values)
    return Colouring(values, ends=ends, legend=((UNKNOWN, "not known"),) if unknown else ())


def box(text: str, *more: str) -> str:
    """The card at the pointer: a headline, and quiet lines under it."""
    lines = [
        isolated(theme.hover(line, CARD_CHARACTERS + 1)) for line in wrap(shorten(text, 150), CARD_CHARACTERS)
    ]
    return "<br>".join([*lines, *(f"<i>{theme.hover(line, 70)}</i>" for line in more if line)])


def map_figure(
    positions: Float32Array,
    boxes: Sequence[str],
    colouring: Colouring,
    *,
    labels: Sequence[MapLabel],
    selected: Sequence[int],
) -> go.Figure:
    colours = theme.ink()
    size = 11 if len(boxes) <= 300 else 7 if len(boxes) <= 3_000 else 5
    marker: dict[str, object] = {"size": size, "line": {"width": _edge(len(boxes)), "color": colours.paper}}
    if colouring.ends[0]:
        numbers = np.asarray(colouring.colours, dtype=np.float64)
        marker |= {"color": numbers, "colorscale": "Viridis", "showscale": True, "colorbar": _bar(colouring)}
    else:
        marker |= _numbered([str(colour) for colour in colouring.colours])
    # As a dict, since plotly would check thousands of points twice in an object of its own.
    points = {
        "type": "scattergl" if len(boxes) > WEBGL_FROM else "scatter",
        "x": positions[:, 0],
        "y": positions[:, 1],
        "mode": "markers",
        "marker": marker,
        "customdata": np.arange(len(boxes)),
        "hovertext": boxes,
        "hoverinfo": "text",
        "showlegend": False,
        "selectedpoints": list(selected) if selected else None,
        # A few among thousands are found only when they are larger, too.
        "selected": {"marker": {"opacity": 1.0, "size": size + 6 if len(selected) <= FEW else size}},
        "unselected": {"marker": {"opacity": _fade(len(boxes))}},
    }
    figure = go.Figure([points])
    for colour, said in colouring.legend:
        entry = {"x": [None], "y": [None], "mode": "markers", "marker": {"size": 10, "color": colour}}
        figure.add_scatter(**entry, name=theme.hover(said, 30), showlegend=True, hoverinfo="skip")
    look = {"showarrow": False, "font": {"size": 12, "color": colours.text}, "captureevents": False}
    for label in labels:
        place = {"x": label.x, "y": label.y, "xshift": label.right, "yshift": label.up}
        words = "<br>".join(isolated(theme.hover(line, len(line))) for line in label.text.split("\n"))
        figure.add_annotation(**place, **look, text=words, xanchor="center", yanchor="middle")
    legend = {"orientation": "h", "yanchor": "top", "y": -0.02, "x": 0}
    axis = {"visible": False, "showgrid": False, "zeroline": False}
    across, along = bounds(positions)
    # Two of its names fit side by side on a phone; it takes nothing from the picture.
    below = LEGEND_LINE * -(-len(colouring.legend) // 2)
    return theme.calm(
        figure,
        height=HEIGHT + below,
        margin={"l": 8, "r": 8, "t": 8, "b": 8 + below},
        legend=legend,
        xaxis={**axis, "range": across},
        yaxis={**axis, "range": along},
    )


def _bar(colouring: Colouring) -> dict[str, object]:
    known = [value for value in map(float, colouring.colours) if not np.isnan(value)] or [0.0, 1.0]
    ticks = {"tickvals": sorted({min(known), max(known)}), "ticktext": list(map(theme.hover, colouring.ends))}
    place = {"orientation": "h", "x": 0.5, "y": 0, "yanchor": "top"}
    return {"thickness": 8, "len": 0.4, "outlinewidth": 0, **place, **ticks}


def _numbered(colours: Sequence[str]) -> dict[str, object]:
    names = sorted(set(colours))
    place = {name: at for at, name in enumerate(names)}
    last = max(len(names) - 1, 1)
    return {
        "color": np.array([place[colour] for colour in colours]),
        "colorscale": [[at / last, name] for at, name in enumerate([*names, *names][: last + 1])],
        "cmin": 0,
        "cmax": last,
    }


def map_chart(
    positions: Float32Array,
    texts: Sequence[str],
    colouring: Colouring,
    *,
    labels: Sequence[MapLabel],
    selected: Sequence[int],
) -> alt.LayerChart:
    colours = theme.ink()
    bright = set(selected or range(len(texts)))
    faded = [row not in bright for row in range(len(texts))]
    points = _points(positions, texts).assign(colour=list(colouring.colours), faded=faded)
    ends, legend = colouring.ends, {said: hue for hue, said in colouring.legend}
    colour = alt.Color("colour:N", scale=None)
    if ends[0]:
        known = points["colour"].dropna()
        low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
        colour = alt.condition(
            "isValid(datum.colour)",
            alt.Color(
                "colour:Q",
                scale=alt.Scale(domain=[low, high], scheme="viridis"),
                legend=_gradient([low, high] if low < high else [low], ends),
            ),
            alt.value(UNKNOWN),
        )
    x, y = _plane(positions)
    size = 120 if len(texts) <= 300 else 40 if len(texts) <= 3_000 else 20
    layers: list[Any] = [
        alt.Chart(theme.inline(points))
        .mark_circle(size=size, stroke=colours.paper, strokeWidth=_edge(len(texts)), invalid=None)
        .encode(
            x=x,
            y=y,
            color=colour,
            opacity=alt.condition("datum.faded", alt.value(_fade(len(texts))), alt.value(1.0)),
        )
    ]
    if legend:
        entries = theme.named(legend, "series", orient="bottom", symbolType="circle", symbolOpacity=1)
        layers.append(alt.Chart(theme.aside("legend", [])).mark_circle().encode(color=entries))
    words = [
        theme.note(label.text, colours.text, 12, up=label.up, right=label.right, x=label.x, y=label.y)
        for label in labels
    ]
    layers.append(theme.notes("labels", words, x=x, y=y, size=12))
    return alt.layer(*layers).resolve_scale(color="independent").properties(height=HEIGHT)


def _fade(points: int) -> float:
    return 0.18 if points <= WEBGL_FROM else 0.08


def _edge(points: int) -> float:
    return 1 if points <= 3_000 else 0.3


def _points(positions: Float32Array, texts: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame({"Headline": list(texts), "x": positions[:, 0], "y": positions[:, 1]})


def _plane(positions: Float32Array) -> tuple[Any, Any]:
    (left, right), (low, high) = bounds(positions)
    return theme.between(left, right, "x", alt.X), theme.between(low, high, "y", alt.Y)


def _gradient(values: Sequence[float], ends: Sequence[str]) -> alt.Legend:
    return alt.Legend(
        orient="bottom",
        title=None,
        gradientLength=240,
        values=list(values),
        labelExpr=f"{json.dumps([without_controls(end) for end in ends])}[datum.index]",
        labelOverlap=False,
        labelLimit=320,
    )


def disagreement_chart(
    positions: Float32Array, texts: Sequence[str], wrong: npt.NDArray[np.float64]
) -> alt.Chart:
    """A point for each headline by the share of its pairs judged otherwise than by people, NaN for none."""
    points = _points(positions, texts)
    points.insert(1, "Judged otherwise", np.nan_to_num(wrong, nan=0.0))
    points = points.sort_values("Judged otherwise", kind="stable")
    x, y = _plane(positions)
    ramp = [NEUTRAL_DARK if theme.is_dark() else NEUTRAL_LIGHT, theme.meaning(AGAINST)]
    scale = alt.Scale(domain=[0.0, 0.5], range=ramp, clamp=True)
    ends = ["as people do", "half of its pairs otherwise, or more"]
    return theme.readable(
        alt.Chart(theme.inline(points))
        .mark_circle(stroke=theme.ink().paper, strokeWidth=0.5, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("Judged otherwise:Q", scale=scale, legend=_gradient([0.0, 0.5], ends)),
            size=alt.Size("Judged otherwise:Q", scale=alt.Scale(domain=[0, 1], range=[25, 220]), legend=None),
            tooltip=["Headline:N", alt.Tooltip("Judged otherwise:Q", format=".0%")],
        )
        .properties(height=380)
    )
