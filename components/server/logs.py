"""The log: requests, and acts of who runs the server, as text or JSON, without headlines."""

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server import health
from components.server.places import pages
from core.variables import log_form

_KNOWN: Final = frozenset(
    {"static", "media", "_stcore", "keep", "room-mark", "archive-data", "alarms", "api", "ready", "metrics"}
)
log: Final = logging.getLogger("headline_lab")


class _Line(logging.Formatter):
    def __init__(self, form: str) -> None:
        super().__init__()
        self._json = form == "json"

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        about = getattr(record, "about", {})
        fault = self.formatException(record.exc_info) if record.exc_info else ""
        if self._json:
            line = {"time": when, "level": record.levelname, "message": record.getMessage(), **about}
            return json.dumps(line | ({"error": fault} if fault else {}), default=str)
        told = " ".join(f"{name}={value}" for name, value in about.items())
        return "\n".join(
            filter(None, [f"{when} {record.levelname} {record.getMessage()} {told}".rstrip(), fault])
        )


def set_up() -> None:
    form = log_form()
    if not form:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Line(form))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False


def audit(act: str, **about: object) -> None:
    """A line on what somebody did who runs the server or teaches; about whom or what, never a headline."""
    log.info("act", extra={"about": {"act": act, **about}})


def _place(path: str) -> str:
    """A page or kind of file; the rest of an address may be a token or anybody's words."""
    parts = path.split("/")
    return next(
        (part for part in parts if part in _KNOWN or part in pages()), "" if path.endswith("/") else "other"
    )


class Watched:
    """Middleware: counts and logs each request but those of phones that wait for their room."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _place(scope["path"]) == "room-mark":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, seen)
        finally:
            took, kind = time.monotonic() - began, f"{status // 100}xx"
            health.answered[kind] += 1
            health.seconds[kind] += took
            about: dict[str, Any] = {"method": scope["method"], "place": _place(scope["path"])}
            log.info("request", extra={"about": about | {"status": status, "seconds": round(took, 3)}})
