"""Values of systems with their intervals: over all articles, and on parts of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import altair as alt
import pandas as pd

from components.charts.theme import is_dark, meaning, readable
from components.markdown import shorten
from core.headlines.comparison.slices import Slice
from core.headlines.comparison.table import Entry
from core.headlines.metrics.metric import Column
from core.palette import AGREES, group_colour

NAME_CHARACTERS = 40


def score_chart(column: Column, systems: Sequence[str], entries: Sequence[Entry]) -> alt.LayerChart:
    """A dot for each system and a line over its interval, the best on top.

    Args:
        column: What is shown.
        systems: Their names.
        entries: Their values in that column.
    """
    data = pd.DataFrame(
        [
            {"System": shorten(name, NAME_CHARACTERS), **_figures(column, one.value, one.low, one.high)}
            for name, one in zip(systems, entries, strict=True)
            if one.value is not None
        ],
        columns=["System", *_FIGURES],
    )
    order = alt.SortField("value", order="ascending" if column.higher_is_better is False else "descending")
    y = alt.Y("System:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False))
    base = alt.Chart(data)
    colour = alt.value(meaning(AGREES))
    x = _scale(column)
    drawn = (
        base.mark_rule(strokeWidth=3, opacity=0.5).encode(y=y, x=x("low"), x2="high:Q", color=colour)
        + base.mark_circle(size=80, opacity=1).encode(
            y=y, x=x("value"), color=colour, tooltip=["System", *_told(column)]
        )
    ).properties(height=alt.Step(26))
    return readable(drawn)


def slice_chart(column: Column, systems: Mapping[str, int], slices: Sequence[Slice]) -> alt.LayerChart:
    """Systems side by side on parts of the articles told apart in one way.

    Args:
        column: What is shown.
        systems: Names of those that are drawn, with their places in each slice's values.
        slices: Of one kind.
    """
    data = pd.DataFrame(
        [
            {
                "Articles": f"{part.label} ({part.articles:,})",
                "System": shorten(name, NAME_CHARACTERS),
                **_figures(column, part.values[at], part.lows[at], part.highs[at]),
            }
            for part in slices
            for name, at in systems.items()
            if part.values[at] is not None
        ],
        columns=["Articles", "System", *_FIGURES],
    )
    names = [shorten(name, NAME_CHARACTERS) for name in systems]
    colour = alt.Color(
        "System:N",
        sort=names,
        scale=alt.Scale(domain=names, range=[group_colour(at, dark=is_dark()) for at in range(len(names))]),
        legend=alt.Legend(orient="top", title=None, labelLimit=260, columns=2),
    )
    base = alt.Chart(data).encode(
        y=alt.Y("Articles:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
        yOffset=alt.YOffset("System:N", sort=names),
        color=colour,
    )
    x = _scale(column)
    drawn = (
        base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(x=x("low"), x2="high:Q")
        + base.mark_point(size=70, filled=True, opacity=1).encode(
            x=x("value"),
            shape=alt.Shape("System:N", sort=names, legend=None),
            tooltip=["System", "Articles", *_told(column)],
        )
    ).properties(height=alt.Step(16))
    return readable(drawn)


_FIGURES = ("value", "low", "high")


def _told(column: Column) -> list[alt.Tooltip]:
    return [alt.Tooltip("value:Q", title=column.label), alt.Tooltip("low:Q"), alt.Tooltip("high:Q")]


def _figures(column: Column, value: float | None, low: float | None, high: float | None) -> dict[str, float]:
    """Values as they are written: times 100 where the column goes from 0 to 1."""
    times = 100 if column.high == 1 else 1
    shown = 0.0 if value is None else value
    return {
        "value": round(times * shown, 2),
        "low": round(times * (shown if low is None else low), 2),
        "high": round(times * (shown if high is None else high), 2),
    }


def _scale(column: Column) -> Callable[[str], alt.X]:
    def x(name: str) -> alt.X:
        return alt.X(
            f"{name}:Q",
            title=f"{column.label}, 95 % interval",
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(tickCount=6),
        )

    return x
