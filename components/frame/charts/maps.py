"""Headlines on a map, similar ones close together, as pictures: their groups, or how people disagree."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.frame.charts import theme, vega_parts
from components.frame.charts.colouring import HEIGHT, UNKNOWN, Colouring
from core.arrays import Float32Array
from core.maps.labels import MapLabel, bounds
from core.palette import AGAINST, NEUTRAL_DARK, NEUTRAL_LIGHT
from core.results.vega import without_controls

MANY = 1_000  # points from which those beside a selection are fainter


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
        given = points["colour"].dropna()
        low, high = (given.min(), given.max()) if len(given) else (0.0, 1.0)
        scale, marks = alt.Scale(domain=[low, high], scheme="viridis"), [low, high][: 1 + (low < high)]
        known = alt.Color("colour:Q", scale=scale, legend=_gradient(marks, ends))
        colour = alt.condition("isValid(datum.colour)", known, alt.value(UNKNOWN))
    x, y = _plane(positions)
    size = 120 if len(texts) <= 300 else 40 if len(texts) <= 3_000 else 20
    edge, fade = 1 if len(texts) <= 3_000 else 0.3, 0.18 if len(texts) <= MANY else 0.08
    look = {"size": size, "stroke": colours.paper, "strokeWidth": edge, "invalid": None}
    dots = alt.Chart(vega_parts.inline_data(points)).mark_circle(**look)
    opacity = alt.condition("datum.faded", alt.value(fade), alt.value(1.0))
    layers: list[Any] = [dots.encode(x=x, y=y, color=colour, opacity=opacity)]
    if legend:
        series = vega_parts.legend_of(legend, "series", orient="bottom", symbolType="circle", symbolOpacity=1)
        layers.append(alt.Chart(vega_parts.unlisted_data("legend", [])).mark_circle().encode(color=series))
    words = [
        vega_parts.label_row(each.text, colours.text, 12, up=each.up, right=each.right, x=each.x, y=each.y)
        for each in labels
    ]
    led = [(each, *each.leader) for each in labels if each.leader is not None]
    ends = [{"x": each.x, "y": each.y, "across": across, "down": -up} for each, across, up in led]
    layers += [vega_parts.leader_layer(ends, x=x, y=y)] if ends else []
    layers.append(vega_parts.label_layer("labels", words, x=x, y=y, size=12))
    return alt.layer(*layers).resolve_scale(color="independent").properties(height=HEIGHT)


def _points(positions: Float32Array, texts: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame({"Headline": list(texts), "x": positions[:, 0], "y": positions[:, 1]})


def _plane(positions: Float32Array) -> tuple[Any, Any]:
    (left, right), (low, high) = bounds(positions)
    return vega_parts.hidden_axis(left, right, "x", alt.X), vega_parts.hidden_axis(low, high, "y", alt.Y)


def _gradient(values: Sequence[float], ends: Sequence[str]) -> alt.Legend:
    words = f"{json.dumps([without_controls(end) for end in ends])}[datum.index]"
    look = {"orient": "bottom", "title": None, "gradientLength": 240}
    look |= {"labelOverlap": False, "labelLimit": 320}
    return alt.Legend(values=list(values), labelExpr=words, **look)


def disagreement_chart(
    positions: Float32Array, texts: Sequence[str], wrong: npt.NDArray[np.float64]
) -> alt.Chart:
    """A point for each headline by the share of its pairs judged otherwise than by people, NaN for none."""
    points = _points(positions, texts)
    points.insert(1, "Judged otherwise", np.nan_to_num(wrong, nan=0.0))
    points = points.sort_values("Judged otherwise", kind="stable")
    x, y = _plane(positions)
    ramp = [NEUTRAL_DARK if theme.is_dark() else NEUTRAL_LIGHT, theme.meaning_colour(AGAINST)]
    scale = alt.Scale(domain=[0.0, 0.5], range=ramp, clamp=True)
    ends = ["as people do", "half of its pairs otherwise, or more"]
    dots = alt.Chart(vega_parts.inline_data(points)).properties(height=380)
    return dots.mark_circle(stroke=theme.ink().paper, strokeWidth=0.5, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color("Judged otherwise:Q", scale=scale, legend=_gradient([0.0, 0.5], ends)),
        size=alt.Size("Judged otherwise:Q", scale=alt.Scale(domain=[0, 1], range=[25, 220]), legend=None),
        tooltip=["Headline:N", alt.Tooltip("Judged otherwise:Q", format=".0%")],
    )
