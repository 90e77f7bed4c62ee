"""File descriptors: as many as the system allows, and none for sessions beside their sockets."""

import asyncio
import selectors
from typing import Any, Final

from streamlit.runtime.app_session import AppSession

MOST: Final = 10_240
"""The most that macOS gives a process, even where its hard limit is infinite; enough on Linux, too."""
FEW: Final = 1_024
_SELECTOR: Final[type[selectors.BaseSelector]] = getattr(selectors, "PollSelector", selectors.SelectSelector)


def raise_limit() -> int:
    """How many descriptors the server may have open from now on."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, most = (MOST if limit == resource.RLIM_INFINITY else limit for limit in (soft, hard))
    if now >= (wanted := min(MOST, most)):
        return now
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        return now
    return wanted


def word_on(limit: int) -> str:
    """What is said at the start of a limit that a class may reach; "" of others."""
    said = f"\n  Only {limit} files and connections may be open at once; a class may need more. "
    return f"{said}`ulimit -n {MOST}` before the start allows them.\n" if limit < FEW else ""


class ScriptLoop(asyncio.SelectorEventLoop):
    """An event loop that opens its descriptors when it first runs."""

    def __init__(self) -> None:
        super().__init__(_SELECTOR())

    def _make_self_pipe(self) -> None:
        self._ssock = self._csock = None

    def _close_self_pipe(self) -> None:
        if self._csock is not None:
            super()._close_self_pipe()  # type: ignore[misc]

    def run_forever(self) -> None:
        if self._csock is None:
            super()._make_self_pipe()  # type: ignore[misc]
        super().run_forever()


def spare_sessions() -> None:
    """Gives sessions loops that cost nothing: no page runs one, and 128 of gone sessions are kept."""
    begin = AppSession.__init__

    def begun(session: AppSession, *given: Any, **named: Any) -> None:
        begin(session, *given, **named)
        session._script_event_loop.close()
        session._script_event_loop = ScriptLoop()

    AppSession.__init__ = begun  # type: ignore[method-assign]
