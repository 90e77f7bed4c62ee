"""Bars that are cut: by verdict, by light, by operator."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from components.frame.charts.intervals import NAME_CHARACTERS, hue
from components.frame.charts.theme import meaning_colour
from components.frame.charts.vega_parts import category_axis, legend_of
from components.frame.markdown import shorten
from core.headlines.listed_verdicts import ORDER
from core.headlines.numeral_scores import OperatorShare
from core.numerals.checked_headline import Light
from core.numerals.checks.verdict_words import LIGHT_HUES, word_of
from core.numerals.operators import OPERATORS


def numeral_chart(counts: Mapping[str, Mapping[Light, int]]) -> alt.Chart:
    """A bar for each line, cut into the verdicts on its numbers; the fewest wrong ones on top."""
    bars = {name: {light.value: n for light, n in by.items()} for name, by in counts.items()}
    colours = {light.value: _light_hue(light) for light in reversed(Light)}
    return stacked(bars, "Verdict", colours, good=[Light.WRONG.value], most_first=False)


def light_chart(counts: Mapping[str, Mapping[Light | None, int]]) -> alt.Chart:
    """A bar for each line, cut into the lights of its headlines; the fewest wrong ones on top."""
    bars = {name: {word_of(light): n for light, n in by.items()} for name, by in counts.items()}
    colours = {word_of(light): _light_hue(light) for light in ORDER}
    return stacked(bars, "Light", colours, good=[word_of(ORDER[0])], of="Headlines", most_first=False)


def operator_chart(shares: Sequence[OperatorShare]) -> alt.Chart:
    """A bar for each system, cut into the operators that give its numerals that nothing speaks against."""
    bars: dict[str, dict[str, int]] = {}
    for each in shares:
        bars.setdefault(each.system, {})[each.operator] = each.numerals
    given = [operator for operator in OPERATORS if any(by.get(operator) for by in bars.values())]
    colours = {operator: hue(at) for at, operator in enumerate(given)}
    return stacked(bars, "Operator", colours, good=list(OPERATORS)[:1])


def _light_hue(light: Light | None) -> str:
    return meaning_colour(LIGHT_HUES.get(light, -1))


def stacked(
    bars: Mapping[str, Mapping[str, int]],
    part: str,
    colours: Mapping[str, str],
    *,
    good: Collection[str],
    of: str = "Numbers",
    most_first: bool = True,
    x: alt.X | None = None,
    height: Any = alt.Step(26),  # noqa: B008 - a plain value
) -> alt.Chart:
    looks = {name: colour for name, colour in colours.items() if any(by.get(name) for by in bars.values())}

    def share(name: str) -> float:
        total = sum(bars[name].values())
        good_share = sum(bars[name].get(part, 0) for part in good) / (total or 1)
        return 2.0 if not total else -good_share if most_first else good_share

    cells = []
    for name in sorted(bars, key=share):
        line = f"{shorten(name, NAME_CHARACTERS)} ({sum(bars[name].values()):,})"
        cells += [(line, piece, bars[name].get(piece, 0), place) for place, piece in enumerate(looks)]
    look = {"title": f"Share of the {of.lower()}", "axis": alt.Axis(format="%"), "stack": "normalize"}
    return plain_bars(
        pd.DataFrame(cells, columns=["Line", part, of, "at"]),
        height,
        y=category_axis("Line"),
        x=x or alt.X(f"{of}:Q", **look),
        color=legend_of(looks, part, labelLimit=alt.Undefined, columnPadding=6),
        order=alt.Order("at:Q"),
        tooltip=["Line:N", f"{part}:N", f"{of}:Q"],
    )


def plain_bars(lines: pd.DataFrame, height: Any, **encoding: Any) -> alt.Chart:
    return alt.Chart(lines).mark_bar().encode(**encoding).properties(height=height)
