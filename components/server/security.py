"""What the server says and refuses: docs/security.md has the promises."""

import ipaddress
import os
import secrets
import socket
import tomllib
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server.server_keys import BROWSER, COOKIE_SECONDS, browser_token, is_open, server_secret
from components.server.signed_in import believed
from components.server.visitor_files import VISITOR, guarded, is_anothers
from core.digests import signed
from core.errors import InputError
from core.runtime import MODE, Mode, mode, workshop

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
        scope = believed(scope)
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
        usual = {"http": 80, "https": 443}[parts.scheme]  # any other scheme is no place of the web
        port = parts.port or usual
    except (ValueError, KeyError):
        return ()
    return (parts.hostname, port) if parts.hostname else ()


def set_cookie(scope: Scope, value: str, *, same_site: str = "Lax") -> tuple[bytes, bytes]:
    """The header of a cookie of this app that no script reads; by https alone where it came by it."""
    from streamlit import config

    headers = HTTPConnection(scope).headers
    said = scope["scheme"], headers.get("x-forwarded-proto", ""), headers.get("origin", "").partition(":")[0]
    secure = "; Secure" if any(one.partition(",")[0].strip().lower() == "https" for one in said) else ""
    path = (config.get_option("server.baseUrlPath") or "").strip("/")
    return b"set-cookie", f"{value}; Path=/{path}; HttpOnly; SameSite={same_site}{secure}".encode()


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


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "not for this name or address"})
        return
    headers = [*HEADERS, (b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
