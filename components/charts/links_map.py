"""Decisions on the map: a line for every pair that is linked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, meaning
from components.charts.triangle import denied_colour, link_colour
from core.palette import ADDED
from core.similarities import Float32Array

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
    for pairs, colour, dash, opacity in (
        (before & ~links, denied_colour(), "dot", 0.35),
        (links & ~before, added, "dash", 1.0),
        (links & before, link_colour(), "solid", 1.0),
    ):
        x, y = _lines(positions, pairs)
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": colour, "width": 1.2, "dash": dash},
                opacity=opacity,
                hoverinfo="skip",
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
        )
    )
    axis = {"visible": False}
    return calm(figure, height=420, showlegend=False, xaxis=axis, yaxis=axis, dragmode="pan")


def _lines(
    positions: Float32Array, pairs: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Ends of the lines with a gap (NaN) after each, float64 [3 k]."""
    left, right = np.nonzero(np.triu(pairs, k=1))
    step = max(1, -(-len(left) // MOST_LINES))
    left, right = left[::step], right[::step]
    ends = np.full((2, len(left), 3), np.nan)
    for axis in (0, 1):
        ends[axis, :, 0] = positions[left, axis]
        ends[axis, :, 1] = positions[right, axis]
    return ends[0].ravel(), ends[1].ravel()
