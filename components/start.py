"""What happens once a server and once a session."""

from __future__ import annotations

import streamlit as st
from streamlit import runtime

from components import large_text, state
from components.compare import view
from components.evaluate import view as evaluate_view
from components.numerals import view as numerals_view
from components.security import require_protection, settle_mode
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
    large_text.adopt_address()
    state.adopt_address()
    view.adopt_address()
    numerals_view.adopt_address()
    evaluate_view.adopt_address()
