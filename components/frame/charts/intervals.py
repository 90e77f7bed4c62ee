"""Values with their intervals: scores of systems, parts of the articles, people."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final

import altair as alt
import pandas as pd

from components.frame.charts.theme import ink, is_dark
from components.frame.charts.vega_parts import category_axis, legend_of
from components.frame.markdown import shorten
from core.headlines.comparison.slices import Slice
from core.headlines.metrics import Column
from core.palette import group_colour
from core.results.table import TableColumn
from core.statistics.bootstrap import Figure

NAME_CHARACTERS = 88  # two lines beside a mark
ENDS = ("value", "low", "high")
NEAR: Final = alt.Scale(zero=False, nice=True)


def span(value: float | None, low: float | None, high: float | None, *, times: float = 1) -> dict[str, float]:
    """A value and its ends as they are drawn; ends that are not known lie on the value."""
    shown = 0.0 if value is None else value
    ends = {"value": shown, "low": shown if low is None else low, "high": shown if high is None else high}
    return {name: round(times * end, 4) for name, end in ends.items()}


def interval_chart(lines: Iterable[Mapping[str, Any]], *, title: str, sort: Any = None) -> alt.LayerChart:
    data = pd.DataFrame(list(lines))
    base = alt.Chart(data if len(data) else pd.DataFrame(columns=["System", *ENDS]))
    y = category_axis("System", sort=sort, limit=220)
    look = {"color": alt.value(ink().accent), "y": y}
    rule = base.mark_rule(strokeWidth=3, opacity=0.7)
    rule = rule.encode(x=alt.X("low:Q", title=title), x2="high:Q", **look)
    said = ["System", *tips("", *ENDS)]
    axis = alt.X("value:Q", scale=NEAR, title=title)
    dot = base.mark_circle(size=80, opacity=1).encode(x=axis, tooltip=said, **look)
    return (rule + dot).properties(height=alt.Step(26))


def figure_chart(column: TableColumn, figures: Iterable[tuple[str, Figure]]) -> alt.LayerChart:
    """Values as they are written, in the order that is given."""

    def shown(end: float | None) -> float | None:
        return None if end is None else float(column.form(end).replace(",", ""))

    lines: list[dict[str, Any]] = [
        {"System": shorten(name, NAME_CHARACTERS), **span(*map(shown, (of.value, of.low, of.high)))}
        for name, of in figures
    ]
    # By name: a field to sort by is ignored where layers share an axis.
    sort = [line["System"] for line in lines]
    return interval_chart(lines, title=f"{column.title}, 95 % interval", sort=sort)


def slice_chart(column: Column, systems: Mapping[str, int], slices: Sequence[Slice]) -> alt.LayerChart:
    """Systems, by their places in the slices' values, side by side on parts of one kind of the articles."""
    times = 100 if column.high == 1 else 1
    marks, hues = [], {}
    for part, (place, (name, at)) in product(slices, enumerate(systems.items())):
        figure, system = part.figures[at], shorten(name, NAME_CHARACTERS)
        if figure.value is not None:
            where = {"Articles": f"{part.label} ({part.articles:,})", "System": system}
            marks.append(where | span(figure.value, figure.low, figure.high, times=times))
            hues[place] = system
    # A system without a value on any part has no mark, and so no entry in the legend.
    colours = {hues[place]: hue(place) for place in sorted(hues)}
    base = alt.Chart(pd.DataFrame(marks, columns=["Articles", "System", *ENDS]))
    beside = alt.YOffset("System:N", sort=list(colours))
    colour = legend_of(colours, "System", symbolOpacity=1)
    base = base.encode(y=category_axis("Articles", limit=220), yOffset=beside, color=colour)
    look = {"title": f"{column.label}, 95 % interval", "scale": NEAR}
    low, value = (alt.X(f"{end}:Q", **look) for end in ("low", "value"))
    shape = legend_of(colours, "System", of=alt.Shape, symbolOpacity=1)
    shape.scale = alt.Scale(domain=list(colours))
    said = ["System", "Articles", *tips("", *ENDS)]
    rule = base.mark_rule(strokeWidth=2).encode(x=low, x2="high:Q")
    point = base.mark_point(size=70, filled=True, opacity=1).encode(x=value, shape=shape, tooltip=said)
    return (rule + point).properties(height=alt.Step(16))


def tips(format: str, *names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", format=format) for name in names]


def hue(place: int) -> str:
    return group_colour(place, dark=is_dark())
