"""The reader's theme: ink, paper and colours of meanings, in light and dark, usual and large."""

import html
from typing import Final, NamedTuple

import streamlit as st

from components.frame.markdown import shorten
from core.palette import group_colour

LEAST_PIXELS: Final = 13  # of letters
LARGE_PIXELS: Final = 18  # least size of letters that the last row reads; see frame/large_text.css


class Ink(NamedTuple):
    text: str
    muted: str
    grid: str
    paper: str
    accent: str  # of data of one kind: bars, points, curves


LIGHT: Final = Ink(text="#121210", muted="#5c5a52", grid="#e4dfd2", paper="#fdfcf9", accent="#1f4e79")
DARK: Final = Ink(text="#ececea", muted="#a9adb3", grid="#2f343a", paper="#16181b", accent="#7fb2e0")


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def ink() -> Ink:
    return DARK if is_dark() else LIGHT


def meaning_colour(place: int) -> str:
    """The colour of a meaning of `core.palette` (`AGREES`, `AGAINST` …) in the reader's theme."""
    return group_colour(place, dark=is_dark())


def hover(text: str, length: int = 110) -> str:
    """User text for a hover box: cut, and harmless, because Plotly reads some HTML in it."""
    return html.escape(shorten(text, length), quote=False)
