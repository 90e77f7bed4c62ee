"""Large text for a class room: one switch, kept in the session and in the address.

Streamlit sizes everything in rem, so the root's font size enlarges the page; figures are drawn in
pixels and ask `on` (components.charts.theme). What a class does not need is left out meanwhile.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

ROOT_PIXELS: Final = 22
"""Font size of the root while text is large, as in the style sheet; 16 otherwise."""

_LARGE: Final = "large_text"
_ADDRESS: Final = "large"
_STYLE: Final = Path(__file__).parent / "large_text.css"


def adopt_address() -> None:
    """Takes what the link that opened this session says; does nothing later on."""
    if _LARGE not in st.session_state:
        st.session_state[_LARGE] = st.query_params.get(_ADDRESS) == "yes"


def on() -> bool:
    """Whether text is large."""
    return bool(st.session_state.get(_LARGE, False))


def address() -> dict[str, str]:
    """What the address says of it; nothing while text has its usual size."""
    return {_ADDRESS: "yes"} if on() else {}


def switch() -> None:
    """Draws the switch."""
    st.session_state["pick-large-text"] = on()
    st.toggle(
        "Large text",
        key="pick-large-text",
        on_change=lambda: st.session_state.update({_LARGE: st.session_state["pick-large-text"]}),
        help="For a projector: text that is readable from the last row, the menu at the top, and figures of "
        "merit, downloads and signatures left out. The address keeps it.",
    )


def style() -> None:
    """Enlarges the page while the switch is on, and says so in the address."""
    if on():
        st.html(_STYLE)
        if st.query_params.get(_ADDRESS) != "yes":
            st.query_params[_ADDRESS] = "yes"
    elif _ADDRESS in st.query_params:
        del st.query_params[_ADDRESS]
