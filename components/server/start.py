"""What the server does when it starts, and each day from then on."""

import asyncio
import gc
import logging
import selectors
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit import config, net_util, runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.web.server.server_util import get_url

from components.server import other_servers, server_keys, visitor_files
from components.server.logs import audit
from core import __version__, files
from core.errors import CoreError
from core.runtime import mode, place_compiled, stay_offline, user_folder

log = logging.getLogger("headline_lab")
DAY_SECONDS: Final = 86_400
LOOK_SECONDS: Final = 10  # between two looks at whether a webhook of a study is due
WAIT_SECONDS: Final = 0.01  # until a fragment asks again whether the run before it has ended
FILES_SECONDS: Final = 10.0  # that a file which was made for a download is there at least
MOST: Final = 10_240  # what macOS gives a process where its hard limit is infinite; enough on Linux, too
FEW: Final = 1_024
_SELECTOR: Final[type[selectors.BaseSelector]] = getattr(selectors, "PollSelector", selectors.SelectSelector)


@asynccontextmanager
async def serving(
    _app: object, *, import_first: Callable[[], None], read_ahead: Callable[[], None]
) -> AsyncIterator[None]:
    """Imports before the server is up: an importing thread and a page would only wait for each other."""
    stay_offline()
    place_compiled()
    files.sweep_temporary()
    # As `st.navigation` does in its first run. Until then Streamlit takes the folder `pages` for the menu,
    # and the first sessions of a server that was started again come to another page than they had open.
    PagesManager.uses_pages_directory = False
    send_at_once(asyncio.get_running_loop())
    spare_sessions()
    finish_runs()
    few = word_on(raise_limit())
    if runtime.exists():
        keep_files(runtime.get_instance().media_file_mgr)
    await asyncio.to_thread(import_first)
    # What is imported stays: no later garbage collection looks through it again.
    gc.freeze()
    await asyncio.to_thread(open_journal)
    say_where()
    sys.stdout.write(few)
    if server_keys.asks_for_key():
        server_keys.startup_key()
    for work in (read_ahead, delete_daily, tell_webhooks):
        threading.Thread(target=work, name=work.__name__, daemon=True).start()
    yield


def send_at_once(loop: asyncio.AbstractEventLoop) -> None:
    """Sends each answer 40 ms sooner, when it is written (TCP_NODELAY), in servers started from now on."""
    start = loop.create_server

    async def create_server(*args: Any, sock: socket.socket | None = None, **more: Any) -> Any:
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            # Connections that are accepted by it have what it has.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await start(*args, sock=sock, **more)

    loop.create_server = create_server  # type: ignore[method-assign]


def keep_files(manager: MediaFileManager) -> None:
    """Lets visitors ask for files that pages made; Streamlit would drop them before a class has them."""
    add, remove, last = manager.add, manager.remove_orphaned_files, time.monotonic()

    def added(*given: Any, **named: Any) -> str:
        address = add(*given, **named)
        # Not what messages hold: headlines that say the address of another's file are in them, too.
        visitor_files.grant(str(st.context.cookies.get(visitor_files.VISITOR, "")), address)
        return address

    def now_and_then() -> None:
        nonlocal last
        if time.monotonic() - last >= FILES_SECONDS:
            last = time.monotonic()
            remove()

    manager.add, manager.remove_orphaned_files = added, now_and_then  # type: ignore[method-assign]


def say_where() -> None:
    # And again where a page of another name connects.
    net_util.get_external_ip = lambda: None
    address = config.get_option("server.address") or "localhost"
    names = ("localhost", net_util.get_internal_ip()) if address in ("0.0.0.0", "::") else (address,)  # noqa: S104
    sys.stdout.write("".join(f"\n  Headline Lab: {get_url(name)}\n" for name in names))
    sys.stdout.flush()


def open_journal() -> None:
    """Brings what an older version stored up to date, and logs what cannot be read or opened."""
    from core.journal.journal import the_journal
    from core.journal.opening import default_url, open_database
    from core.journal.verify import unread

    try:
        about = {"database": open_database(default_url()).place, "user_folder": user_folder()}
        audit("start", version=__version__, mode=mode().value, **about)
        for sentence in unread(the_journal()):
            log.warning("%s `headline-lab verify` says this too.", sentence)
        other_servers.note_server()
        for sentence in filter(None, (other_servers.files_apart(), other_servers.rooms_apart())):
            log.warning("%s", sentence)
    except CoreError as problem:
        log.error("Nothing can be saved now: %s %s", problem, problem.hint)


def delete_daily() -> None:
    """Deletes after the start, and each day, what studies promise to keep no longer."""
    time.sleep(30)  # until the first picture stands
    from core.journal.journal import the_journal
    from core.people.studies import delete_expired

    while True:
        try:
            other_servers.note_server()
            if removed := delete_expired(the_journal()):
                log.info("%s answers of studies were deleted: their days were over.", removed)
        except CoreError as problem:
            log.warning("What is done each day could not be done: %s", problem)
        time.sleep(DAY_SECONDS)


def tell_webhooks() -> None:
    """Tells the webhooks of studies, from the first that there is."""
    from core.journal.journal import the_journal
    from core.study_access.study_webhooks import WebhookWatch

    watch = WebhookWatch(the_journal())
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            watch.look()
        except CoreError as problem:
            log.warning("Webhooks of studies are not told now: %s", problem)


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


def finish_runs() -> None:
    """Lets what a run sent arrive before a fragment runs anew.

    Between its last line and its end a run takes no request. Streamlit begins another one then and drops what
    of the first is on its way: parts of the page, and clocks of its fragments, so that a phone stands still.
    """
    request = AppSession.request_rerun
    newest: WeakKeyDictionary[AppSession, ClientState | None] = WeakKeyDictionary()

    def requested(session: AppSession, client_state: ClientState | None) -> None:
        newest[session], runner = client_state, session._scriptrunner
        ended = runner is not None and runner._requests._state is ScriptRequestType.STOP
        if ended and client_state is not None and client_state.fragment_id:
            session._event_loop.call_later(WAIT_SECONDS, ask_again, session, client_state)
        else:
            request(session, client_state)

    def ask_again(session: AppSession, client_state: ClientState) -> None:
        # A clock that was overtaken would bring back what fields had before, and strikes again anyway.
        if newest[session] is client_state or not client_state.is_auto_rerun:
            session.request_rerun(client_state)

    AppSession.request_rerun = requested  # type: ignore[method-assign]
