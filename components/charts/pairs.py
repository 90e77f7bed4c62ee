"""Labelled pairs in pictures: days between, parts, shared wording, and how far a score is a probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, is_dark, meaning
from core.data.pair_sets.statistics import RATIO_BINS, PartCounts
from core.palette import AGREES, APART, group_colour
from core.similarities import IntArray

SAME, DIFFERENT = "same event", "different events"


def label_colour(same: bool) -> str:
    """Colour of pairs with a label."""
    return meaning(AGREES if same else APART)


SHOWN_DAYS = 10
"""From this many days on pairs share the last bar."""


def day_figure(same: IntArray, different: IntArray) -> go.Figure:
    """Share of each label's pairs by days between: how many are 0, 1, … days apart."""
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


def part_figure(parts: Sequence[PartCounts]) -> go.Figure:
    """A bar for each part, divided by label."""
    names = [counts.part.value for counts in parts]
    colours = ink()
    layers = (
        (SAME, [counts.same for counts in parts], label_colour(True)),
        (DIFFERENT, [counts.different for counts in parts], label_colour(False)),
        ("not labelled", [counts.unknown for counts in parts], colours.muted),
    )
    figure = go.Figure()
    for name, counts, colour in layers:
        if not any(counts):
            continue
        figure.add_trace(
            go.Bar(
                y=names,
                x=counts,
                orientation="h",
                name=name,
                marker={"color": colour},
                text=[f"{count:,}" if count else "" for count in counts],
                textposition="inside",
                insidetextanchor="middle",
                textfont={"color": colours.paper},
                hovertemplate=f"%{{y}}: %{{x:,}} pairs, {name}<extra></extra>",
            )
        )
    return calm(
        figure,
        height=110 + 40 * len(names),
        barmode="stack",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={"title": "pairs", "gridcolor": colours.grid},
        yaxis={"autorange": "reversed"},
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
    )


_DASHES = ("solid", "dash", "dot")
_HUES = (0, 2, 4)


def ratio_figure(ratios: Mapping[str, npt.NDArray[np.float64]]) -> go.Figure:
    """Share of the positive pairs of each corpus by Levenshtein ratio; the first is drawn strongest."""
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


def reliability_chart(
    bins: Sequence[tuple[float, float, int, float | None, float | None]],
) -> alt.LayerChart:
    """The chart; a calibrated scorer's points lie on the diagonal.

    Args:
        bins: Low end, high end, pairs, mean score and share of the same event of each bin.
    """
    data = pd.DataFrame(
        [
            {"Mean score": mean, "Same event": share, "Pairs": count}
            for _, _, count, mean, share in bins
            if count
        ],
        columns=["Mean score", "Same event", "Pairs"],
    )
    ideal = pd.DataFrame({"Mean score": [0.0, 1.0], "Same event": [0.0, 1.0]})
    unit = alt.Scale(domain=[0, 1])
    x, y = (
        alt.X("Mean score:Q", scale=unit),
        alt.Y("Same event:Q", scale=unit, title="Share of the same event"),
    )
    line = alt.Chart(ideal).mark_line(strokeDash=[4, 4], color=ink().muted).encode(x=x, y=y)
    points = (
        alt.Chart(data)
        .mark_circle(color=meaning(AGREES), opacity=0.9)
        .encode(
            x=x,
            y=y,
            size=alt.Size("Pairs:Q", legend=None, scale=alt.Scale(range=[40, 500])),
            tooltip=[
                alt.Tooltip("Mean score:Q", format=".2f"),
                alt.Tooltip("Same event:Q", format=".2f"),
                "Pairs",
            ],
        )
    )
    return (line + points).properties(height=320)
