"""The reliability curve: what share of the pairs with a score are of the same event."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from components.charts.theme import ink, meaning
from core.palette import AGREES


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
