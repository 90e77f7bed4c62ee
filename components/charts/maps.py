"""Headlines on a map, similar ones close together: their groups, links, or how people disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, is_dark, meaning
from components.charts.triangle import denied_colour, link_colour
from components.markdown import shorten
from core.arrays import Float32Array
from core.maps.labels import MapLabel, bounds
from core.palette import ADDED, AGAINST, NEUTRAL_DARK, NEUTRAL_LIGHT, group_colour
from core.results.chart import isolated

WEBGL_FROM = 1_000
"""Points from which the figure is drawn by the graphics card; below it SVG is crisper."""

LABEL_CHARACTERS = 28
CARD_CHARACTERS = 46
"""Length of a line of the card at the pointer, which fits on a phone."""
HEIGHT = 470
"""Pixels; with the search above it the whole map is on the first screen of a laptop and of a phone."""
LEGEND_LINE = 22
"""Pixels of a line of the legend."""
FEW = 20
"""Selected points up to which they are drawn larger than the others."""

UNKNOWN = "#444444"
"""What Plotly draws a point with that has no number."""

NAMED_COLOURS = 11
"""Categories that get a colour of their own; the rest are grey."""


@dataclass(frozen=True, slots=True)
class Colouring:
    """What a point's colour means.

    Attributes:
        colours: One CSS colour a headline, or a number where there are `ends`; NaN is drawn in grey.
        ends: What the least and the greatest number mean, "" for a colouring in names.
        legend: (colour, meaning) of each named colour, in order.
    """

    colours: Sequence[str] | Sequence[float]
    ends: tuple[str, str] = ("", "")
    legend: tuple[tuple[str, str], ...] = ()


def by_group(ids: Sequence[int], singles: set[int]) -> Colouring:
    """Each group in its own colour, headlines that stand alone in grey."""
    dark = is_dark()
    return Colouring([group_colour(-1 if group in singles else group, dark=dark) for group in ids])


def by_category(values: Sequence[str | None]) -> Colouring:
    """The most frequent values in colours, the others and the absent in grey."""
    dark, grey = is_dark(), ink().muted
    counts: dict[str, int] = {}
    for value in values:
        if value is not None:
            counts[value] = counts.get(value, 0) + 1
    named = sorted(counts, key=lambda v: (-counts[v], v))[:NAMED_COLOURS]
    colour = {value: group_colour(k + 1, dark=dark) for k, value in enumerate(named)}
    legend = [(colour[v], f"{v} ({counts[v]})") for v in named]
    others, unknown = len(counts) > len(named), None in values
    if others or unknown:
        words = (("others",) if others else ()) + (("not known",) if unknown else ())
        legend.append((grey, " or ".join(words)))
    return Colouring([colour.get(v or "", grey) for v in values], legend=tuple(legend))


def by_number(values: Sequence[float], ends: tuple[str, str]) -> Colouring:
    """From least to greatest on a scale that colour-blind readers can follow; NaN in grey."""
    unknown = any(np.isnan(value) for value in values)
    return Colouring(values, ends=ends, legend=((UNKNOWN, "not known"),) if unknown else ())


def box(text: str, *more: str) -> str:
    """The card at the pointer: a headline, and quiet lines under it."""
    lines = [isolated(hover(line, CARD_CHARACTERS + 1)) for line in wrap(shorten(text, 150), CARD_CHARACTERS)]
    return "<br>".join([*lines, *(f"<i>{hover(line, 70)}</i>" for line in more if line)])


def map_figure(
    positions: Float32Array,
    boxes: Sequence[str],
    colouring: Colouring,
    *,
    labels: Sequence[MapLabel],
    selected: Sequence[int],
) -> go.Figure:
    """The figure; `customdata` of a point is its row.

    Args:
        positions: Places, float32 [n, 2].
        boxes: What stands in the box of each on hover (`box`).
        colouring: Colours of the n points.
        labels: Names drawn on the map.
        selected: Rows that stand out; the others fade. Empty: none fades.
    """
    colours = ink()
    size = 11 if len(boxes) <= 300 else 7 if len(boxes) <= 3_000 else 5
    marker: dict[str, object] = {
        "size": size,
        "line": {"width": 1 if len(boxes) <= 3_000 else 0.3, "color": colours.paper},
        **(
            {
                "color": np.asarray(colouring.colours, dtype=np.float64),
                "colorscale": "Viridis",
                "showscale": True,
                "colorbar": _scale(colouring),
            }
            if colouring.ends[0]
            else _numbered([str(colour) for colour in colouring.colours])
        ),
    }
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
        "unselected": {"marker": {"opacity": 0.18 if len(boxes) <= WEBGL_FROM else 0.08}},
    }
    figure = go.Figure([points])
    for colour, said in colouring.legend:
        figure.add_trace(
            go.Scatter(
                x=[None],
                y=[None],
                mode="markers",
                marker={"size": 10, "color": colour},
                name=hover(said, 30),
                showlegend=True,
                hoverinfo="skip",
            )
        )
    for label in labels:
        figure.add_annotation(
            x=label.x,
            y=label.y,
            text="<br>".join(isolated(hover(line, len(line))) for line in label.text.split("\n")),
            showarrow=False,
            xanchor="center",
            yanchor="middle",
            xshift=label.right,
            yshift=label.up,
            font={"size": 12, "color": colours.text},
            captureevents=False,
        )
    legend = {"orientation": "h", "yanchor": "top", "y": -0.02, "x": 0}
    axis = {"visible": False, "showgrid": False, "zeroline": False}
    across, along = bounds(positions)
    # Two of its names fit side by side on a phone; it takes nothing from the picture.
    below = LEGEND_LINE * -(-len(colouring.legend) // 2)
    return calm(
        figure,
        height=HEIGHT + below,
        margin={"l": 8, "r": 8, "t": 8, "b": 8 + below},
        legend=legend,
        xaxis={**axis, "range": across},
        yaxis={**axis, "range": along},
        dragmode="pan",
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": colours.muted, "activecolor": colours.text},
        clickmode="event+select",
    )


def _scale(colouring: Colouring) -> dict[str, object]:
    known = [value for value in map(float, colouring.colours) if not np.isnan(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    return _bar([low, high] if low < high else [low], colouring.ends)


def _bar(values: Sequence[float], ends: Sequence[str]) -> dict[str, object]:
    return {
        "orientation": "h",
        "thickness": 8,
        "len": 0.4,
        "x": 0.5,
        "y": 0,
        "yanchor": "top",
        "outlinewidth": 0,
        "tickvals": list(values),
        "ticktext": [hover(end) for end in ends],
    }


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


def disagreement_figure(
    positions: Float32Array, texts: Sequence[str], wrong: npt.NDArray[np.float64]
) -> go.Figure:
    """The figure.

    Args:
        positions: Places, float32 [n, 2].
        texts: The n headlines.
        wrong: Share of each headline's pairs judged otherwise than by people, 0 to 1; NaN for none.
    """
    colours = ink()
    share = np.nan_to_num(wrong, nan=0.0)
    order = np.argsort(share, kind="stable")
    figure = go.Figure(
        (go.Scattergl if len(texts) > 1_000 else go.Scatter)(
            x=positions[order, 0],
            y=positions[order, 1],
            mode="markers",
            marker={
                "size": 5 + 11 * share[order],
                "color": share[order],
                "cmin": 0.0,
                "cmax": 0.5,
                "colorscale": [
                    [0, NEUTRAL_DARK if is_dark() else NEUTRAL_LIGHT],
                    [1, meaning(AGAINST)],
                ],
                "showscale": True,
                "colorbar": _bar([0.0, 0.5], ["as people do", "half of its pairs otherwise, or more"]),
                "line": {"width": 0.5, "color": colours.paper},
            },
            hovertext=[
                f"{hover(texts[row])}<br><i>{100 * share[row]:.0f} % judged otherwise</i>"
                for row in order.tolist()
            ],
            hoverinfo="text",
        )
    )
    axis = {"visible": False}
    return calm(figure, height=380, showlegend=False, xaxis=axis, yaxis=axis, dragmode="pan")


MOST_LINES = 6_000
"""Lines that a browser still draws at once; past it every k-th is drawn."""


def links_figure(
    positions: Float32Array,
    texts: Sequence[str],
    links: npt.NDArray[np.bool_],
    before: npt.NDArray[np.bool_],
) -> go.Figure:
    """The figure.

    Args:
        positions: Places, float32 [n, 2].
        texts: The n headlines.
        links: Linked pairs that are drawn, bool [n, n], symmetric.
        before: Those before the repair; what is new since then, and what is gone, has its own colour.
    """
    colours = ink()
    figure = go.Figure()
    added = meaning(ADDED)
    for pairs, name, colour, dash, opacity in (
        (links & before, "linked", link_colour(), "solid", 1.0),
        (links & ~before, "linked by the repair", added, "dash", 1.0),
        (before & ~links, "denied by the repair", denied_colour(), "dot", 0.35),
    ):
        if not pairs.any():
            continue
        x, y = _lines(positions, pairs)
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": colour, "width": 1.2, "dash": dash},
                opacity=opacity,
                hoverinfo="skip",
                name=name,
                showlegend=True,
            )
        )
    figure.add_trace(
        go.Scatter(
            x=positions[:, 0],
            y=positions[:, 1],
            mode="markers",
            marker={"size": 8, "color": colours.text, "line": {"width": 1, "color": colours.paper}},
            hovertext=[hover(text) for text in texts],
            hoverinfo="text",
            showlegend=False,
        )
    )
    axis = {"visible": False}
    legend = {"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top"}
    return calm(figure, height=440, legend=legend, xaxis=axis, yaxis=axis, dragmode="pan")


def _lines(
    positions: Float32Array, pairs: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    left, right = np.nonzero(np.triu(pairs, k=1))
    step = max(1, -(-len(left) // MOST_LINES))
    left, right = left[::step], right[::step]
    ends = np.full((2, len(left), 3), np.nan)
    for axis in (0, 1):
        ends[axis, :, 0] = positions[left, axis]
        ends[axis, :, 1] = positions[right, axis]
    return ends[0].ravel(), ends[1].ravel()
