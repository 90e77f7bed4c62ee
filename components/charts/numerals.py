"""Verdicts and operators of systems as stacked bars, and supported shares with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from components.charts.theme import is_dark, meaning, readable
from components.markdown import shorten
from core.headlines.numbers.scored import OperatorShare, SystemScores
from core.numerals.checks.shown import HUES
from core.numerals.operators import OPERATORS
from core.numerals.provenance import Status
from core.palette import AGREES, group_colour

if TYPE_CHECKING:
    import altair as alt

NAME_CHARACTERS = 40


def status_colour(status: Status) -> str:
    """The colour of a verdict in the reader's theme, as `#rrggbb`."""
    return meaning(HUES[status])


def status_chart(counts: Mapping[str, Mapping[Status, int]]) -> alt.Chart:
    """A bar for each line, cut into its verdicts.

    Args:
        counts: By name of the line, in order: how many numerals have each verdict.
    """
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
    import altair as alt

    rows = [
        {"System": shorten(one.system, NAME_CHARACTERS), "value": 100 * figure.value,
         "low": 100 * (figure.value if figure.low is None else figure.low),
         "high": 100 * (figure.value if figure.high is None else figure.high)}
        for one in systems
        for figure in (one.figures[column],)
        if figure.value is not None
    ]  # fmt: skip
    base = alt.Chart(pd.DataFrame(rows, columns=["System", "value", "low", "high"])).encode(
        y=alt.Y("System:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
        color=alt.value(meaning(AGREES)),
    )
    x = alt.X("low:Q", title=f"{label}, %, 95 % interval", scale=alt.Scale(zero=False, nice=True))
    drawn = base.mark_rule(strokeWidth=3, opacity=0.5).encode(x=x, x2="high:Q") + base.mark_circle(
        size=80, opacity=1
    ).encode(x="value:Q", tooltip=["System", *(alt.Tooltip(f"{one}:Q", format=".1f") for one in _ENDS)])
    return readable(drawn.properties(height=alt.Step(26)))


_ENDS = ("value", "low", "high")


def _stacked(data: pd.DataFrame, part: str, names: list[str], colours: list[str]) -> alt.Chart:
    import altair as alt

    drawn = (
        alt.Chart(data)
        .mark_bar()
        .encode(
            y=alt.Y("Line:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
            x=alt.X("Numbers:Q", stack="normalize", title="Share of the numbers", axis=alt.Axis(format="%")),
            color=alt.Color(
                f"{part}:N",
                sort=names,
                scale=alt.Scale(domain=names, range=colours),
                legend=alt.Legend(orient="top", title=None, columns=2, columnPadding=6),
            ),
            order=alt.Order("at:Q"),
            tooltip=["Line:N", f"{part}:N", "Numbers:Q"],
        )
        .properties(height=alt.Step(26))
    )
    return readable(drawn)
