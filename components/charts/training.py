"""Curves of a training run: the loss of each step and the measures of each validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Final

import altair as alt
import pandas as pd

from components.charts.theme import ink, inline, meaning, named, readable
from core.palette import ADDED, AGREES

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
