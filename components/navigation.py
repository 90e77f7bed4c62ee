"""The menu, and links that go straight to a page of a server that has just started.

Until `st.navigation` has run once in a server, Streamlit takes the folder `pages/` for its older
kind of multipage app and runs a linked page without `app.py`. Such a page goes through `app.py`
first, so that every visitor gets the same menu.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from components import large_text

HAS_MENU: Final = "has_menu"
_WANTED: Final = "wanted_page"


def run(sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draws the menu and runs the page that was chosen, or that a first link wanted."""
    st.session_state[HAS_MENU] = True
    chosen = st.navigation(
        {head: list(pages) for head, pages in sections.items()},
        # A menu of large text beside the page would leave the page too little room.
        position="top" if large_text.on() else "sidebar",
    )
    wanted = st.session_state.pop(_WANTED, None)
    if wanted is not None:
        st.switch_page(wanted)
    chosen.run()


def require_menu(script: str) -> None:
    """Sends a page that was started without the menu through `app.py`.

    Args:
        script: `__file__` of the page.
    """
    if HAS_MENU not in st.session_state:
        st.session_state[_WANTED] = f"pages/{Path(script).name}"
        st.switch_page("app.py")
