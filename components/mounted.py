"""Components of our own, each mounted from the style sheet and the script that lie beside its module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def mounted(module: str, name: str, html: str, *, isolate_styles: bool = True) -> ComponentRenderer:
    """Registers a component, to be called once when its module is imported.

    Args:
        module: `__file__` of the module; its style sheet and script have the same name with .css and .js.
        name: What Streamlit calls the component.
        html: What it starts with.
        isolate_styles: Keep its styles to itself; off for one that works on the whole page.
    """
    beside = Path(module)
    return st.components.v2.component(
        name,
        html=html,
        css=beside.with_suffix(".css").read_text(encoding="utf-8"),
        js=beside.with_suffix(".js").read_text(encoding="utf-8"),
        isolate_styles=isolate_styles,
    )
