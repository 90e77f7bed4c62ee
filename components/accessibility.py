"""Mends for screen readers and the keyboard where Streamlit's own elements lack them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

_HERE: Final = Path(__file__).parent
_watch = st.components.v2.component(
    "headline_lab_accessibility",
    html='<div class="headline-lab-mends"></div>',
    css=(_HERE / "accessibility.css").read_text(encoding="utf-8"),
    js=(_HERE / "accessibility.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def mend() -> None:
    """Puts the mends into the page, where they watch what is drawn and its theme; takes no room."""
    _watch(key="accessibility", data={"painted": st.context.theme.type}, on_theme_change=lambda: None)
