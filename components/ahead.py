"""What the first page needs, got ready before the server is up and sent to the browser with the page."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit

from core.errors import CoreError
from core.runtime import Runtime, stay_offline

log = logging.getLogger("headline_lab")

FIRST_PAGE = (
    "pandas",
    "components.timeline.workspace",
    "components.timeline.card",
    "components.timeline.group_list",
    "components.timeline.facts",
    "components.timeline.swimlane",
    "components.timeline.export",
    "components.page",
    "torch",
    "threadpoolctl",
    "tokenizers",
    "core.models.networks.bert",
    "core.groups.average_linkage",
    "core.pairs.scorers.event_similarity",
)
"""Modules in the order in which the Timeline page asks for them."""


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """Imports before the server is up: an importing thread and a page would only wait for each other."""
    stay_offline()
    await asyncio.to_thread(import_ahead)
    # What is imported stays: no later garbage collection looks through it again.
    gc.freeze()
    threading.Thread(target=read_ahead, name="ahead", daemon=True).start()
    yield


def import_ahead() -> None:
    """Imports what the first page needs; what cannot be imported is left for the page to say."""
    for name in FIRST_PAGE:
        try:
            import_module(name)
        except ImportError as problem:
            log.warning("%s could not be loaded ahead: %s", name, problem)


def read_ahead() -> None:
    """Groups the timeline that opens first, so that its weights are loaded and its headlines are read;
    then starts the process that reads files.
    """
    # Not at the top: what is imported there delays the first sign of life in the terminal.
    from components.open import reading
    from core.data.timelines import samples
    from core.events.grouping import Settings, prepare

    try:
        prepare(samples.load_sample(samples.DEFAULT), Settings(), Runtime())
    except CoreError as problem:
        log.warning("The first timeline could not be read ahead: %s", problem)
    reading.warm()  # last: the first page needs no file


if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPTS: Final = Path(streamlit.__file__).parent / "static" / "static" / "js"
"""Streamlit's scripts; each is called NAME.HASH.js."""

SCRIPT_NAMES: Final = (
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
    found = (next(SCRIPTS.glob(f"{name}.*.js"), None) for name in SCRIPT_NAMES)
    return [f"./static/js/{script.name}" for script in found if script is not None]


class Preload:
    """Middleware: a header of every page says which scripts it will need (HTML, `rel=modulepreload`)."""

    def __init__(self, app: ASGIApp) -> None:
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
