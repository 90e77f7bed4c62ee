"""Headlines by how much they divide people, and on whose side the model is."""

from __future__ import annotations

import altair as alt
import pandas as pd

from components.charts.theme import meaning, readable
from core.palette import AGREES


def divided_chart(said: pd.DataFrame, *, differ: str, side: str) -> alt.Chart:
    """A point for each headline."""
    across, up = "Pairs on which people differ, %", "Answers on the model's side, %"
    dots = said.rename(columns={differ: "differ", side: "side"})
    scale = alt.Scale(domain=[0, 100])
    return readable(
        alt.Chart(dots)
        .mark_circle(size=90, opacity=0.6)
        .encode(
            x=alt.X("differ:Q", scale=scale, title=across),
            y=alt.Y("side:Q", scale=scale, title=up),
            color=alt.value(meaning(AGREES)),
            tooltip=[
                alt.Tooltip("Headline:N"),
                alt.Tooltip("differ:Q", title=across),
                alt.Tooltip("side:Q", title=up),
            ],
        )
        .properties(height=360)
    )
