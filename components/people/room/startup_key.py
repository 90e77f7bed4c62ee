"""The start-up key: who has it opens rooms and studies."""

import hmac
import re
from typing import Final

import streamlit as st

from components.frame.errors import keep_error
from components.server.logs import audit
from components.server.server_keys import asks_for_key, startup_key
from components.server.signed_in import is_teacher
from core.errors import InputError

_KEY: Final = "room-key"
_MAY_OPEN: Final = "opens_rooms"


def may_open() -> bool:
    return not asks_for_key() or bool(st.session_state.get(_MAY_OPEN)) or is_teacher()


def ask_for_key() -> None:
    with st.form("room-key-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Start-up key", key=_KEY, type="password", autocomplete="off", width=240)
        st.form_submit_button("Next", type="primary", on_click=_take_key)
    st.caption("Who started the server opens rooms: the key stands where it was started.")


def _take_key() -> None:
    typed = re.sub(r"[\s-]+", "", str(st.session_state[_KEY])).casefold()
    if hmac.compare_digest(typed.encode(errors="replace"), startup_key().replace("-", "").encode()):
        st.session_state[_MAY_OPEN] = True
        audit("start-up key accepted")
    else:
        audit("start-up key refused")
        keep_error(InputError("That is not the start-up key.", hint="Look where the server was started."))
