"""Headlines on a map, similar ones close together: their groups, links, or how people disagree."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.frame.charts import theme, vega_parts
from core.arrays import Float32Array
from core.maps.labels import MapLabel, bounds
from core.palette import AGAINST, NEUTRAL_DARK, NEUTRAL_LIGHT, group_colour
from core.results.vega import without_controls

MANY = 1_000  # points from which those beside a selection are fainter
HEIGHT = 470  # pixels; with the search above it the whole map is on the first screen of laptop and phone
UNKNOWN = "#767676"  # a point without a number
VIRIDIS = (
    *("#440154", "#482173", "#433e85", "#38588c", "#2d708e", "#25858e"),
    *("#1e9b8a", "#2ab07f", "#52c569", "#86d549", "#c2df23", "#fde725"),
)
PLACES = len(VIRIDIS)  # colours on a map; one more is grey
NAMED_COLOURS = 11  # categories that get a colour of their own; the rest are grey


class Colouring(NamedTuple):
    colours: Sequence[str] | Sequence[float]
    ends: tuple[str, str] = ("", "")
    legend: tuple[tuple[str, str], ...] = ()


def by_group(ids: Sequence[int], singles: set[int]) -> Colouring:
    dark = theme.is_dark()
    return Colouring([group_colour(-1 if group in singles else group, dark=dark) for group in ids])


def greyed(colouring: Colouring, selected: Sequence[int]) -> Colouring:
    """In colour what is selected alone."""
    bright, grey = set(selected), theme.meaning_colour(-1)
    return Colouring([hue if row in bright else grey for row, hue in enumerate(map(str, colouring.colours))])


def by_category(values: Sequence[str | None]) -> Colouring:
    dark, grey = theme.is_dark(), theme.meaning_colour(-1)
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


def painted(colouring: Colouring) -> tuple[list[str], list[int], list[tuple[str, str]]]:
    """Colours of a map, the place among them of each headline's, the last being grey, and the legend."""
    if not colouring.ends[0]:
        grey = theme.meaning_colour(-1)
        named = dict.fromkeys([hue for hue, _ in colouring.legend] or map(str, colouring.colours))
        paints = [hue for hue in named if hue != grey][:PLACES]
        places = {hue: place for place, hue in enumerate(paints)}
        filled = [*paints, *[grey] * (PLACES + 1 - len(paints))]
        return filled, [places.get(str(hue), PLACES) for hue in colouring.colours], list(colouring.legend)
    values = np.asarray(colouring.colours, dtype=np.float64)
    shares = (values - np.nanmin(values)) / (np.nanmax(values) - np.nanmin(values) or 1.0)
    places = np.where(np.isnan(shares), PLACES, np.nan_to_num(shares) * (PLACES - 1)).round().astype(int)
    scale = (f"linear-gradient(90deg, {', '.join(VIRIDIS)})", " – ".join(dict.fromkeys(colouring.ends)))
    return [*VIRIDIS, UNKNOWN], places.tolist(), [scale, *colouring.legend]


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
