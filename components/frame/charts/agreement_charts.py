"""Where people differ, and how far they agree over time."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from components.frame.charts.intervals import ENDS, NAME_CHARACTERS, NEAR, hue, span, tips
from components.frame.charts.stacked_bars import plain_bars
from components.frame.charts.theme import ink
from components.frame.charts.vega_parts import category_axis, legend_of
from components.frame.markdown import shorten
from core.palette import AGREES, APART
from core.results.table import Table
from core.statistics.bootstrap import Figure

_PERCENT = alt.Scale(domain=[0, 100])


def divided_chart(said: pd.DataFrame, *, differ: str, side: str) -> alt.Chart:
    across, up = "Pairs on which people differ, %", "Answers on the model's side, %"
    dots = alt.Chart(said.rename(columns={differ: "differ", side: "side"}))
    dots = dots.mark_circle(size=90, opacity=0.7, color=ink().accent).properties(height=360)
    return dots.encode(
        x=alt.X("differ:Q", scale=_PERCENT, title=across),
        y=alt.Y("side:Q", scale=_PERCENT, title=up),
        tooltip=["Headline:N", alt.Tooltip("differ:Q", title=across), alt.Tooltip("side:Q", title=up)],
    )


def sides_chart(said: pd.DataFrame, sides: Sequence[str]) -> alt.Chart:
    """A bar for each of the 20 headlines on which two people differ most, cut by the model's side."""
    widest = said.loc[said[list(sides)].sum(axis=1).nlargest(20).index]
    named_lines = [f"{at}. {shorten(text, NAME_CHARACTERS)}" for at, text in enumerate(widest["Headline"], 1)]
    lines = widest.assign(Headline=named_lines).melt("Headline", list(sides), "Side", "Pairs")
    colours = dict(zip(sides, map(hue, (AGREES, APART)), strict=True))
    x = alt.X("Pairs:Q", title="Pairs on which the two differ", axis=alt.Axis(tickMinStep=1, format="d"))
    look = {"y": category_axis("Headline", sort=None), "color": legend_of(colours, "Side"), "x": x}
    return plain_bars(lines, alt.Step(24), **look, tooltip=["Headline:N", "Side:N", "Pairs:Q"])


def time_chart(table: Table) -> alt.LayerChart:
    """Alpha with its interval at the last day of each period, a line for each version of the instructions."""
    lines = []
    for row in table.rows:
        cells = dict(zip((column.key for column in table.columns), row, strict=True))
        figure = cells["alpha"]
        if isinstance(figure, Figure) and figure.value is not None:
            name = f"Instructions {cells.get('version', '')}".strip()
            day = {"Day": cells["to"], "Version": name, "Answers": cells["answers"]}
            lines.append(day | span(figure.value, figure.low, figure.high))
    data = pd.DataFrame(lines, columns=["Day", "Version", "Answers", *ENDS])
    colours = {name: hue(2 * at) for at, name in enumerate(dict.fromkeys(data["Version"]))}
    days = alt.Axis(format="%-d %b", tickCount=6)
    base = alt.Chart(data).encode(
        x=alt.X("Day:T", title=None, scale=alt.Scale(type="utc"), axis=days),
        color=legend_of(colours, "Version") if len(colours) > 1 else alt.value(ink().accent),
    )
    said = ["Day:T", "Version:N", "Answers:N", *tips(".3f", *ENDS)]
    rule = base.mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q")
    y = alt.Y("value:Q", title="Alpha, 95 % interval", scale=NEAR)
    return (rule + base.mark_line(point={"size": 70}).encode(y=y, tooltip=said)).properties(height=260)
