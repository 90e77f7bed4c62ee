"""Curves of a training run."""

import math
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from components.frame.charts import theme
from core.palette import ADDED, AGREES

SMOOTHED = 20  # lines that the smoothed loss is the mean of
_DASHES: Final = ([1, 0], [2, 3], [7, 4], [8, 3, 2, 3], [11, 4])
_UNBOUNDED: Final = frozenset({"loss", "perplexity", "threshold"})
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


def training_chart(lines: Sequence[Mapping[str, Any]]) -> alt.VConcatChart:
    """The curves of the lines of progress.jsonl; one panel until something was validated."""
    table = pd.json_normalize(list(lines)).set_index("step")
    losses, checked = table.dropna(subset="loss"), table.filter(regex=r"^validation\.").dropna(how="all")
    checked = checked.rename(columns=lambda name: name.partition(".")[2]).apply(pd.to_numeric)
    loss, last = losses["loss"], int(losses["steps"].iloc[-1])
    measures = [name for name in checked if name not in _UNBOUNDED]
    accent, quiet = theme.meaning(AGREES), theme.ink().muted
    mean = loss.rolling(SMOOTHED, 1).mean()
    curves = {"Loss": (loss, quiet, 1.0), f"Mean of the last {SMOOTHED}": (mean, accent, 2.0)}
    if "loss" in checked and not measures:
        curves["Validation loss"] = (checked["loss"], quiet, 1.5)
    panels = [_panel("Loss in training", curves, last, alt.Scale(zero=True), "" if measures else "Step")]
    if measures:
        looks = [(theme.meaning(ADDED), 2.0), *[(quiet, 1.2)] * len(measures)]
        named = zip(map(measure_title, measures), measures, looks, strict=False)
        curves = {title[0].upper() + title[1:]: (checked[name], *look) for title, name, look in named}
        low = math.floor(10 * np.nan_to_num(checked[measures].min().min())) / 10
        high = math.ceil(10 * np.nan_to_num(checked[measures].max().max(), nan=1.0)) / 10
        scale = alt.Scale(domain=[low, max(low + 0.1, high)])
        panels.append(_panel("On the validation part", curves, last, scale, "Step"))
    return alt.vconcat(*panels).resolve_scale(color="independent", strokeDash="independent")


def _panel(
    title: str, curves: Mapping[str, tuple[pd.Series, str, float]], last: int, scale: alt.Scale, across: str
) -> alt.Chart:
    # The two curves of the loss are told apart by their width.
    losses = title == "Loss in training"
    curve, dashes_of = ("Curve", ([1, 0], [1, 0], [2, 3])) if losses else ("Measure", _DASHES)
    points = [
        pd.DataFrame({curve: name, "Step": values.index, "Value": values.to_numpy(), "width": width})
        for name, (values, _, width) in curves.items()
    ]
    data = theme.inline(pd.concat(points))
    shown = {name: hue for name, (values, hue, _) in curves.items() if values.notna().any()}
    legend = {"orient": "top", "symbolType": "stroke", "columns": 3}
    dashes = dict(zip(shown, cycle(dashes_of), strict=False))
    head = alt.TitleParams(title, anchor="start", fontSize=13, color=theme.ink().text)
    steps = {"scale": alt.Scale(domain=[0, last * 1.01], nice=False), "axis": alt.Axis(labels=bool(across))}
    drawn = alt.Chart(data, title=head).mark_line(point=not losses).properties(height=150)
    return drawn.encode(
        x=alt.X("Step:Q", title=across or None, **steps),
        y=alt.Y("Value:Q", title=None, scale=scale),
        color=theme.named(shown, curve, **legend),
        strokeDash=theme.named(dashes, curve, of=alt.StrokeDash, **legend),
        strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        tooltip=[f"{curve}:N", "Step:Q", alt.Tooltip("Value:Q", format=".3f")],
    )


def measure_title(name: str) -> str:
    words = {"f1": "F1", "rouge_mean": "mean ROUGE"}
    return words.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))
