"""Who asks: the session of the running script, and whether a browser is still connected to it."""

import secrets

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.server.server_keys import BROWSER, browser_token
from components.server.visitor_files import VISITOR
from core.runtime import workshop


def current() -> str:
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def visitor() -> str:
    """Who owns what this session opens: "" for everybody on this computer; in a workshop each browser."""
    if not workshop():
        return ""
    return str(st.context.cookies.get(VISITOR, "")) or current()


def browser() -> str:
    """Token of the browser in rooms; without its cookie, of this session alone."""
    token = browser_token(str(st.context.cookies.get(BROWSER, "")))
    return token or str(st.session_state.setdefault("room_browser", secrets.token_urlsafe()))


def connected(session: str) -> bool:
    return not session or not runtime.exists() or runtime.get_instance().is_active_session(session)
