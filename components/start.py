"""What happens once a server and once a session; the menu, and links that go straight to a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage

from components.agreement import state as agreement
from components.annotate import state as annotate
from components.compare import state as compare
from components.consistency import state as consistency
from components.evaluate import state as evaluate
from components.numerals import state as numerals
from components.page_state import SCREEN
from components.room.state import JOINING
from components.security import require_protection, settle_mode
from components.timeline import state as timeline
from core.runtime import stay_offline


@st.cache_resource(show_spinner=False)
def _server() -> bool:
    """Settles the mode, and the hub libraries offline.

    Raises:
        InputError: This server must not be open as it was started.
    """
    if runtime.exists():
        settle_mode()
        require_protection()
    stay_offline()
    return True


def once() -> None:
    """Prepares the server on its first page and the session on its own."""
    _server()
    # Each view takes what the link that opened this session says before any page changes the address.
    for now in (
        SCREEN.now,
        timeline.now,
        timeline.LIST.now,
        compare.now,
        numerals.now,
        consistency.now,
        evaluate.now,
        annotate.now,
        agreement.now,
        JOINING.now,
    ):
        now()


HAS_MENU: Final = "has_menu"
_WANTED: Final = "wanted_page"


def run(sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draws the menu and runs the page that was chosen, or that a first link wanted.

    A page that the menu does not list has no menu either.
    """
    st.session_state[HAS_MENU] = True
    asked = urlsplit(st.context.url or "").path.rpartition("/")[2]
    bare = any(page.visibility == "hidden" and page.url_path == asked for page in chain(*sections.values()))
    chosen = st.navigation(
        {head: list(pages) for head, pages in sections.items()}, position="hidden" if bare else "top"
    )
    wanted = st.session_state.pop(_WANTED, None)
    if wanted is not None:
        st.switch_page(wanted)
    chosen.run()


def require_menu(script: str) -> None:
    """Sends a page that was started without the menu through `menu.py`."""
    if HAS_MENU not in st.session_state:
        st.session_state[_WANTED] = f"pages/{Path(script).name}"
        st.switch_page("menu.py")
