"""Who asks: the session of the running script, and whether somebody's browser is still connected to one."""

from __future__ import annotations

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def current() -> str:
    """Id of the session whose script runs; "" outside of one."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def connected(session: str) -> bool:
    """Whether a browser is connected to the session; without a server every session is."""
    return not session or not runtime.exists() or runtime.get_instance().is_active_session(session)
