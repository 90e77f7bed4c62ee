"""A triplet of headlines as a small graph, and the curves of a training run."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from textwrap import wrap
from typing import Any, Final

import altair as alt
import pandas as pd

from components import large_text
from components.charts.theme import (
    LARGE_PIXELS,
    LINE_HEIGHT,
    between,
    ink,
    inline,
    meaning,
    named,
    note,
    notes,
    readable,
)
from core.palette import ADDED, AGAINST, AGREES
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
    links: Sequence[bool],
) -> alt.LayerChart:
    """Three headlines, and a line for each pair with its score."""
    colours, large = ink(), large_text.on()
    x, y = between(-0.42, 1.42, "x", alt.X), between(-0.45, 1.45 if large else 1.4, "y", alt.Y)
    looks = {ANSWERS[link]: meaning(AGREES if link else AGAINST) for link in links}
    sides, words = [], []
    for (start, end), score, link in zip(SIDES, scores, links, strict=True):
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        pair = f"{'ABC'[start]} and {'ABC'[end]}"
        sides.append(
            {"Pair": pair, "Answer": ANSWERS[link], "Score": score, "x": x0, "y": y0, "x2": x1, "y2": y1}
        )
        said = f"{score:.2f} {'=' if link else '≠'}"
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
    return readable(drawn.properties(height=470 if large else 400))


def _label(name: str, text: str, date: str) -> str:
    # Large letters leave space for fewer lines, so these are longer.
    length, most = (32, 3) if large_text.on() else (26, 4)
    lines = wrap(f"{name}  {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)


SMOOTHED = 20  # lines that the smoothed loss is the mean of
_DASHES: Final = ([1, 0], [2, 3], [7, 4], [8, 3, 2, 3], [11, 4])
_UNBOUNDED: Final = frozenset({"loss", "perplexity", "threshold"})
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


def training_chart(lines: Sequence[Mapping[str, Any]]) -> alt.VConcatChart:
    """The curves of the lines of progress.jsonl; one panel until something was validated."""
    validated = [line for line in lines if "validation" in line]
    measures = [name for name in (validated[0]["validation"] if validated else ()) if name not in _UNBOUNDED]
    losses = pd.DataFrame([(line["step"], line["loss"]) for line in lines if "loss" in line])
    last = next(line["steps"] for line in reversed(lines) if "loss" in line)
    steps = losses[0].tolist()
    accent, quiet = meaning(AGREES), ink().muted
    curves = [
        ("Loss", quiet, 1.0, steps, losses[1].tolist()),
        (f"Mean of the last {SMOOTHED}", accent, 2.0, steps, losses[1].rolling(SMOOTHED, 1).mean().tolist()),
    ]
    at = [line["step"] for line in validated]
    if validated and not measures:
        values = [line["validation"].get("loss") for line in validated]
        curves.append(("Validation loss", quiet, 1.5, at, values))
    panels = [_panel("Loss in training", curves, last, alt.Scale(zero=True), "" if measures else "Step")]
    if measures:
        hues = [meaning(ADDED), *[quiet] * len(measures)]
        curves = [
            (
                _title(name),
                hue,
                2.0 if not place else 1.2,
                at,
                [one["validation"].get(name) for one in validated],
            )
            for place, (name, hue) in enumerate(zip(measures, hues, strict=False))
        ]
        panels.append(_panel("On the validation part", curves, last, alt.Scale(domain=[0, 1.02]), "Step"))
    return readable(alt.vconcat(*panels).resolve_scale(color="independent", strokeDash="independent"))


def _panel(title: str, curves: Sequence[Any], last: int, scale: alt.Scale, across: str) -> alt.Chart:
    # The two curves of the loss are told apart by their width.
    losses = title == "Loss in training"
    curve = "Curve" if losses else "Measure"
    dashes_of = ([1, 0], [1, 0], [2, 3]) if losses else _DASHES
    data = pd.DataFrame(
        [
            {curve: name, "Step": step, "Value": value, "width": width}
            for name, _, width, steps, values in curves
            for step, value in zip(steps, values, strict=True)
        ]
    )
    shown = [curve for curve in curves if any(value is not None for value in curve[4])]
    legend = {"orient": "bottom", "symbolType": "stroke"}
    dashes = {name: dash for (name, *_), dash in zip(shown, cycle(dashes_of), strict=False)}
    return (
        alt.Chart(inline(data), title=alt.TitleParams(title, anchor="start", fontSize=13, color=ink().text))
        .mark_line(point=not losses)
        .encode(
            x=alt.X("Step:Q", title=across or None, scale=alt.Scale(domain=[0, last * 1.01], nice=False)),
            y=alt.Y("Value:Q", title=None, scale=scale),
            color=named({name: colour for name, colour, *_ in shown}, curve, **legend),
            strokeDash=named(dashes, curve, of=alt.StrokeDash, **legend),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            tooltip=[f"{curve}:N", "Step:Q", alt.Tooltip("Value:Q", format=".3f")],
        )
        .properties(height=150)
    )


def _title(name: str) -> str:
    title = measure_title(name)
    return title[0].upper() + title[1:]


def measure_title(name: str) -> str:
    words = {"f1": "F1", "rouge_mean": "mean ROUGE"}
    return words.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))
