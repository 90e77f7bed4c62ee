"""Size and balance of train, validation and test."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from components.charts.pair_labels import DIFFERENT, SAME, label_colour
from components.charts.theme import calm, ink
from core.data.pair_sets.statistics import PartCounts


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
