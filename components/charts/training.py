"""Curves of a training run: the loss of each step and the measures of each validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.charts.theme import calm, ink, meaning
from core.palette import ADDED, AGREES

SMOOTHED = 20
"""Lines that the smoothed loss is the mean of."""


def training_figure(lines: Sequence[Mapping[str, Any]]) -> go.Figure:
    """The figure of the lines of progress.jsonl; one panel until something was validated."""
    validated = [one for one in lines if "validation" in one]
    measures = [name for name in (validated[0]["validation"] if validated else ()) if name not in _UNBOUNDED]
    losses = [one for one in lines if "loss" in one]
    figure = make_subplots(
        rows=2 if measures else 1,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.16,
        subplot_titles=("Loss in training", "On the validation part")[: 2 if measures else 1],
    )
    _add_losses(figure, losses)
    if measures:
        _add_measures(figure, validated, measures)
    elif validated:
        _add_validation_loss(figure, validated)
    colours = ink()
    figure.update_xaxes(gridcolor=colours.grid, zeroline=False, range=[0, losses[-1]["steps"] * 1.01])
    figure.update_xaxes(title_text="Step", row=2 if measures else 1, col=1)
    figure.update_yaxes(gridcolor=colours.grid, zeroline=False, rangemode="tozero", row=1, col=1)
    figure.update_annotations(font={"size": 13, "color": colours.text}, x=0, xanchor="left")
    return calm(
        figure,
        height=430 if measures else 240,
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        legend={"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top"},
    )


def _add_losses(figure: go.Figure, losses: Sequence[Mapping[str, Any]]) -> None:
    steps, values = [one["step"] for one in losses], [one["loss"] for one in losses]
    sums = list(accumulate(values, initial=0.0))
    means = [
        (sums[end] - sums[max(end - SMOOTHED, 0)]) / min(end, SMOOTHED) for end in range(1, len(values) + 1)
    ]
    for shown, width, colour, name, said in (
        (values, 1.0, ink().muted, "loss", "Loss"),
        (means, 2.0, _accent(), "mean loss", f"Mean of the last {SMOOTHED}"),
    ):
        figure.add_trace(
            go.Scatter(
                x=steps,
                y=shown,
                mode="lines",
                line={"color": colour, "width": width},
                hovertemplate=f"step %{{x:,}}: {name} %{{y:.3f}}<extra></extra>",
                name=said,
                showlegend=True,
            ),
            row=1,
            col=1,
        )


_DASHES: Final = ("solid", "dot", "dash", "dashdot", "longdash")
_UNBOUNDED: Final = frozenset({"loss", "perplexity", "threshold"})
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


def measure_title(name: str) -> str:
    """A measure's name as people read it."""
    words = {"f1": "F1", "rouge_mean": "mean ROUGE"}
    return words.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))


def _add_measures(figure: go.Figure, validated: Sequence[Mapping[str, Any]], measures: Sequence[str]) -> None:
    for place, name in enumerate(measures):
        title = measure_title(name)
        figure.add_trace(
            go.Scatter(
                x=[one["step"] for one in validated],
                y=[one["validation"].get(name) for one in validated],
                mode="lines+markers",
                name=title[0].upper() + title[1:],
                line={
                    "color": ink().muted if place else meaning(ADDED),
                    "width": 1.2 if place else 2,
                    "dash": _DASHES[place % len(_DASHES)],
                },
                hovertemplate=f"step %{{x:,}}: {title} %{{y:.3f}}<extra></extra>",
            ),
            row=2,
            col=1,
        )
    figure.update_yaxes(gridcolor=ink().grid, zeroline=False, range=[0, 1.02], row=2, col=1)


def _add_validation_loss(figure: go.Figure, validated: Sequence[Mapping[str, Any]]) -> None:
    figure.add_trace(
        go.Scatter(
            x=[one["step"] for one in validated],
            y=[one["validation"].get("loss") for one in validated],
            mode="lines+markers",
            name="Validation loss",
            line={"color": ink().muted, "dash": "dot"},
            hovertemplate="step %{x:,}: validation loss %{y:.3f}<extra></extra>",
        ),
        row=1,
        col=1,
    )


def _accent() -> str:
    return meaning(AGREES)
