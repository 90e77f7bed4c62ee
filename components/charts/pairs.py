"""Labelled pairs in pictures: days between, parts, wording, calibration, and headlines that divide people."""

from collections.abc import Mapping, Sequence
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.charts.numerals import NAME_CHARACTERS
from components.charts.theme import ink, is_dark, meaning, named, readable
from components.markdown import shorten
from core.arrays import IntArray
from core.data.pair_sets.drawing import RATIO_BINS, PartCounts
from core.palette import AGAINST, AGREES, APART, group_colour

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
                legend=alt.Legend(orient="bottom", title="Pairs", values=_ends(data["Pairs"].tolist())),
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


def _ends(counts: Sequence[int]) -> list[int]:
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
