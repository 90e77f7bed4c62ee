"""Verdicts and operators of systems as stacked bars, and supported shares with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    """A bar for each line, cut into its verdicts."""
    data = pd.DataFrame(
        [
            {"Line": f"{shorten(name, NAME_CHARACTERS)} ({sum(by.values()):,})", "Verdict": status.value,
             "Numbers": by.get(status, 0), "at": place}
            for name, by in counts.items()
            for place, status in enumerate(Status)
        ],
        columns=["Line", "Verdict", "Numbers", "at"],
    )  # fmt: skip
    return _stacked(data, "Verdict", [one.value for one in Status], [status_colour(one) for one in Status])


def light_chart(counts: Mapping[str, Mapping[Light | None, int]]) -> alt.Chart:
    """A bar for each line, cut into the lights of its headlines; one without a number has none."""
    lights = [one for one in ORDER if any(by[one] for by in counts.values())]
    data = pd.DataFrame(
        [
            {"Line": f"{shorten(name, NAME_CHARACTERS)} ({sum(by.values()):,})", "Light": word_of(light),
             "Headlines": by[light], "at": place}
            for name, by in counts.items()
            for place, light in enumerate(lights)
        ],
        columns=["Line", "Light", "Headlines", "at"],
    )  # fmt: skip
    return _stacked(data, "Light", [*map(word_of, lights)], [*map(light_colour, lights)], of="Headlines")


VERDICTS = ("supported", Status.CONTRADICTED.value, Status.UNSUPPORTED.value)
"""What is known of the numerals of a kind."""


def kind_chart(counts: Mapping[str, Mapping[str, int]]) -> alt.Chart:
    """A bar for each kind of numeral, cut into `VERDICTS`."""
    data = pd.DataFrame(
        [
            {
                "Line": f"{kind} ({sum(by.values()):,})",
                "Verdict": verdict,
                "Numbers": by[verdict],
                "at": place,
            }
            for kind, by in counts.items()
            for place, verdict in enumerate(VERDICTS)
        ],
        columns=["Line", "Verdict", "Numbers", "at"],
    )
    statuses = (Status.COPIED, Status.CONTRADICTED, Status.UNSUPPORTED)
    return _stacked(data, "Verdict", list(VERDICTS), [status_colour(one) for one in statuses])


def operator_chart(shares: Sequence[OperatorShare]) -> alt.Chart:
    """A bar for each system, cut into the operators by which its supported numerals come about."""
    names = [one for one in OPERATORS if any(each.operator == one for each in shares)]
    totals: dict[str, int] = {}
    for each in shares:
        totals[each.system] = totals.get(each.system, 0) + each.numerals
    data = pd.DataFrame(
        [
            {"Line": f"{shorten(each.system, NAME_CHARACTERS)} ({totals[each.system]:,})",
             "Operator": each.operator, "Numbers": each.numerals, "at": names.index(each.operator)}
            for each in shares
        ],
        columns=["Line", "Operator", "Numbers", "at"],
    )  # fmt: skip
    every = list(OPERATORS)
    return _stacked(
        data, "Operator", names, [group_colour(every.index(one), dark=is_dark()) for one in names]
    )


def supported_chart(systems: Sequence[SystemScores], column: str, label: str) -> alt.LayerChart:
    """A dot for each system at a share, with a line over its interval; none where it has no value."""
    shares = [(shorten(one.system, NAME_CHARACTERS), one.figures[column]) for one in systems]
    lines = [
        {"System": name, **span(one.value, one.low, one.high, times=100)}
        for name, one in shares
        if one.value is not None
    ]
    return readable(interval_chart(lines, title=f"{label}, %, 95 % interval"))


def _stacked(
    data: pd.DataFrame, part: str, names: list[str], colours: list[str], *, of: str = "Numbers"
) -> alt.Chart:
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
                scale=alt.Scale(domain=names, range=colours),
                legend=alt.Legend(orient="top", title=None, columns=2, columnPadding=6),
            ),
            order=alt.Order("at:Q"),
            tooltip=["Line:N", f"{part}:N", f"{of}:Q"],
        )
        .properties(height=alt.Step(26))
    )
    return readable(drawn)
