"""Colours and layout that all figures share, in light and dark."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from components.markdown import shorten


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
    return figure
