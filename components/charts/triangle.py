"""A triplet of headlines as a small graph: two links and the pair that is denied."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, is_dark

PLACES = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))
"""The headline that both links share stands on top."""

_LINE = 22
_LINES = 4


def link_colour() -> str:
    """Colour of a pair that is linked."""
    return "#4ea3ff" if is_dark() else "#1f6fd1"


def denied_colour() -> str:
    """Colour of a pair that is denied."""
    return "#ff8a70" if is_dark() else "#c2371f"


def triangle_figure(texts: Sequence[str], dates: Sequence[str], scores: Sequence[float]) -> go.Figure:
    """The figure.

    Args:
        texts: Three headlines: the shared one, then the two of the denied pair.
        dates: Their dates in words, "" where unknown.
        scores: Shared with the second, shared with the third, second with third.
    """
    colours = ink()
    figure = go.Figure()
    links = ((0, 1, scores[0], False), (0, 2, scores[1], False), (1, 2, scores[2], True))
    for start, end, score, denied in links:
        colour = denied_colour() if denied else link_colour()
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        figure.add_trace(
            go.Scatter(
                x=[x0, x1],
                y=[y0, y1],
                mode="lines",
                line={"color": colour, "width": 2 if denied else 5, "dash": "dot" if denied else "solid"},
                hoverinfo="skip",
            )
        )
        figure.add_annotation(
            x=(x0 + x1) / 2,
            y=(y0 + y1) / 2,
            text=f"<b>{score:.2f}</b>",
            showarrow=False,
            font={"size": 15, "color": colour},
            bgcolor=colours.paper,
            borderpad=3,
        )
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in PLACES],
            y=[y for _, y in PLACES],
            mode="markers",
            marker={"size": 16, "color": colours.text, "line": {"width": 2, "color": colours.paper}},
            hovertext=[hover(text) for text in texts],
            hoverinfo="text",
        )
    )
    for (x, y), text, date, top in zip(PLACES, texts, dates, (True, False, False), strict=True):
        figure.add_annotation(
            x=x,
            y=y,
            text=_label(text, date),
            showarrow=False,
            xanchor="center",
            yanchor="bottom" if top else "top",
            yshift=14 if top else -14,
            font={"size": 13, "color": colours.text},
            align="center",
        )
    axis = {"visible": False, "fixedrange": True}
    return calm(
        figure,
        height=420,
        showlegend=False,
        xaxis=axis | {"range": [-0.42, 1.42]},
        yaxis=axis | {"range": [-0.42, 1.24]},
        dragmode=False,
    )


def _label(text: str, date: str) -> str:
    lines = wrap(text, _LINE)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], lines[_LINES - 1][: _LINE - 1] + "…"]
    shown = "<br>".join(hover(line, _LINE + 1) for line in lines)
    return f"{shown}<br><i>{hover(date)}</i>" if date else shown
