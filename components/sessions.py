"""Who asks: the session of the running script, and whether somebody's browser is still connected to one."""

from __future__ import annotations

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
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import streamlit
import streamlit as st
from streamlit import config, net_util, runtime
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.server_util import get_url

from components.security import BROWSER, VISITOR, asks_for_key, browser_token, startup_key
from core.errors import CoreError
from core.runtime import Runtime, stay_offline, workshop

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


def current() -> str:
    """Id of the session whose script runs; "" outside of one."""
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
    """Whether a browser is connected to the session; without a server every session is."""
    return not session or not runtime.exists() or runtime.get_instance().is_active_session(session)


STATIC: Final = Path(streamlit.__file__).parent / "static"
"""Streamlit's page and its scripts; each script is called NAME.HASH.js."""
KINDS: Final = {".js": b"text/javascript; charset=utf-8", ".css": b"text/css; charset=utf-8"}
YEAR: Final = b"public, immutable, max-age=31536000"  # A name with a hash in it never means anything else
LEVEL: Final = 6  # of compression; 9 takes twice as long for 1 % less
SCRIPT_NAMES: Final = (
    "BidiComponent",
    "Button",
    "ButtonGroup",
    "Checkbox",
    "DownloadButton",
    "Html",
    "Selectbox",
    "Slider",
    "Table",
    "TextInput",
)
"""Names of scripts of the first page. Streamlit asks for each when its element arrives."""


@lru_cache(maxsize=512)
def packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), LEVEL, mtime=0)


def scripts() -> dict[str, Path]:
    found = (file for kind in ("js", "css") for file in (STATIC / "static" / kind).glob(f"*.{kind}"))
    return {f"/static/{file.parent.name}/{file.name}": file for file in found}


class Static:
    """Middleware: sends scripts and style sheets compressed to browsers that can read it.

    Streamlit sends them as they are, which on one computer is quicker; over 1.6 Mbit/s it is the difference
    between ten seconds and half a minute.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files = scripts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        file = self._files.get(path[path.find("/static/") :]) if "/static/" in path else None
        plain = scope["type"] != "http" or scope["method"] != "GET"
        reads_gzip = (
            name == b"accept-encoding" and b"gzip" in value for name, value in scope.get("headers", ())
        )
        if file is None or plain or not any(reads_gzip):
            await self._app(scope, receive, send)
            return
        body = await asyncio.to_thread(packed, file)
        headers = [
            (b"content-type", KINDS[file.suffix]),
            (b"content-encoding", b"gzip"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", YEAR),
            (b"vary", b"accept-encoding"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def addresses() -> list[str]:
    """Addresses of the scripts and of all that they import, relative to any page.

    A browser learns what a script imports when it has read it, one round trip after the other. What
    Streamlit's page names itself, and what this Streamlit does not have, is left out.
    """
    named = _HERE.findall((STATIC / "index.html").read_text(encoding="utf-8"))
    wanted = [script.name for name in SCRIPT_NAMES for script in sorted(_SCRIPTS.glob(f"{name}.*.js"))]
    return [f"./static/js/{name}" for name in sorted(_with_imports(wanted) - _with_imports(named))]


_SCRIPTS: Final = STATIC / "static" / "js"
_HERE: Final = re.compile(r"/static/js/([\w.$-]+\.js)")
_IMPORT: Final = re.compile(r'(?:from|import)\s*"\./([\w.$-]+\.js)"')


def _with_imports(names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found and (_SCRIPTS / name).is_file():
            found.add(name)
            left += _IMPORT.findall((_SCRIPTS / name).read_text(encoding="utf-8"))
    return found


def send_at_once(loop: asyncio.AbstractEventLoop) -> None:
    """Sends each answer when it is written, for all servers that a loop starts from now on.

    The kernel holds back a small packet until the one before it is acknowledged, and the other side takes
    40 ms to acknowledge a lone one: the head of an answer and its body, or two messages of a page. asyncio
    turns that off (TCP_NODELAY) for sockets that say that they are of TCP; Streamlit's does not say so.
    """
    start = loop.create_server

    async def create_server(*args: Any, sock: socket.socket | None = None, **more: Any) -> Any:
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            # Connections that are accepted by it have what it has.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await start(*args, sock=sock, **more)

    loop.create_server = create_server  # type: ignore[method-assign]


def pages() -> list[str]:
    menu = Path(__file__).parent.parent / "menu.py"
    return re.findall(r'st\.Page\("pages/(\w+)\.py"', menu.read_text(encoding="utf-8"))


def base_script() -> str:
    """Tells Streamlit's page where its server is.

    It would look for it under the address of the open page first, which is one answer "not found" after the
    other on every page but the first. What stands before the page's name, as behind a proxy, is kept.
    """
    return (
        "<script>{"
        f"const pages = {json.dumps(pages())};"
        "const parts = location.pathname.split('/').filter(Boolean);"
        "if (pages.includes(parts.at(-1))) parts.pop();"
        "window.__streamlit = { BACKEND_BASE_URL: new URL('/' + parts.join('/'), location.origin).href };"
        "}</script>"
    )


class Front:
    """Middleware: the page says where its server is, and a header which scripts it will need."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._link = ", ".join(f"<{address}>; rel=modulepreload" for address in addresses()).encode()
        # One step of the reader is one entry in the browser's history.
        history = Path(__file__).with_name("history.js").read_text(encoding="utf-8")
        self._scripts = f"{base_script()}<script>{history}</script>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        # A compressed or unchanged page could not be added to.
        unwanted = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        asked = [(name, value) for name, value in scope["headers"] if name not in unwanted]
        held: list[Message] = []
        body = bytearray()

        async def added(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                kinds = [value for name, value in message["headers"] if name == b"content-type"]
                if any(b"text/html" in value for value in kinds):
                    held.append(message)
                    return
            if not held:
                await send(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            whole = bytes(body).replace(b"<head>", b"<head>" + self._scripts, 1)
            kept = [one for one in held[0]["headers"] if one[0] != b"content-length"]
            size = (b"content-length", str(len(whole)).encode())
            await send({**held[0], "headers": [*kept, size, (b"link", self._link)]})
            await send({"type": "http.response.body", "body": whole})

        wants_page = "." not in scope["path"].rpartition("/")[2] and "/_stcore/" not in scope["path"]
        await self._app({**scope, "headers": asked} if wants_page else scope, receive, added)


log = logging.getLogger("headline_lab")

FIRST_PAGE = (
    "pandas",
    "components.timeline.workspace",
    "components.timeline.card",
    "components.timeline.group_list",
    "components.timeline.history",
    "components.page",
    "threadpoolctl",
    "core.groups.average_linkage",
    "core.pairs.scorers.event_similarity",
)
"""Modules in the order in which the Timeline page asks for them.

Not torch: the vectors of the first timeline ship, and its second of importing would come before the picture.
"""
LATER: Final = ("torch", "tokenizers", "core.models.networks.bert")
"""What the next pages need, imported when the first picture stands."""
FIRST_PICTURE_SECONDS: Final = 5.0


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """Imports before the server is up: an importing thread and a page would only wait for each other."""
    stay_offline()
    # As `st.navigation` does in its first run. Until then Streamlit takes the folder `pages` for the menu,
    # and the first sessions of a server that was started again come to another page than they had open.
    PagesManager.uses_pages_directory = False
    send_at_once(asyncio.get_running_loop())
    await asyncio.to_thread(import_ahead)
    # What is imported stays: no later garbage collection looks through it again.
    gc.freeze()
    say_where()
    if asks_for_key():
        startup_key()
    threading.Thread(target=read_ahead, name="ahead", daemon=True).start()
    yield


def say_where() -> None:
    """Writes the app's address to the console; Streamlit would ask the internet for one more."""
    # And again where a page of another name connects.
    net_util.get_external_ip = lambda: None
    address = config.get_option("server.address") or "localhost"
    names = ("localhost", net_util.get_internal_ip()) if address in ("0.0.0.0", "::") else (address,)  # noqa: S104
    sys.stdout.write("".join(f"\n  Headline Lab: {get_url(name)}\n" for name in names))
    sys.stdout.flush()


def import_ahead(names: Sequence[str] = FIRST_PAGE) -> None:
    """Imports modules, those of the first page by default; what is missing is left for the page to say."""
    for name in names:
        try:
            import_module(name)
        except ImportError as problem:
            log.warning("%s could not be loaded ahead: %s", name, problem)


def read_ahead() -> None:
    """Groups the timeline that opens first, starts the process that reads files, and imports the rest."""
    # Not at the top: what is imported there delays the first sign of life in the terminal.
    from components import importer
    from core.data.timelines import load
    from core.events.grouping import Settings, prepare

    try:
        prepare(load.load_sample(load.DEFAULT), Settings(), Runtime())
    except CoreError as problem:
        log.warning("The first timeline could not be read ahead: %s", problem)
    importer.warm()  # the first page needs no file
    time.sleep(FIRST_PICTURE_SECONDS)
    import_ahead(LATER)
