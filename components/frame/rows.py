"""Lines of things of one kind, with signs of their state: what is drawn by `rows.css`."""

from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

_STYLE: Final = Path(__file__).with_suffix(".css")


def show_rows(html: str) -> None:
    st.html(_STYLE)
    st.html(html)


def sign(state: str, said: str) -> str:
    """A state in words, whose edge says it a second time: `here`, `needs`, or any other."""
    return f'<span class="sign {state}">{escape(said)}</span>'
