"""A button that puts a text, or the address of the page, into the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

_HERE: Final = Path(__file__).parent
_draw = st.components.v2.component(
    "headline_lab_copying",
    html='<button type="button"><span class="label"></span></button>',
    css=(_HERE / "copying.css").read_text(encoding="utf-8"),
    js=(_HERE / "copying.js").read_text(encoding="utf-8"),
)


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws the button; it says so when it has copied.

    Args:
        label: Words on the button.
        key: Of the component.
        text: What is copied; None for the address of the page.
    """
    _draw(key=key, data={"label": label, "text": text}, width="content")
