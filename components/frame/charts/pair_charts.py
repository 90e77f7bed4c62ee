"""Labelled pairs of headlines, and what a score says of them."""

from collections.abc import Mapping, Sequence
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.frame.charts.intervals import NAME_CHARACTERS, hue, tips
from components.frame.charts.stacked_bars import plain_bars, stacked
from components.frame.charts.theme import ink, meaning_colour
from components.frame.charts.vega_parts import category_axis, legend_of
from components.frame.markdown import shorten
from core.arrays import IntArray
from core.data.pair_sets.pair_statistics import RATIO_BINS, PartCounts
from core.palette import AGREES, APART

SAME, DIFFERENT = "same event", "different events"
SHOWN_DAYS = 10  # from this many days on pairs share the last bar
_DASHES: Final = ([1, 0], [7, 4], [2, 3])
_UNIT = alt.Scale(domain=[0, 1])
IDEAL, MEASURED = "where scores would be probabilities", "pairs with such a score"
FOR, OTHERWISE = "speaks for the same event", "speaks against it"


def part_chart(parts: Sequence[PartCounts]) -> alt.Chart:
    unknown = "not labelled"
    bars = {
        counts.part.value: {SAME: counts.same, DIFFERENT: counts.different, unknown: counts.unknown}
        for counts in parts
    }
    colours = {SAME: meaning_colour(AGREES), DIFFERENT: meaning_colour(APART), unknown: meaning_colour(-1)}
    x = alt.X("Pairs:Q", title="Pairs")
    return stacked(bars, "Label", colours, good=(), of="Pairs", x=x, height=alt.Step(40))


def day_chart(same: IntArray, different: IntArray) -> alt.Chart:
    """Share of each label's pairs by days between: how many are 0, 1, … days apart."""
    last = min(SHOWN_DAYS, len(same) - 1)
    days = [str(day) for day in range(last + 1)]
    if len(same) - 1 > SHOWN_DAYS:
        days[-1] = f"{SHOWN_DAYS}+"
    frames, colours = [], {}
    for label, counts, place in ((SAME, same, AGREES), (DIFFERENT, different, APART)):
        shown = np.append(counts[:last], counts[last:].sum())
        if total := int(shown.sum()):
            name = f"{label} ({total:,})"
            colours[name] = meaning_colour(place)
            cells = {"Days": days, "Label": name, "Pairs": shown, "Share": 100 * shown / total}
            frames.append(pd.DataFrame(cells))
    return plain_bars(
        pd.concat(frames) if frames else pd.DataFrame(columns=["Days", "Label", "Pairs", "Share"]),
        280,
        x=alt.X("Days:N", sort=days, title="Days between the headlines", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("Label:N", sort=list(colours)),
        y=alt.Y("Share:Q", title="% of the pairs"),
        color=legend_of(colours, "Label"),
        tooltip=["Days:N", "Label:N", "Pairs:Q", *tips(".1f", "Share")],
    )


def ratio_chart(ratios: Mapping[str, npt.NDArray[np.float64]]) -> alt.Chart:
    """Share of the positive pairs of each corpus by Levenshtein ratio; the first is drawn strongest."""
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    middles = ((edges[:-1] + edges[1:]) / 2).round(4)
    lines, names = [], []
    for name, values in ratios.items():
        shares = 100 * np.histogram(values, edges)[0] / max(len(values), 1)
        names.append(f"{shorten(name, NAME_CHARACTERS)}, mean {values.mean():.2f}")
        lines += [(*pair, names[-1]) for pair in zip(middles.tolist(), shares.tolist(), strict=True)]
    colours = {name: hue(2 * (at % 3)) for at, name in enumerate(names)}
    dashes = {name: _DASHES[at % 3] for at, name in enumerate(names)}
    first = alt.datum.Corpus == (names[0] if names else "")
    drawn = alt.Chart(pd.DataFrame(lines, columns=["Ratio", "Share", "Corpus"])).mark_line()
    return drawn.properties(height=280).encode(
        x=alt.X("Ratio:Q", title="Levenshtein ratio of the positives", scale=_UNIT),
        y=alt.Y("Share:Q", title="% of the positives"),
        color=legend_of(colours, "Corpus", symbolType="stroke"),
        strokeDash=legend_of(dashes, "Corpus", of=alt.StrokeDash, symbolType="stroke"),
        strokeWidth=alt.condition(first, alt.value(3.5), alt.value(2)),
        tooltip=["Corpus:N", *tips(".2f", "Ratio"), *tips(".1f", "Share")],
    )


def reliability_chart(bins: Sequence[tuple[float, float, int, float | None, float | None]]) -> alt.LayerChart:
    measured = [(mean, share, count) for _, _, count, mean, share in bins if count]
    data = pd.DataFrame(measured, columns=["Mean score", "Same event", "Pairs"]).assign(Shown=MEASURED)
    ideal = pd.DataFrame({"Mean score": [0.0, 1.0], "Same event": [0.0, 1.0], "Shown": [IDEAL, IDEAL]})
    ends = sorted({data["Pairs"].min(), data["Pairs"].max()}) if len(data) else []
    legend = alt.Legend(orient="bottom", title="Pairs", values=ends)
    place = {
        "x": alt.X("Mean score:Q", scale=_UNIT),
        "y": alt.Y("Same event:Q", scale=_UNIT, title="Share of the same event"),
        "color": legend_of({MEASURED: ink().accent, IDEAL: ink().muted}, "Shown"),
    }
    points = alt.Chart(data).mark_circle(opacity=0.9)
    size = alt.Size("Pairs:Q", scale=alt.Scale(range=[40, 500]), legend=legend)
    said = [*tips(".2f", "Mean score", "Same event"), "Pairs:Q"]
    line = alt.Chart(ideal).mark_line(strokeDash=[4, 4]).encode(**place)
    return (line + points.encode(**place, size=size, tooltip=said)).properties(height=320)


def driver_chart(drives: Sequence[tuple[str, float]]) -> alt.Chart:
    lines = [
        (what, weight, FOR if weight > 0 else OTHERWISE)
        for what, weight in sorted(drives, key=lambda drive: -abs(drive[1]))
    ]
    looks = {FOR: meaning_colour(AGREES), OTHERWISE: meaning_colour(APART)}
    looks = {name: colour for name, colour in looks.items() if any(name in line for line in lines)}
    return plain_bars(
        pd.DataFrame(lines, columns=["What", "Weight", "Speaks"]),
        alt.Step(22),
        x=alt.X("Weight:Q", title="Weight in the score"),
        y=category_axis("What"),
        color=legend_of(looks, "Speaks"),
        tooltip=["What:N", *tips(".3f", "Weight")],
    )
