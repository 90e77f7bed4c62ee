"""A triplet of headlines as a small graph: which pairs are linked and which denied."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go

from components import large_text
from components.charts.theme import calm, hover, ink, meaning
from core.palette import AGAINST, AGREES

PLACES = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))
"""The headline that both links share stands on top."""

SIDES = ((0, 1), (0, 2), (1, 2))
"""Places of the pairs: the shared headline with the second, with the third, and these two."""


def link_colour() -> str:
    """Colour of a pair that is linked."""
    return meaning(AGREES)


def denied_colour() -> str:
    """Colour of a pair that is denied."""
    return meaning(AGAINST)


ANSWERS = ("different", "same event")
"""What a pair model says of two headlines, by whether it links them."""


def triangle_figure(
    texts: Sequence[str],
    dates: Sequence[str],
    scores: Sequence[float],
    before: Sequence[bool],
    after: Sequence[bool],
) -> go.Figure:
    """The figure."""
    colours = ink()
    figure = go.Figure()
    named: set[bool] = set()
    for (start, end), score, was, link in zip(SIDES, scores, before, after, strict=True):
        colour = link_colour() if link else denied_colour()
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        figure.add_trace(
            go.Scatter(
                x=[x0, x1],
                y=[y0, y1],
                mode="lines",
                line={"color": colour, "width": 5 if link else 2, "dash": "solid" if link else "dot"},
                hoverinfo="skip",
                name=ANSWERS[link],
                showlegend=link not in named,
            )
        )
        named.add(link)
        figure.add_annotation(
            x=(x0 + x1) / 2,
            y=(y0 + y1) / 2,
            text=f"<b>{score:.2f}</b>" + ("" if link == was else ", changed"),
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
            showlegend=False,
        )
    )
    for (x, y), name, text, date in zip(PLACES, "ABC", texts, dates, strict=True):
        top = y > 0
        figure.add_annotation(
            x=x,
            y=y,
            text=_label(name, text, date),
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
        height=470 if large_text.on() else 420,
        # Top left, where no headline stands.
        legend={"x": 0, "y": 1, "yanchor": "top"},
        showlegend=True,
        xaxis=axis | {"range": [-0.42, 1.42]},
        yaxis=axis | {"range": [-0.45, 1.36] if large_text.on() else [-0.42, 1.24]},
        dragmode=False,
    )


def _label(name: str, text: str, date: str) -> str:
    # Large letters leave space for fewer lines, so these are longer.
    length, most = (32, 3) if large_text.on() else (22, 4)
    lines = wrap(f"{name}  {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    shown = "<br>".join(hover(line, length + 1) for line in lines)
    shown = f"<b>{name}</b>{shown.removeprefix(name)}"
    return f"{shown}<br><i>{hover(date)}</i>" if date else shown
