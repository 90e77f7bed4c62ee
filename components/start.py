"""What happens once a server and once a session."""

from __future__ import annotations

import streamlit as st
from streamlit import runtime

from components.compare import state as compare
from components.consistency import state as consistency
from components.evaluate import state as evaluate
from components.numerals import state as numerals
from components.page_state import SCREEN
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
    for now in (SCREEN.now, timeline.now, compare.now, numerals.now, consistency.now, evaluate.now):
        now()
