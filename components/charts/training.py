"""Curves of a training run: the loss of each step and F1 on validation pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.charts.theme import calm, ink, is_dark


def training_figure(lines: Sequence[Mapping[str, Any]]) -> go.Figure:
    """The figure; empty axes where there is no line yet.

    Args:
        lines: Those of progress.jsonl.
    """
    colours = ink()
    line = "#7fb2e0" if is_dark() else "#1f4e79"
    losses = [one for one in lines if "loss" in one]
    validated = [one for one in lines if "validation" in one]
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.16,
        subplot_titles=("Loss on training pairs", "On validation pairs"),
    )
    figure.add_trace(
        go.Scatter(
            x=[one["epoch"] for one in losses],
            y=[one["loss"] for one in losses],
            mode="lines",
            line={"color": line, "width": 1.5},
            hovertemplate="epoch %{x:.2f}: loss %{y:.3f}<extra></extra>",
            showlegend=False,
        ),
        row=1,
        col=1,
    )
    for name, title, dash, colour in (
        ("f1", "F1", "solid", line),
        ("precision", "Precision", "dot", colours.muted),
        ("recall", "Recall", "dash", colours.muted),
    ):
        figure.add_trace(
            go.Scatter(
                x=[one["epoch"] for one in validated],
                y=[one["validation"].get(name) for one in validated],
                mode="lines+markers",
                name=title,
                line={"color": colour, "width": 2 if name == "f1" else 1.2, "dash": dash},
                hovertemplate=f"epoch %{{x:.2f}}: {title} %{{y:.3f}}<extra></extra>",
            ),
            row=2,
            col=1,
        )
    figure.update_xaxes(gridcolor=colours.grid, zeroline=False, rangemode="tozero")
    figure.update_xaxes(title_text="Epoch", row=2, col=1)
    figure.update_yaxes(gridcolor=colours.grid, zeroline=False, rangemode="tozero", row=1, col=1)
    figure.update_yaxes(gridcolor=colours.grid, zeroline=False, range=[0, 1.02], row=2, col=1)
    figure.update_annotations(font={"size": 13, "color": colours.text}, x=0, xanchor="left")
    return calm(
        figure,
        height=430,
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 0.46, "yanchor": "bottom"},
    )
