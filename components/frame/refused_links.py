"""What a link said that a page ignores."""

from typing import Final

import streamlit as st

from components.frame.markdown import plain

REFUSED: Final = "refused_in_link"


def came_by_link(name: str) -> bool:
    return name in names_by_link()


def refuse_link(name: str, given: str, wants: str) -> None:
    """Keeps a sentence on a value of the link that is ignored; `draw_refused` draws it."""
    shown = f"{name}={given}"
    shown = shown if len(shown) <= 80 else f"{shown[:79]}…"
    st.session_state.setdefault(REFUSED, {})[name] = (None, f"“{shown}” in the link is not {wants}.")


def draw_refused(script: str) -> None:
    """Draws what the link of this page said that is ignored, until the reader goes to another page."""
    refused: dict[str, tuple[str | None, str]] = st.session_state.get(REFUSED, {})
    here = {name: said for name, (page, said) in refused.items() if page in (None, script)}
    st.session_state[REFUSED] = {name: (script, said) for name, said in here.items()}
    if here:
        said = "  \n".join(map(plain, here.values()))
        st.warning(f"{said} The rest of the link is used.", icon=":material/link_off:")


def names_by_link() -> set[str]:
    names: set[str] = st.session_state.setdefault("came_by_link", set())
    return names
