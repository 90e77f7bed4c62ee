"""Values with their intervals, a line each: systems, or systems on parts of the articles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from components.charts.theme import is_dark, meaning, readable
from components.markdown import shorten
from core.headlines.comparison.slices import Slice
from core.headlines.metrics.metric import Column
from core.palette import AGREES, group_colour
from core.statistics.figure import Figure

NAME_CHARACTERS = 40
_ENDS = ("value", "low", "high")


def span(value: float | None, low: float | None, high: float | None, *, times: float = 1) -> dict[str, float]:
    """A value and its ends as they are drawn; ends that are not known lie on the value."""
    shown = 0.0 if value is None else value
    ends = {"value": shown, "low": shown if low is None else low, "high": shown if high is None else high}
    return {name: round(times * one, 4) for name, one in ends.items()}


def interval_chart(
    lines: Iterable[Mapping[str, Any]], *, title: str, sort: Any = None, x: alt.X | None = None, **more: Any
) -> alt.LayerChart:
    """A dot for each line at its value and a rule over its interval."""
    data = pd.DataFrame(list(lines))
    base = alt.Chart(data if len(data) else pd.DataFrame(columns=["System", *_ENDS]))
    y = alt.Y("System:N", sort=sort, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False))
    more = {"color": alt.value(meaning(AGREES))} | more
    axis = x or alt.X("value:Q", scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    ends = [alt.Tooltip(f"{name}:Q") for name in _ENDS]
    return (
        base.mark_rule(strokeWidth=3, opacity=0.5).encode(
            y=y, x=alt.X("low:Q", title=title), x2="high:Q", **more
        )
        + base.mark_circle(size=80, opacity=1).encode(
            y=y, x=axis.title(title), tooltip=["System", *ends], **more
        )
    ).properties(height=alt.Step(26))


def score_chart(column: Column, systems: Sequence[str], entries: Sequence[Figure]) -> alt.LayerChart:
    """Systems in one column, the best on top."""
    lines: list[dict[str, Any]] = [
        {"System": shorten(name, NAME_CHARACTERS), **_span(column, one)}
        for name, one in zip(systems, entries, strict=True)
        if one.value is not None
    ]
    # By name: a field to sort by is ignored where layers share an axis.
    lines.sort(key=lambda line: line["value"], reverse=column.higher_is_better is not False)
    names = [line["System"] for line in lines]
    return readable(interval_chart(lines, title=f"{column.label}, 95 % interval", sort=names))


def slice_chart(column: Column, systems: Mapping[str, int], slices: Sequence[Slice]) -> alt.LayerChart:
    """Systems, by their places in the slices' values, side by side on parts of one kind of the articles."""
    data = pd.DataFrame(
        [
            {
                "Articles": f"{part.label} ({part.articles:,})",
                "System": shorten(name, NAME_CHARACTERS),
                **_span(column, part.figures[at]),
            }
            for part in slices
            for name, at in systems.items()
            if part.figures[at].value is not None
        ],
        columns=["Articles", "System", *_ENDS],
    )
    # A system without a value on any part has no mark, and so no entry in the legend.
    every = [shorten(name, NAME_CHARACTERS) for name in systems]
    places = [at for at, name in enumerate(every) if name in set(data["System"])]
    names = [every[at] for at in places]
    shown = {"orient": "top", "title": None, "labelLimit": 260, "columns": 2, "symbolOpacity": 1}
    base = alt.Chart(data).encode(
        y=alt.Y("Articles:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
        yOffset=alt.YOffset("System:N", sort=names),
        color=alt.Color(
            "System:N",
            sort=names,
            scale=alt.Scale(domain=names, range=[group_colour(at, dark=is_dark()) for at in places]),
            legend=alt.Legend(**shown),
        ),
    )
    x = _scale(column)
    drawn = (
        base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(x=x("low"), x2="high:Q")
        + base.mark_point(size=70, filled=True, opacity=1).encode(
            x=x("value"),
            shape=alt.Shape(
                "System:N", sort=names, scale=alt.Scale(domain=names), legend=alt.Legend(**shown)
            ),
            tooltip=["System", "Articles", *(alt.Tooltip(f"{name}:Q") for name in _ENDS)],
        )
    ).properties(height=alt.Step(16))
    return readable(drawn)


def _span(column: Column, one: Figure) -> dict[str, float]:
    return span(one.value, one.low, one.high, times=100 if column.high == 1 else 1)


def _scale(column: Column) -> Callable[[str], alt.X]:
    def x(name: str) -> alt.X:
        return alt.X(
            f"{name}:Q",
            title=f"{column.label}, 95 % interval",
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(tickCount=6),
        )

    return x
