"""What happens once a server and once a session, and the menu."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage

from components import compare, consistency, numerals
from components.agreement import state as agreement
from components.annotate import state as annotate
from components.archive.state import ARCHIVE
from components.evaluate import state as evaluate
from components.page_state import OLD_ADDRESSES, PLACES, SCREEN
from components.room.state import JOINING
from components.security import require_protection, settle_mode
from components.timeline import state as timeline
from core.runtime import stay_offline


@st.cache_resource(show_spinner=False)
def _server() -> bool:
    if runtime.exists():
        settle_mode()
        require_protection()
    stay_offline()
    return True


def once() -> None:
    """Prepares the server on its first page and the session on its own."""
    _server()
    # Each view takes what the link that opened this session says before any page changes the address.
    shared = SCREEN, PLACES, timeline, timeline.LIST, compare, JOINING, ARCHIVE
    for view in (*shared, numerals, consistency, evaluate, annotate, agreement):
        view.now()


def run(sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draws the menu and runs the page that was chosen; a page that it does not list has none either."""
    asked = urlsplit(st.context.url or "").path.rpartition("/")[2]
    bare = any(page.visibility == "hidden" and page.url_path == asked for page in chain(*sections.values()))
    moved = [
        st.Page(partial(_lead, *there), title=old, url_path=old, visibility="hidden")
        for old, there in OLD_ADDRESSES.items()
    ]
    chosen = st.navigation(
        {head: list(pages) for head, pages in sections.items()} | {"Moved": moved},
        position="hidden" if bare else "top",
    )
    chosen.run()


def _lead(place: str, more: dict[str, str]) -> None:
    st.switch_page(f"pages/{place}.py", query_params=st.query_params.to_dict() | more)
