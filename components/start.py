"""What happens once a server and once a session."""

from __future__ import annotations

import streamlit as st

from components import large_text, state
from components.compare import view
from components.evaluate import view as evaluate_view
from components.numerals import view as numerals_view
from core.runtime import stay_offline


@st.cache_resource(show_spinner=False)
def _server() -> bool:
    """Settles the hub libraries offline."""
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
