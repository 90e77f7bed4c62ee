"""A triplet of headlines as a small graph: which pairs are linked and which denied."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

import altair as alt
import pandas as pd

from components import large_text
from components.charts.theme import (
    LARGE_PIXELS,
    LINE_HEIGHT,
    between,
    ink,
    meaning,
    named,
    note,
    notes,
    readable,
)
from core.palette import AGAINST, AGREES
from core.results.chart import isolated

PLACES: Final = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))  # the headline that both links share stands on top
SIDES: Final = ((0, 1), (0, 2), (1, 2))
"""Places of the pairs: the shared headline with the second, with the third, and these two."""
ANSWERS: Final = ("different", "same event")
"""What a pair model says of two headlines, by whether it links them."""


def triangle_chart(
    texts: Sequence[str],
    dates: Sequence[str],
    scores: Sequence[float],
    before: Sequence[bool],
    after: Sequence[bool],
) -> alt.LayerChart:
    """Three headlines, and a line for each pair with its score."""
    colours, large = ink(), large_text.on()
    x, y = between(-0.42, 1.42, "x", alt.X), between(-0.45, 1.36 if large else 1.24, "y", alt.Y)
    looks = {ANSWERS[link]: meaning(AGREES if link else AGAINST) for link in after}
    sides, words = [], []
    for (start, end), score, was, link in zip(SIDES, scores, before, after, strict=True):
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        pair = f"{'ABC'[start]} and {'ABC'[end]}"
        sides.append(
            {"Pair": pair, "Answer": ANSWERS[link], "Score": score, "x": x0, "y": y0, "x2": x1, "y2": y1}
        )
        said = f"{score:.2f}" + ("" if link == was else ", changed")
        colour = looks[ANSWERS[link]]
        words.append(note(said, colour, LARGE_PIXELS if large else 15, x=(x0 + x1) / 2, y=(y0 + y1) / 2))
    lines = (
        alt.Chart(pd.DataFrame(sides))
        .mark_rule()
        .encode(
            x=x,
            y=y,
            x2="x2:Q",
            y2="y2:Q",
            color=named(looks, "Answer", orient="bottom", symbolType="stroke"),
            strokeDash=alt.condition(alt.datum.Answer == ANSWERS[True], alt.value([1, 0]), alt.value([2, 3])),
            strokeWidth=alt.condition(alt.datum.Answer == ANSWERS[True], alt.value(5), alt.value(2)),
        )
    )
    places = [dict(zip("xy", place, strict=True)) for place in PLACES]
    corners = pd.DataFrame(places).assign(Name=list("ABC"), Headline=list(texts), Date=list(dates))
    dots = (
        alt.Chart(corners)
        .mark_circle(size=200, color=colours.text, stroke=colours.paper, strokeWidth=2, opacity=1)
        .encode(x=x, y=y, tooltip=["Headline", "Date"])
    )
    size = LARGE_PIXELS if large else 13
    labels = []
    for name, text, date, place in zip("ABC", texts, dates, places, strict=True):
        label = _label(name, text, date)
        away = 20 + (label.count("\n") + 1) * LINE_HEIGHT * size / 2
        labels.append(note(label, colours.text, size, up=away if place["y"] else -away, **place))
    drawn = alt.layer(
        lines,
        dots,
        notes("scores", words, x=x, y=y, size=LARGE_PIXELS if large else 15, fontWeight=600),
        notes("headlines", labels, x=x, y=y, size=size),
    )
    return readable(drawn.properties(height=470 if large else 420))


def _label(name: str, text: str, date: str) -> str:
    # Large letters leave space for fewer lines, so these are longer.
    length, most = (32, 3) if large_text.on() else (22, 4)
    lines = wrap(f"{name}  {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)
