"""Large text for a classroom: one switch, kept in the session and in the address.

Streamlit sizes everything in rem, so the root's font size enlarges the page; figures are drawn in
pixels and ask `on` (components.charts.theme). What a class does not need is left out meanwhile.
"""

from pathlib import Path
from typing import Final

import streamlit as st

from components.page_state import SCREEN, controlled, follow

ROOT_PIXELS: Final = 22  # font size of the root while text is large, as in the style sheet; 16 otherwise
_STYLE: Final = Path(__file__).parent / "large_text.css"


def on() -> bool:
    return SCREEN.now().large


def switch() -> None:
    st.toggle(
        "Large text",
        **controlled("pick-large-text", on(), lambda chosen: SCREEN.put(large=chosen)),
        help="For a projector: text that is readable from the last row, without scores, downloads and "
        "signatures. The address keeps it.",
    )


def style() -> None:
    """Enlarges the page while the switch is on, and says so in the address."""
    follow(SCREEN.part())
    if on():
        st.html(_STYLE)
        if st.query_params.get("large") != "yes":
            st.query_params["large"] = "yes"
    elif "large" in st.query_params:
        del st.query_params["large"]
