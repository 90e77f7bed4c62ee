"""Scores with their intervals, verdicts and operators as stacked bars, and labelled pairs in pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.charts.theme import ink, is_dark, meaning, named, readable
from components.markdown import shorten
from components.numerals.subject import light_colour
from core.arrays import IntArray
from core.data.pair_sets.pair_set import RATIO_BINS, PartCounts
from core.headlines.comparison.comparison import Slice
from core.headlines.metrics import Column
from core.headlines.numeral_scores import OperatorShare, SystemScores
from core.headlines.numeral_tables import ORDER
from core.numerals.checks.check_report import word_of
from core.numerals.operators import OPERATORS
from core.numerals.verdict import Light
from core.palette import AGAINST, AGREES, APART, group_colour
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


SAME, DIFFERENT = "same event", "different events"


def label_colour(same: bool) -> str:
    return meaning(AGREES if same else APART)


SHOWN_DAYS = 10  # from this many days on pairs share the last bar


def day_chart(same: IntArray, different: IntArray) -> alt.Chart:
    """Share of each label's pairs by days between: how many are 0, 1, … days apart."""
    last = min(SHOWN_DAYS, len(same) - 1)
    days = [str(day) for day in range(last + 1)]
    if len(same) - 1 > SHOWN_DAYS:
        days[-1] = f"{SHOWN_DAYS}+"
    lines, colours = [], {}
    for label, counts in ((SAME, same), (DIFFERENT, different)):
        shown = np.append(counts[:last], counts[last:].sum())
        total = int(shown.sum())
        if not total:
            continue
        name = f"{label} ({total:,})"
        colours[name] = label_colour(label == SAME)
        lines += [
            {"Days": day, "Label": name, "Pairs": count, "Share": 100 * count / total}
            for day, count in zip(days, shown.tolist(), strict=True)
        ]
    drawn = (
        alt.Chart(pd.DataFrame(lines, columns=["Days", "Label", "Pairs", "Share"]))
        .mark_bar()
        .encode(
            x=alt.X("Days:N", sort=days, title="Days between the headlines", axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("Label:N", sort=list(colours)),
            y=alt.Y("Share:Q", title="% of the pairs"),
            color=named(colours, "Label"),
            tooltip=["Days", "Label", "Pairs", alt.Tooltip("Share:Q", format=".1f")],
        )
        .properties(height=280)
    )
    return readable(drawn)


def part_chart(parts: Sequence[PartCounts]) -> alt.Chart:
    labels = {
        SAME: ([counts.same for counts in parts], label_colour(True)),
        DIFFERENT: ([counts.different for counts in parts], label_colour(False)),
        "not labelled": ([counts.unknown for counts in parts], ink().muted),
    }
    labels = {name: held for name, held in labels.items() if any(held[0])}
    lines = [
        {"Part": counts.part.value, "Label": name, "Pairs": held[at], "at": place}
        for at, counts in enumerate(parts)
        for place, (name, (held, _)) in enumerate(labels.items())
    ]
    drawn = (
        alt.Chart(pd.DataFrame(lines, columns=["Part", "Label", "Pairs", "at"]))
        .mark_bar()
        .encode(
            y=alt.Y("Part:N", sort=None, title=None),
            x=alt.X("Pairs:Q", title="Pairs"),
            color=named({name: colour for name, (_, colour) in labels.items()}, "Label"),
            order=alt.Order("at:Q"),
            tooltip=["Part", "Label", "Pairs"],
        )
        .properties(height=alt.Step(40))
    )
    return readable(drawn)


_DASHES: Final = ([1, 0], [7, 4], [2, 3])
_HUES: Final = (0, 2, 4)


def ratio_chart(ratios: Mapping[str, npt.NDArray[np.float64]]) -> alt.Chart:
    """Share of the positive pairs of each corpus by Levenshtein ratio; the first is drawn strongest."""
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    lines, names = [], []
    for name, values in ratios.items():
        shares = 100 * np.histogram(values, edges)[0] / max(len(values), 1)
        names.append(f"{shorten(name, NAME_CHARACTERS)}, mean {values.mean():.2f}")
        lines += [
            {"Ratio": round(middle, 4), "Share": share, "Corpus": names[-1]}
            for middle, share in zip(middles.tolist(), shares.tolist(), strict=True)
        ]
    places = range(len(names))
    colours = {names[at]: group_colour(_HUES[at % 3], dark=is_dark()) for at in places}
    drawn = (
        alt.Chart(pd.DataFrame(lines, columns=["Ratio", "Share", "Corpus"]))
        .mark_line()
        .encode(
            x=alt.X("Ratio:Q", title="Levenshtein ratio of the positives", scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("Share:Q", title="% of the positives"),
            color=named(colours, "Corpus", symbolType="stroke"),
            strokeDash=named(
                {names[at]: _DASHES[at % 3] for at in places},
                "Corpus",
                of=alt.StrokeDash,
                symbolType="stroke",
            ),
            strokeWidth=alt.condition(
                alt.datum.Corpus == (names[0] if names else ""), alt.value(3.5), alt.value(2)
            ),
            tooltip=["Corpus", alt.Tooltip("Ratio:Q", format=".2f"), alt.Tooltip("Share:Q", format=".1f")],
        )
        .properties(height=280)
    )
    return readable(drawn)


def reliability_chart(bins: Sequence[tuple[float, float, int, float | None, float | None]]) -> alt.LayerChart:
    """The chart; a calibrated scorer's points lie on the diagonal."""
    data = pd.DataFrame(
        [
            {"Mean score": mean, "Same event": share, "Pairs": count}
            for _, _, count, mean, share in bins
            if count
        ],
        columns=["Mean score", "Same event", "Pairs"],
    )
    ideal = pd.DataFrame({"Mean score": [0.0, 1.0], "Same event": [0.0, 1.0], "Shown": [IDEAL, IDEAL]})
    data["Shown"] = MEASURED
    unit = alt.Scale(domain=[0, 1])
    x, y = (
        alt.X("Mean score:Q", scale=unit),
        alt.Y("Same event:Q", scale=unit, title="Share of the same event"),
    )
    colour = named({MEASURED: meaning(AGREES), IDEAL: ink().muted}, "Shown")
    line = alt.Chart(ideal).mark_line(strokeDash=[4, 4]).encode(x=x, y=y, color=colour)
    points = (
        alt.Chart(data)
        .mark_circle(opacity=0.9)
        .encode(
            x=x,
            y=y,
            color=colour,
            size=alt.Size(
                "Pairs:Q",
                scale=alt.Scale(range=[40, 500]),
                legend=alt.Legend(
                    orient="bottom", title="Pairs", values=_least_and_most(data["Pairs"].tolist())
                ),
            ),
            tooltip=[
                alt.Tooltip("Mean score:Q", format=".2f"),
                alt.Tooltip("Same event:Q", format=".2f"),
                "Pairs",
            ],
        )
    )
    return readable((line + points).properties(height=320))


IDEAL, MEASURED = "where scores would be probabilities", "pairs with such a score"


def _least_and_most(counts: Sequence[int]) -> list[int]:
    return sorted({min(counts), max(counts)}) if counts else []


def driver_chart(drives: Sequence[tuple[str, float]]) -> alt.Chart:
    table = pd.DataFrame(
        [
            {"What": what, "Weight": weight, "Speaks": FOR if weight > 0 else OTHERWISE}
            for what, weight in sorted(drives, key=lambda one: -abs(one[1]))
        ],
        columns=["What", "Weight", "Speaks"],
    )
    looks = {FOR: meaning(AGREES), OTHERWISE: meaning(AGAINST)}
    looks = {name: colour for name, colour in looks.items() if name in set(table["Speaks"])}
    drawn = (
        alt.Chart(table)
        .mark_bar()
        .encode(
            x=alt.X("Weight:Q", title="Weight in the score"),
            y=alt.Y("What:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
            color=named(looks, "Speaks"),
            tooltip=["What", alt.Tooltip("Weight:Q", format=".3f")],
        )
        .properties(height=alt.Step(22))
    )
    return readable(drawn)


FOR, OTHERWISE = "speaks for the same event", "speaks against it"


def divided_chart(said: pd.DataFrame, *, differ: str, side: str) -> alt.Chart:
    across, up = "Pairs on which people differ, %", "Answers on the model's side, %"
    dots = said.rename(columns={differ: "differ", side: "side"})
    scale = alt.Scale(domain=[0, 100])
    return readable(
        alt.Chart(dots)
        .mark_circle(size=90, opacity=0.6)
        .encode(
            x=alt.X("differ:Q", scale=scale, title=across),
            y=alt.Y("side:Q", scale=scale, title=up),
            color=alt.value(meaning(AGREES)),
            tooltip=[
                alt.Tooltip("Headline:N"),
                alt.Tooltip("differ:Q", title=across),
                alt.Tooltip("side:Q", title=up),
            ],
        )
        .properties(height=360)
    )
