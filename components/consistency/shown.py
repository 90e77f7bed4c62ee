"""What the Consistency page shows: one of its views, a triangle, and whether it is shown mended."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

TRIANGLES, SWAPS, REPAIRS, CHANGES = "Broken triangles", "Swapped pairs", "Repairs", "Small changes"
VIEWS: Final = (TRIANGLES, SWAPS, REPAIRS, CHANGES)

VIEW: Final = "lab-shown"
PLACE: Final = "lab-triangle"
MENDED: Final = "lab-mended"
_ALL: Final = (VIEW, PLACE, MENDED)


def threshold_key(scorer: str) -> str:
    """Key of the threshold that the reader chose for a scorer."""
    return f"lab-threshold-{scorer}"


def show(view: str, *, mended: bool = False) -> None:
    """Opens a view, the worst triangle in it."""
    st.session_state.update({VIEW: view, PLACE: 0, MENDED: mended})


def everything() -> dict[str, Any]:
    """What is shown, to come back to later."""
    return {
        str(name): value
        for name, value in st.session_state.items()
        if name in _ALL or str(name).startswith(threshold_key(""))
    }


def start_over() -> None:
    """Shows what a new visitor finds."""
    for name in everything():
        del st.session_state[name]


def back_to(shown: dict[str, Any]) -> None:
    """Comes back to what was shown."""
    start_over()
    st.session_state.update(shown)
