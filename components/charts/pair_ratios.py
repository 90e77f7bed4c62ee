"""How much wording the two headlines of a positive pair share, beside other corpora."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, is_dark
from core.data.pair_sets.statistics import RATIO_BINS
from core.palette import group_colour

_DASHES = ("solid", "dash", "dot")
_HUES = (0, 2, 4)


def ratio_figure(ratios: Mapping[str, npt.NDArray[np.float64]]) -> go.Figure:
    """A line for each corpus: share of its positive pairs by Levenshtein ratio.

    Args:
        ratios: Levenshtein ratios of the positive pairs by name; the first is drawn strongest.
    """
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    for place, (name, values) in enumerate(ratios.items()):
        share = 100 * np.histogram(values, edges)[0] / max(len(values), 1)
        figure.add_trace(
            go.Scatter(
                x=middles,
                y=share,
                mode="lines",
                name=f"{hover(name)}, mean {values.mean():.2f}",
                line={
                    "color": group_colour(_HUES[place % 3], dark=is_dark()),
                    "width": 2 if place else 3.5,
                    "dash": _DASHES[place % 3],
                },
                fill=None if place else "tozeroy",
                hovertemplate="ratio %{x:.2f}<br>%{y:.1f} % of the positives<extra></extra>",
            )
        )
    colours = ink()
    return calm(
        figure,
        height=330,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": "Levenshtein ratio of the positives", "range": [0, 1], "gridcolor": colours.grid},
        yaxis={"title": "% of the positives", "gridcolor": colours.grid, "rangemode": "tozero"},
        margin={"l": 8, "r": 8, "t": 64, "b": 8},
    )
