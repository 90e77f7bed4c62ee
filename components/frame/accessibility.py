"""What Streamlit's pages lack for screen readers and the keyboard."""

from typing import Final

import streamlit as st

from components.frame.language import LANGUAGES, language
from components.frame.mounting import mounted
from components.frame.page_state import HEAD

_BEGUN: Final = "pages-begun-at-top"
_HTML: Final = '<div class="headline-lab-fixes"></div>'
_watch: Final = mounted(__file__, "accessibility", _HTML, isolate_styles=False)


def draw_accessibility_fixes() -> None:
    """Puts the fixes into the page, where they watch what is drawn and its theme; takes no space."""
    data = {"painted": st.context.theme.type, "begun": st.session_state.get(_BEGUN, 0)}
    data["head"] = st.session_state.get(HEAD, "")
    data |= {"lang": language(), "dir": LANGUAGES[language()]["direction"]}
    _watch(key="accessibility", data=data, on_theme_change=lambda: None, on_failed_change=lambda: None)


def begin_at_top() -> None:
    """Scrolls the page to its top when it is drawn next: something else is shown on it from then on."""
    st.session_state[_BEGUN] = st.session_state.get(_BEGUN, 0) + 1
