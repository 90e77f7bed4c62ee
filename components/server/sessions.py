"""Who asks: the session of the running script, and whether somebody's browser is still connected to one."""

import asyncio
import gc
import gzip
import json
import logging
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final

import streamlit
import streamlit as st
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from streamlit import config, net_util, runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.server_util import get_url

from components.server.descriptors import raise_limit, spare_sessions, word_on
from components.server.security import BROWSER, VISITOR, asks_for_key, browser_token, grant, startup_key
from core.errors import CoreError
from core.plugin_files import page_scripts
from core.runtime import stay_offline, workshop


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


STATIC: Final = Path(streamlit.__file__).parent / "static"
"""Streamlit's page and its scripts; each script is called NAME.HASH.js."""
KINDS: Final = {"js": "text/javascript", "css": "text/css"}
YEAR: Final = "public, immutable, max-age=31536000"  # A name with a hash in it never means anything else
_FILES: Final = {
    kind: {file.name: file for file in (STATIC / "static" / kind).glob(f"*.{kind}")} for kind in KINDS
}
LEVEL: Final = 6  # of compression; 9 takes twice as long for 1 % less
FIRST_SCRIPTS: Final = re.compile(
    r"(BidiComponent|Button|ButtonGroup|Checkbox|DownloadButton|Html|Selectbox|Slider|Table|TextInput)\.[^.]+\.js"
)
"""Scripts of the first page; Streamlit asks for each when its element arrives."""


@lru_cache(maxsize=512)
def packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), LEVEL, mtime=0)


async def script(kind: str, request: Request) -> Response:
    """A script or style sheet of Streamlit's, compressed: over 1.6 Mbit/s ten seconds instead of thirty."""
    file = _FILES[kind].get(request.path_params["name"])
    if file is None:
        return Response("There is nothing at this address.\n", 404, media_type="text/plain")
    about = {"cache-control": YEAR, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(file, media_type=KINDS[kind], headers=about)
    body = await asyncio.to_thread(packed, file)
    return Response(body, media_type=KINDS[kind], headers=about | {"content-encoding": "gzip"})


SCRIPTS: Final = [Route(f"/{{before:path}}static/{kind}/{{name}}", partial(script, kind)) for kind in KINDS]


def addresses() -> list[str]:
    """Addresses of the first scripts and their imports, without those that Streamlit's page names itself."""
    named = _HERE.findall((STATIC / "index.html").read_text(encoding="utf-8"))
    wanted = [name for name in _FILES["js"] if FIRST_SCRIPTS.fullmatch(name)]
    return [f"./static/js/{name}" for name in sorted(_with_imports(wanted) - _with_imports(named))]


_HERE: Final = re.compile(r"/static/js/([\w.$-]+\.js)")
_IMPORT: Final = re.compile(r'(?:from|import)\s*"\./([\w.$-]+\.js)"')


def _with_imports(names: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in seen and name in _FILES["js"]:
            seen.add(name)
            left += _IMPORT.findall(_FILES["js"][name].read_text(encoding="utf-8"))
    return seen


def send_at_once(loop: asyncio.AbstractEventLoop) -> None:
    """Sends each answer 40 ms sooner, when it is written (TCP_NODELAY), in servers started from now on."""
    start = loop.create_server

    async def create_server(*args: Any, sock: socket.socket | None = None, **more: Any) -> Any:
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            # Connections that are accepted by it have what it has.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await start(*args, sock=sock, **more)

    loop.create_server = create_server  # type: ignore[method-assign]


def pages() -> list[str]:
    return [*_own_pages(), *page_scripts()]


def script_of(place: str) -> str:
    return str(page_scripts().get(place, f"pages/{place}.py"))


@cache
def _own_pages() -> list[str]:
    menu = Path(__file__).parents[2] / "menu.py"
    return re.findall(r'st\.Page\("pages/(\w+)\.py"', menu.read_text(encoding="utf-8"))


def base_script() -> str:
    """Tells Streamlit's page where its server is: else it looks under the open page's address first."""
    return (
        "<script>{"
        f"const pages = {json.dumps(pages())};"
        "const parts = location.pathname.split('/').filter(Boolean);"
        "if (pages.includes(parts.at(-1))) parts.pop();"
        "window.__streamlit = { BACKEND_BASE_URL: new URL('/' + parts.join('/'), location.origin).href };"
        "}</script>"
    )


class Front(BaseHTTPMiddleware):
    """The page says where its server is, and a header which scripts it will need."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._link = ", ".join(f"<{address}>; rel=modulepreload" for address in addresses())
        # One step of the reader is one entry in the browser's history.
        history = Path(__file__).with_name("history.js").read_text(encoding="utf-8")
        chrome = Path(__file__).with_name("chrome.css").read_text(encoding="utf-8")
        self._scripts = f"{base_script()}<script>{history}</script><style>{chrome}</style>".encode()

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        path = request.url.path
        wants_page = "." not in path.rpartition("/")[2] and "/_stcore/" not in path
        if request.method != "GET" or not wants_page:
            return await call_next(request)
        # A compressed or unchanged page could not be added to.
        unwanted = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] not in unwanted]
        page = await call_next(request)
        if page.status_code != 200 or "text/html" not in page.headers.get("content-type", ""):
            return page
        body = b"".join([part async for part in page.body_iterator])
        answer = Response(body.replace(b"<head>", b"<head>" + self._scripts, 1))
        answer.raw_headers += [pair for pair in page.raw_headers if pair[0] != b"content-length"]
        answer.headers["link"] = self._link
        return answer


log = logging.getLogger("headline_lab")

DAY_SECONDS: Final = 86_400


@asynccontextmanager
async def serving(
    _app: object, *, import_first: Callable[[], None], read_ahead: Callable[[], None]
) -> AsyncIterator[None]:
    """Imports before the server is up: an importing thread and a page would only wait for each other."""
    stay_offline()
    # As `st.navigation` does in its first run. Until then Streamlit takes the folder `pages` for the menu,
    # and the first sessions of a server that was started again come to another page than they had open.
    PagesManager.uses_pages_directory = False
    send_at_once(asyncio.get_running_loop())
    spare_sessions()
    few = word_on(raise_limit())
    if runtime.exists():
        keep_files(runtime.get_instance().media_file_mgr)
    await asyncio.to_thread(import_first)
    # What is imported stays: no later garbage collection looks through it again.
    gc.freeze()
    say_where()
    sys.stdout.write(few)
    if asks_for_key():
        startup_key()
    for work in (read_ahead, delete_daily):
        threading.Thread(target=work, name=work.__name__, daemon=True).start()
    yield


FILES_SECONDS: Final = 10.0  # that a file which was made for a download is there at least


def keep_files(manager: MediaFileManager) -> None:
    """Lets visitors ask for files that pages made; Streamlit would drop them before a class has them."""
    add, remove, last = manager.add, manager.remove_orphaned_files, time.monotonic()

    def added(*given: Any, **named: Any) -> str:
        address = add(*given, **named)
        # Not what messages hold: headlines that say the address of another's file are in them, too.
        grant(str(st.context.cookies.get(VISITOR, "")), address)
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


def delete_daily() -> None:
    """Deletes after the start, and each day, what studies promise to keep no longer."""
    time.sleep(30)  # until the first picture stands
    from core.journal.journal import the_journal
    from core.people.studies import delete_expired

    while True:
        try:
            if removed := delete_expired(the_journal()):
                log.info("%s answers of studies were deleted: their days were over.", removed)
        except CoreError as problem:
            log.warning("Answers of studies could not be deleted in time: %s", problem)
        time.sleep(DAY_SECONDS)
