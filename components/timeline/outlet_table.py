"""The user's table of outlets: given, kept and removed."""

from typing import Final

import streamlit as st

from components.frame.errors import errors_shown
from components.frame.markdown import HELPS
from components.frame.widgets import button
from components.opened.reading import read
from core.events.outlet_table import decoded, encoded, read_outlet_table, store_outlets, stored_outlets
from core.results.render import count_words
from core.runtime import workshop

_TABLE: Final = "outlet-table"  # in a workshop each session has its own, which ends with it
_GIVEN: Final = "outlet-table-given"


def outlet_table() -> bytes:
    return st.session_state.get(_TABLE, b"") if workshop() else stored_outlets()


def _keep(table: bytes) -> None:
    if workshop():
        st.session_state[_TABLE] = table
    else:
        store_outlets(table)


def table_form() -> None:
    """Draws where a table of outlets is given, and what is known of how many."""
    known = decoded(outlet_table())
    given = st.file_uploader("A table of your outlets", key="outlet-table-file", help=HELPS["outlet-table"])
    if given is not None and st.session_state.get(_GIVEN) != given.file_id:
        with errors_shown("Timeline"):
            table = read("Reading the table", read_outlet_table, given.getvalue(), given.name)
            _keep(encoded(table))
            st.session_state[_GIVEN] = given.file_id
            st.rerun()
    if known.columns:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                f"The table knows {count_words(len(known.outlets), 'outlet', 'outlets')}.", width="content"
            )
            button("Remove the table", "outlet-table-remove", _keep, b"", icon="delete", type="tertiary")
