"""What the server says and refuses, over a visitor's socket too: docs/security.md has the promises."""

import ipaddress
import logging
import os
import re
import secrets
import socket
import sys
import threading
import tomllib
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, lru_cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core import files
from core.digests import read_signed, signed
from core.errors import DataSourceError, InputError
from core.runtime import MODE, Mode, mode, user_folder, workshop

VISITOR: Final = "headline_lab_visitor"
"""Cookie that tells a workshop's visitors apart, so that each sees its own files, also after a reload."""
ORDERS: Final = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"}
"""What pages tell the server; other orders show the owner's files, empty all caches or write files."""
PROTECTED: Final = re.compile(r"(?<!/static)/media/[^/]+$|/_stcore/upload_file/.*", re.DOTALL)
"""Addresses of whatever pages made, such as pictures, maps and downloads, and of uploaded files."""
LARGE: Final = 200_000  # bytes of a message from which it holds data alone, and no address
MOST: Final = 10_000  # visitors, and addresses of each, that are remembered
_sent: Final[OrderedDict[str, OrderedDict[str, None]]] = OrderedDict()
_lock: Final = threading.Lock()
log = logging.getLogger("headline_lab")
BROWSER: Final = "headline_lab_browser"
"""Cookie of a phone that opens a room: a signed token, so that it has one place there."""
COOKIE_SECONDS: Final = 2 * 24 * 3600  # how long a browser keeps its place in a room
HOSTS: Final = "HEADLINE_LAB_HOSTS"
"""Environment variable: names, with commas between, that visitors may ask by besides this computer's own."""
HEADERS: Final = tuple(
    (name.encode(), "; ".join(parts).encode())
    for name, parts in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
)
"""What every answer says: nothing is loaded from, or sent to, anywhere else."""
_OPEN: Final = (
    "Headline Lab was started for this computer alone, but others may reach this address. Start it with "
    f"{MODE}=workshop for visitors, or {MODE}=local where only you can reach it.\n"
)
_UNKNOWN: Final = (
    "Headline Lab does not know this address. The person who runs the server can allow it with "
    f"{HOSTS}=NAME at the start.\n"
)
_FOREIGN: Final = "Headline Lab answers no requests from other sites or ports.\n"
_METRICS: Final = "/_stcore/metrics"  # where Streamlit says what its server counts: for its owner alone
_installed: list[bool] = []


def is_anothers(scope: Scope) -> bool:
    """Whether a request asks for what was not sent to its visitor."""
    address = PROTECTED.search(scope["path"])
    return address is not None and not _has(_visitor(scope), address[0])


def _visitor(scope: Scope) -> str:
    return HTTPConnection(scope).cookies.get(VISITOR, "")


def _has(visitor: str, address: str) -> bool:
    return address in _sent.get(visitor, ())


def grant(visitor: str, address: str) -> None:
    """Lets a visitor ask for an address; those who send no cookie are not told apart, and have none."""
    if not (visitor and address):
        return
    with _lock:
        mine = _sent.setdefault(visitor, OrderedDict())
        mine[address] = None
        mine.move_to_end(address)
        _sent.move_to_end(visitor)
        for remembered in (_sent, mine):
            while len(remembered) > MOST:
                remembered.popitem(last=False)


def guarded(scope: Scope, receive: Receive, send: Send) -> tuple[Scope, Receive, Send]:
    """A socket that resumes and orders only what is its visitor's, and says nothing of this computer."""
    visitor, name = _visitor(scope), b"sec-websocket-protocol"
    protocols = HTTPConnection(scope).headers.get(name.decode(), "").split(",")
    if len(protocols) > 2 and not _has(visitor, protocols[2].strip()):
        others = [header for header in scope["headers"] if header[0] != name]
        scope = {**scope, "headers": [*others, (name, ",".join(protocols[:2]).encode("latin-1"))]}

    async def receive_own() -> Message:
        while True:
            message = await receive()
            if not message.get("bytes") or _is_own(message["bytes"], visitor):
                return message

    async def send_known(message: Message) -> None:
        content = message.get("bytes")
        small = content and len(content) <= LARGE
        await send({**message, "bytes": _noted(content, visitor)} if small else message)

    return scope, receive_own, send_known


def _is_own(content: bytes, visitor: str) -> bool:
    try:
        message = BackMsg.FromString(content)
    except Exception:
        return True  # Streamlit closes the socket
    asked = message.backend_operation_request
    if asked.WhichOneof("payload") == "deferred_file":
        return _has(visitor, asked.deferred_file.file_id)
    return asked.HasField("dataframe_chunk") or message.WhichOneof("type") in ORDERS


def _noted(content: bytes, visitor: str) -> bytes:
    message = ForwardMsg.FromString(content)
    for address in _addresses(message):
        grant(visitor, address)
    if message.HasField("new_session"):
        message.new_session.main_script_path = "menu.py"
        return message.SerializeToString()
    return content


def _addresses(message: ForwardMsg) -> Iterator[str]:
    """What Streamlit itself puts into a message; files that pages make are granted when they are made."""
    yield message.new_session.initialize.session_id
    yield message.backend_operation_response.deferred_file.url
    yield message.delta.new_element.download_button.deferred_file_id
    yield from (file.upload_url for file in message.file_urls_response.file_urls)


def is_open(address: str | None) -> bool:
    """Whether other computers reach a server that listens on that address; an unknown name counts as one."""
    if address == "localhost":
        return False
    try:
        return not ipaddress.ip_address((address or "").strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return True


def _is_known(name: str | None) -> bool:
    if not name:
        return False
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        listed = {part.strip().casefold() for part in os.environ.get(HOSTS, "").split(",")}
        return name.casefold().removesuffix(".") in listed | {"localhost"} | _own_names()
    return True


@lru_cache(maxsize=1)
def _own_names() -> frozenset[str]:
    name = socket.gethostname()
    return frozenset(host.casefold() for host in (name, f"{name}.local", socket.getfqdn()))


def settle_mode() -> None:
    """Makes an open address a workshop where nobody said what it is to be."""
    from streamlit import config

    if MODE not in os.environ and is_open(config.get_option("server.address")):
        os.environ[MODE] = Mode.WORKSHOP
    mode()


def require_protection() -> None:
    """Lets no workshop go on that was not started from `app.py`."""
    if workshop() and not _installed:
        said = "A workshop is not protected when it is started from menu.py."
        raise InputError(said, hint="Start it with `streamlit run app.py`, or on this computer only.")


class Security:
    """Middleware: security headers, a visitor's cookie in a workshop, no unknown name or open address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        _installed.append(True)
        if MODE in os.environ:
            _own_names()  # now, so that no request waits for the network

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if workshop() and scope["type"] == "websocket":
            await self._app(*guarded(scope, receive, send))
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [header for header in message.get("headers", []) if header[0] not in dict(HEADERS)]
                message = {**message, "headers": [*others, *HEADERS, *_cookies(scope, others)]}
            await send(message)

        await self._app(scope, receive, protected)


def _refusal(scope: Scope) -> tuple[int, str] | None:
    headers = HTTPConnection(scope).headers
    asked = headers.get("host", "")
    host = next(iter(_place(f"http://{asked}")), None)
    if MODE not in os.environ:
        address = (scope.get("server") or (None,))[0]
        if is_open(address) or is_open(host):
            return 403, _OPEN
    elif not _is_known(host):
        return 403, _UNKNOWN
    # What begins an address without a port tells which port it means; a proxy that ends https leaves it out.
    for origin in headers.getlist("origin"):
        scheme = origin.partition("://")[0]
        if not _place(origin) or _place(origin) != _place(f"{scheme}://{asked}"):
            return 403, _FOREIGN
    if workshop() and (scope["path"].rstrip("/").endswith(_METRICS) or is_anothers(scope)):
        return 404, "There is nothing at this address for visitors of a workshop.\n"
    return None


def _place(address: str) -> tuple[str, int] | tuple[()]:
    """Name and port of an address of the web; () of anything else."""
    try:
        parts = urlsplit(address)
        usual = {"http": 80, "https": 443}[parts.scheme]
        port = parts.port or usual
    except (ValueError, KeyError):
        return ()
    return (parts.hostname, port) if parts.hostname else ()


def set_cookie(scope: Scope, value: str, *, same_site: str = "Lax") -> tuple[bytes, bytes]:
    """The header of a cookie that no script reads, and that came by https never goes without."""
    headers = HTTPConnection(scope).headers
    said = scope["scheme"], headers.get("x-forwarded-proto", ""), headers.get("origin", "").partition(":")[0]
    secure = "; Secure" if any(one.partition(",")[0].strip().lower() == "https" for one in said) else ""
    return b"set-cookie", f"{value}; Path=/; HttpOnly; SameSite={same_site}{secure}".encode()


def _cookies(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    if not any(name == b"content-type" and b"text/html" in value for name, value in headers):
        return []
    try:
        given = SimpleCookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        given = SimpleCookie()
    made = []
    if workshop() and VISITOR not in given:
        made.append(f"{VISITOR}={secrets.token_hex(16)}")
    if scope["path"].endswith("/join") and not (BROWSER in given and browser_token(given[BROWSER].value)):
        token = signed(server_secret(), "browser", secrets.token_urlsafe())
        made.append(f"{BROWSER}={token}; Max-Age={COOKIE_SECONDS}")
    return [set_cookie(scope, cookie) for cookie in made]


def browser_token(cookie: str) -> str:
    """The token in the cookie of a phone; "" where this server did not sign it."""
    return read_signed(server_secret(), "browser", cookie)


@cache
def server_secret() -> bytes:
    """What this server signs with, the same after a new start."""
    try:
        return files.secret(user_folder() / "server.key")
    except DataSourceError as problem:
        log.warning("Places and tickets in rooms end with this server: %s", problem)
        return secrets.token_bytes(32)


def asks_for_key() -> bool:
    """Whether rooms are opened with the start-up key alone: where others than its owner reach the server."""
    from streamlit import config

    return workshop() or is_open(config.get_option("server.address"))


@cache
def startup_key() -> str:
    """What opens rooms until the server ends; written to its console, once, for the person who started it."""
    parts = secrets.token_hex(6)
    key = f"{parts[:4]}-{parts[4:8]}-{parts[8:]}"
    sys.stdout.write(f"\n  The start-up key, which opens rooms: {key}\n\n")
    sys.stdout.flush()
    return key


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "not for this name or address"})
        return
    headers = [*HEADERS, (b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
