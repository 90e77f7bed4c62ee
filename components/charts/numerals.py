"""Verdicts and operators of systems as stacked bars, and supported shares with their intervals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from components.charts.intervals import NAME_CHARACTERS, interval_chart, span
from components.charts.theme import is_dark, meaning, readable
from components.markdown import shorten
from components.numerals.looks import light_colour
from core.headlines.numbers.scored import OperatorShare, SystemScores
from core.headlines.numbers.verdict_list import ORDER
from core.numerals.checks.lights import word_of
from core.numerals.checks.shown import HUES
from core.numerals.claims.verdict import Light
from core.numerals.operators import OPERATORS
from core.numerals.provenance import Status
from core.palette import group_colour


def status_colour(status: Status) -> str:
    """The colour of a status in the reader's theme, as `#rrggbb`."""
    return meaning(HUES[status])


def status_chart(counts: Mapping[str, Mapping[Status, int]]) -> alt.Chart:
    """A bar for each line, cut into its verdicts; the line with most supported numbers on top."""
    bars = {name: {status.value: n for status, n in by.items()} for name, by in counts.items()}
    return _stacked(
        bars,
        "Verdict",
        {one.value: status_colour(one) for one in Status},
        good=[Status.COPIED.value, Status.DERIVED.value],
    )


def light_chart(counts: Mapping[str, Mapping[Light | None, int]]) -> alt.Chart:
    """A bar for each line, cut into the lights of its headlines; the fewest wrong ones on top."""
    bars = {name: {word_of(light): n for light, n in by.items()} for name, by in counts.items()}
    colours = {word_of(light): light_colour(light) for light in ORDER}
    return _stacked(bars, "Light", colours, good=[word_of(ORDER[0])], of="Headlines", most_first=False)


VERDICTS = ("supported", Status.CONTRADICTED.value, Status.UNSUPPORTED.value)
"""What is known of the numerals of a kind."""


def kind_chart(counts: Mapping[str, Mapping[str, int]]) -> alt.Chart:
    """A bar for each kind of numeral, cut into `VERDICTS`; the kind that is supported most on top."""
    statuses = (Status.COPIED, Status.CONTRADICTED, Status.UNSUPPORTED)
    colours = dict(zip(VERDICTS, map(status_colour, statuses), strict=True))
    return _stacked(counts, "Verdict", colours, good=VERDICTS[:1])


def operator_chart(shares: Sequence[OperatorShare]) -> alt.Chart:
    """A bar for each system, cut into the operators that give its supported numerals.

    The system that copies most is on top.
    """
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
    """Bars of one length, cut into parts that are there, sorted by the share of some parts."""
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
