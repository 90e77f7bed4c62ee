"""How many days lie between the headlines of a pair, by label."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from components.charts.pair_labels import DIFFERENT, SAME, label_colour
from components.charts.theme import calm, ink
from core.similarities import IntArray

SHOWN_DAYS = 10
"""From this many days on pairs share the last bar."""


def day_figure(same: IntArray, different: IntArray) -> go.Figure:
    """Bars of the share of each label's pairs by days between.

    Args:
        same: Pairs of the same event that are 0, 1, … days apart.
        different: Those of different events.
    """
    figure = go.Figure()
    last = min(SHOWN_DAYS, len(same) - 1)
    days = [str(day) for day in range(last + 1)]
    if len(same) - 1 > SHOWN_DAYS:
        days[-1] = f"{SHOWN_DAYS}+"
    for name, counts in ((SAME, same), (DIFFERENT, different)):
        shown = np.append(counts[:last], counts[last:].sum())
        total = int(shown.sum())
        if not total:
            continue
        figure.add_trace(
            go.Bar(
                x=days,
                y=100 * shown / total,
                customdata=shown,
                name=f"{name} ({total:,})",
                marker={"color": label_colour(name == SAME)},
                hovertemplate="%{x} days apart<br>%{customdata:,} pairs, %{y:.1f} %<extra></extra>",
            )
        )
    colours = ink()
    return calm(
        figure,
        height=330,
        bargap=0.25,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": "days between the headlines", "type": "category", "tickangle": 0},
        yaxis={"title": "% of the pairs", "gridcolor": colours.grid, "rangemode": "tozero"},
        margin={"l": 8, "r": 8, "t": 64, "b": 8},
    )
