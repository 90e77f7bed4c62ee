"""Colours, sizes and layout that all figures share, in light and dark, usual and large."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from components import large_text
from components.markdown import shorten
from core.palette import group_colour

if TYPE_CHECKING:
    import altair as alt
    import plotly.graph_objects as go

Chart = TypeVar("Chart", bound="alt.TopLevelMixin")


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours of one theme."""

    text: str
    muted: str
    grid: str
    lane: str
    paper: str


LIGHT = Ink(text="#121210", muted="#5c5a52", grid="#e4dfd2", lane="#efeadd", paper="#fdfcf9")
DARK = Ink(text="#ececea", muted="#a9adb3", grid="#2f343a", lane="#24282d", paper="#16181b")


def is_dark() -> bool:
    """Whether the reader's theme is dark."""
    return st.context.theme.type == "dark"


def ink() -> Ink:
    """Colours of the reader's theme."""
    return DARK if is_dark() else LIGHT


def meaning(place: int) -> str:
    """The colour of a meaning of `core.palette` (`AGREES`, `AGAINST` …) in the reader's theme."""
    return group_colour(place, dark=is_dark())


def hover(text: str, length: int = 110) -> str:
    """User text for a hover box: cut, and harmless, because Plotly reads some HTML in it."""
    return html.escape(shorten(text, length), quote=False)


def calm(figure: go.Figure, *, height: int, **layout: Any) -> go.Figure:
    """Margins, fonts and colours that every figure has."""
    colours = ink()
    layout = {"margin": {"l": 8, "r": 8, "t": 8, "b": 8}} | layout
    figure.update_layout(
        height=height,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": colours.text, "size": 13},
        hoverlabel={"bgcolor": colours.paper, "font": {"color": colours.text, "size": 13}, "align": "left"},
        uirevision="keep",
        **layout,
    )
    if large_text.on():
        _enlarge(figure)
    return figure


LARGE_PIXELS = 18
"""Least size of letters that are readable from the last row; see components/large_text.css."""


def _enlarge(figure: go.Figure) -> None:
    size = {"size": LARGE_PIXELS}
    figure.update_layout(font=size, hoverlabel={"font": size}, legend={"font": size})
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(tickfont=size, title={"font": size})
    figure.for_each_annotation(lambda one: one.update(font=size))


def readable(chart: Chart) -> Chart:
    """An Altair chart with letters for a classroom while text is large."""
    if not large_text.on():
        return chart
    size = {"labelFontSize": LARGE_PIXELS, "titleFontSize": LARGE_PIXELS}
    return chart.configure_axis(**size, labelLimit=420).configure_legend(**size)
