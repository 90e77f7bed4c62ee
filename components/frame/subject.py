"""What a page is about: the signature under its result, and nothing left of another subject."""

from typing import Final

import streamlit as st

from components.frame.page_state import is_large
from core.digests import digest

_ABOUT: Final = "page_about"
_HIDDEN: Final = "page_hidden"


def now_about(subject: str) -> None:
    """Says what the page is about: what is still there of another subject goes at once."""
    if st.session_state.get(_ABOUT, subject) != subject:
        rule = '[data-testid="stMain"] [data-stale="true"] { display: none; }'
        st.session_state[_HIDDEN] = st.html(f"<style>{rule}</style>")
    st.session_state[_ABOUT] = subject


def show_again() -> None:
    if hidden := st.session_state.pop(_HIDDEN, None):
        hidden.empty()


def signature(text: str) -> None:
    """The line under a result that says what it depends on; not for a class."""
    if is_large():
        return
    short = digest(text, digits=8)
    with st.popover(f"Signature {short}", icon=":material/fingerprint:", type="tertiary"):
        st.caption(f"`{text.replace('`', '')}`")
