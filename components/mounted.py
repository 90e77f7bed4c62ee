"""Components of our own, each mounted from a style sheet and a script that lie next to this module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def mounted(
    module: str, name: str, html: str, *, isolate_styles: bool = True, before: tuple[str, ...] = ()
) -> ComponentRenderer:
    """Registers a component, to be called once when its module is imported.

    Args:
        module: `__file__` of the module; next to it lie NAME.css and NAME.js.
        name: Of the component.
        html: What it starts with.
        isolate_styles: Keep its styles to itself; off for one that works on the whole page.
        before: Further scripts next to the module, which stand before NAME.js in one script.
    """
    files = Path(module).with_name(name)
    scripts = [files.with_name(f"{one}.js").read_text(encoding="utf-8") for one in (*before, name)]
    return st.components.v2.component(
        f"headline_lab_{name}",
        html=html,
        css=files.with_suffix(".css").read_text(encoding="utf-8"),
        js="\n".join(scripts),
        isolate_styles=isolate_styles,
    )


_draw = mounted(__file__, "copying", '<button type="button"><span class="label"></span></button>')


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws a button that copies a text, or without one the address of the page, and says so."""
    _draw(key=key, data={"label": label, "text": text}, width="content")


_BEGUN: Final = "pages-begun-at-top"
_watch = mounted(__file__, "accessibility", '<div class="headline-lab-fixes"></div>', isolate_styles=False)


def fix() -> None:
    """Puts the fixes into the page, where they watch what is drawn and its theme; takes no space."""
    data = {"painted": st.context.theme.type, "begun": st.session_state.get(_BEGUN, 0)}
    _watch(key="accessibility", data=data, on_theme_change=lambda: None, on_failed_change=lambda: None)


def begin_at_top() -> None:
    """Scrolls the page to its top when it is drawn next: something else is shown on it from then on."""
    st.session_state[_BEGUN] = st.session_state.get(_BEGUN, 0) + 1


_keep_cookie = mounted(__file__, "cookie", "<span></span>")


def keep_cookie(cookie: str, token: str, seconds: int, *, key: str) -> None:
    """Lets the browser keep a token in a cookie, or forget it where it is ""; takes no space."""
    _keep_cookie(key=key, data={"cookie": cookie, "token": token, "seconds": seconds})
