"""Fixes for screen readers and the keyboard where Streamlit's own elements lack them."""

from __future__ import annotations

import streamlit as st

from components.mounted import mounted

_watch = mounted(
    __file__, "headline_lab_accessibility", '<div class="headline-lab-fixes"></div>', isolate_styles=False
)


def fix() -> None:
    """Puts the fixes into the page, where they watch what is drawn and its theme; takes no room."""
    _watch(key="accessibility", data={"painted": st.context.theme.type}, on_theme_change=lambda: None)
