"""What the server says and refuses before a page is reached: docs/security.md has the promises.

`serve.py` puts this in front of the app. What is started from `app.py` has no middleware; it answers on
this computer only and refuses to be a workshop.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from core.errors import InputError
from core.runtime import MODE, Mode, mode, workshop

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

VISITOR: Final = "headline_lab_visitor"
"""Cookie that tells a workshop's visitors apart, so that each sees its own files, also after a reload."""

POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        # Streamlit's page has a script in it, components arrive as blobs, and charts compile expressions.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "worker-src 'self' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' blob:",
        "connect-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Content-Security-Policy: nothing is loaded from, or sent to, anywhere else."""

HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)

_OPEN: Final = (
    "Headline Lab was started for this computer alone, and is asked for by a name or an address that others "
    f"may reach. Start it with {MODE}=workshop for visitors, or {MODE}=local where only you can reach it.\n"
)

_installed: list[bool] = []


def is_open(address: str | None) -> bool:
    """Whether other computers reach a server that listens on that address; an unknown name counts as one."""
    if address == "localhost":
        return False
    try:
        return not ipaddress.ip_address((address or "").strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return True


def settle_mode() -> None:
    """Makes an open address a workshop where nobody said what it is to be.

    Raises:
        InputError: `HEADLINE_LAB_MODE` names no mode.
    """
    from streamlit import config

    if MODE not in os.environ and is_open(config.get_option("server.address")):
        os.environ[MODE] = Mode.WORKSHOP
    mode()


def require_protection() -> None:
    """Lets no workshop go on that was not started from `serve.py`.

    Raises:
        InputError: It was not.
    """
    if workshop() and not _installed:
        raise InputError(
            "A workshop is not protected when it is started from app.py.",
            hint="Start it with `streamlit run serve.py`, or on this computer only.",
        )


class Security:
    """Middleware: security headers, a visitor's cookie in a workshop, and no open address by accident."""

    def __init__(self, app: ASGIApp) -> None:
        """Remembers that the app is protected.

        Args:
            app: What answers.
        """
        self._app = app
        _installed.append(True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what may pass; every answer gets the headers."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if MODE not in os.environ and (is_open((scope.get("server") or (None,))[0]) or is_open(_host(scope))):
            await _refuse(scope, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [one for one in message.get("headers", []) if one[0] not in dict(HEADERS)]
                message = {**message, "headers": [*kept, *HEADERS, *_cookie(scope, kept)]}
            await send(message)

        await self._app(scope, receive, protected)


def _host(scope: Scope) -> str | None:
    """The name under which the browser asks; a page elsewhere may give this computer a name of its own."""
    try:
        return urlsplit("//" + dict(scope["headers"]).get(b"host", b"").decode("latin-1")).hostname
    except ValueError:
        return None


def _cookie(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A new visitor's cookie, with a page of a workshop."""
    page = any(name == b"content-type" and b"text/html" in value for name, value in headers)
    if not page or not workshop():
        return []
    try:
        given = SimpleCookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        given = SimpleCookie()
    if VISITOR in given:
        return []
    return [(b"set-cookie", f"{VISITOR}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax".encode())]


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "open address"})
        return
    headers = [*HEADERS, (b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _OPEN.encode()})
