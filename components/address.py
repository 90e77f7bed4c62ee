"""The address bar, which mirrors what a page shows."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import large_text


def mirror(wanted: Mapping[str, str]) -> None:
    """Puts values into the address bar, beside the size of text; empty ones are left out."""
    kept = {name: value for name, value in wanted.items() if value} | large_text.address()
    if dict(st.query_params) != kept:
        st.query_params.from_dict(kept)
