"""The browser's part of the first page, asked for with the page itself and not one element after another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPTS: Final = Path(streamlit.__file__).parent / "static" / "static" / "js"
"""Streamlit's scripts; each is called NAME.HASH.js."""

FIRST_PAGE: Final = (
    "PlotlyChart",
    "DataFrame",
    "arrowFormatUtils",
    "Slider",
    "Selectbox",
    "Metric",
    "BidiComponent",
    "DownloadButton",
)
"""Names of the largest scripts of the first page. Streamlit asks for each when its element arrives."""


def addresses() -> list[str]:
    """Addresses of the scripts, relative to any page; what this Streamlit does not have is left out."""
    found = (next(SCRIPTS.glob(f"{name}.*.js"), None) for name in FIRST_PAGE)
    return [f"./static/js/{script.name}" for script in found if script is not None]


class Preload:
    """Middleware: a header of every page says which scripts it will need (HTML, `rel=modulepreload`)."""

    def __init__(self, app: ASGIApp) -> None:
        """Looks for the scripts once.

        Args:
            app: What answers.
        """
        self._app = app
        self._link = ", ".join(f"<{address}>; rel=modulepreload" for address in addresses()).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes everything on; what answers with HTML gets the header."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if any(name == b"content-type" and b"text/html" in value for name, value in headers):
                    message = {**message, "headers": [*headers, (b"link", self._link)]}
            await send(message)

        await self._app(scope, receive, told)
