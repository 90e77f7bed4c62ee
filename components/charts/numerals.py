"""Verdicts and operators of systems as stacked bars, and supported shares with their intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from components.charts.theme import is_dark, meaning, readable
from components.markdown import shorten
from components.numerals.rows import light_colour
from core.headlines.comparison.comparison import Slice
from core.headlines.metrics.metric import Column
from core.headlines.numbers.scored import ORDER, OperatorShare, SystemScores
from core.numerals.checks.check_report import word_of
from core.numerals.claims.verdict import Light
from core.numerals.operators import OPERATORS
from core.palette import AGREES, group_colour
from core.statistics.bootstrap import Figure

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

    def x(name: str) -> alt.X:
        return alt.X(
            f"{name}:Q",
            title=f"{column.label}, 95 % interval",
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(tickCount=6),
        )

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


def numeral_chart(counts: Mapping[str, Mapping[Light, int]]) -> alt.Chart:
    """A bar for each line, cut into the verdicts on its numbers; the fewest wrong ones on top."""
    bars = {name: {light.value: n for light, n in by.items()} for name, by in counts.items()}
    colours = {light.value: light_colour(light) for light in reversed(Light)}
    return _stacked(bars, "Verdict", colours, good=[Light.WRONG.value], most_first=False)


def light_chart(counts: Mapping[str, Mapping[Light | None, int]]) -> alt.Chart:
    """A bar for each line, cut into the lights of its headlines; the fewest wrong ones on top."""
    bars = {name: {word_of(light): n for light, n in by.items()} for name, by in counts.items()}
    colours = {word_of(light): light_colour(light) for light in ORDER}
    return _stacked(bars, "Light", colours, good=[word_of(ORDER[0])], of="Headlines", most_first=False)


def operator_chart(shares: Sequence[OperatorShare]) -> alt.Chart:
    """A bar for each system, cut into the operators that give its numerals that nothing speaks against."""
    bars: dict[str, dict[str, int]] = {}
    for each in shares:
        bars.setdefault(each.system, {})[each.operator] = each.numerals
    colours = {one: group_colour(at, dark=is_dark()) for at, one in enumerate(OPERATORS)}
    return _stacked(bars, "Operator", colours, good=list(OPERATORS)[:1])


def supported_chart(systems: Sequence[SystemScores], column: str, label: str) -> alt.LayerChart:
    """A dot for each system at a share, the largest on top, with a line over its interval."""
    shares = [(shorten(one.system, NAME_CHARACTERS), one.figures[column]) for one in systems]
    lines: list[dict[str, Any]] = [
        {"System": name, **span(one.value, one.low, one.high, times=100)}
        for name, one in shares
        if one.value is not None
    ]
    lines.sort(key=lambda line: -line["value"])
    names = [line["System"] for line in lines]
    return readable(interval_chart(lines, title=f"{label}, %, 95 % interval", sort=names))


def _stacked(
    bars: Mapping[str, Mapping[str, int]],
    part: str,
    colours: Mapping[str, str],
    *,
    good: Collection[str],
    of: str = "Numbers",
    most_first: bool = True,
) -> alt.Chart:
    names = [name for name in colours if any(by.get(name) for by in bars.values())]

    def share(name: str) -> float:
        total = sum(bars[name].values())
        if not total:
            return 2.0
        found = sum(bars[name].get(one, 0) for one in good) / total
        return -found if most_first else found

    data = pd.DataFrame(
        [
            {"Line": f"{shorten(name, NAME_CHARACTERS)} ({sum(bars[name].values()):,})", part: one,
             of: bars[name].get(one, 0), "at": place}
            for name in sorted(bars, key=share)
            for place, one in enumerate(names)
        ],
        columns=["Line", part, of, "at"],
    )  # fmt: skip
    drawn = (
        alt.Chart(data)
        .mark_bar()
        .encode(
            y=alt.Y("Line:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
            x=alt.X(
                f"{of}:Q", stack="normalize", title=f"Share of the {of.lower()}", axis=alt.Axis(format="%")
            ),
            color=alt.Color(
                f"{part}:N",
                sort=names,
                scale=alt.Scale(domain=names, range=[colours[one] for one in names]),
                legend=alt.Legend(orient="top", title=None, columns=2, columnPadding=6),
            ),
            order=alt.Order("at:Q"),
            tooltip=["Line:N", f"{part}:N", f"{of}:Q"],
        )
        .properties(height=alt.Step(26))
    )
    return readable(drawn)
