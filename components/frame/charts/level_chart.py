"""Precision and recall along the level of the slider."""

import altair as alt
import pandas as pd

from components.frame.charts import theme, vega_parts
from core.groups.granularity import CUTS
from core.groups.level_curve import LevelCurve
from core.palette import ADDED


def level_chart(curve: LevelCurve, level: float) -> alt.LayerChart:
    """Both curves, and where the slider is."""
    columns = dict(zip(("Precision", "Recall"), curve, strict=True))
    table = pd.concat(
        pd.DataFrame({"Measure": name, "Level": CUTS, "Share": values}).dropna()
        for name, values in columns.items()
    )
    colours = dict(zip(columns, (theme.ink().accent, theme.meaning_colour(ADDED)), strict=True))
    dashes = dict(zip(columns, ([1, 0], [6, 3]), strict=True))
    whole, ticks = alt.Scale(domain=[0, 1]), alt.Axis(tickCount=5, format=".1f")
    lines = alt.Chart(vega_parts.inline_data(table)).mark_line(strokeWidth=2)
    lines = lines.encode(
        x=alt.X("Level:Q", title="Level (narrower to broader)", scale=whole, axis=ticks),
        y=alt.Y("Share:Q", title=None, scale=whole, axis=ticks),
        color=vega_parts.legend_of(colours, "Measure"),
        strokeDash=vega_parts.legend_of(dashes, "Measure", of=alt.StrokeDash),
        tooltip=["Measure:N", alt.Tooltip("Level:Q", format=".2f"), alt.Tooltip("Share:Q", format=".3f")],
    )
    here = alt.Chart(vega_parts.unlisted_data("level", [{"Level": level}]))
    rule = here.mark_rule(color=theme.ink().text, strokeWidth=1.5).encode(x="Level:Q")
    return (lines + rule).properties(height=280, padding={"right": 8})
