"""A visitor who speaks Streamlit's own protocol: a websocket and messages of the package, no browser."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Final, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

LARGE: Final = 50_000  # bytes from which a message is data of a page, which is taken and not read
PATIENCE: Final = 300.0  # seconds to wait for a page on a busy machine


class Visitor:
    """A session: goes from page to page and asks for fragments as a browser does."""

    def __init__(self, url: str, query: str = "") -> None:
        self._url = url.replace("http", "ws", 1) + "/_stcore/stream"
        self._query = query
        self._pages: dict[str, str] = {}
        self._page = ""
        self._repeats: dict[str, asyncio.Task[None]] = {}
        self._drawn = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connects and opens the first page."""
        protocol = [Subprotocol("streamlit")]
        # A busy server answers no pings for a while, and a browser sends none.
        self._socket = await connect(self._url, subprotocols=protocol, max_size=None, ping_interval=None)
        self._reader = asyncio.create_task(self._read(self._socket))
        await self._run()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the tab."""
        for task in (*self._repeats.values(), self._reader):
            if task is not None:
                task.cancel()
        if self._socket is not None:
            await self._socket.close()

    @property
    def waits(self) -> bool:
        """Whether the page asks for a part again and again: something is computed for it."""
        return bool(self._repeats)

    async def go(self, page: str) -> float:
        """Goes to a page by its path ("" is the first); seconds until its script has drawn it."""
        self._page = self._pages[page]
        return await self._run()

    async def until_ready(self) -> None:
        """Waits until nothing is computed for the page any more."""
        async with asyncio.timeout(PATIENCE):
            while self.waits:
                await asyncio.sleep(0.05)

    async def _run(self) -> float:
        self._still()
        self._drawn.clear()
        started = time.perf_counter()
        await self._ask(fragment="")
        async with asyncio.timeout(PATIENCE):
            await self._drawn.wait()
        if self._reader is not None and self._reader.done():
            raise ConnectionError("the server closed the session")
        return time.perf_counter() - started

    async def _ask(self, *, fragment: str) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self._query, self._page
        state.fragment_id, state.is_auto_rerun = fragment, bool(fragment)
        if self._socket is not None:
            await self._socket.send(message.SerializeToString())

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                if len(data) < LARGE and isinstance(data, bytes):
                    message = ForwardMsg()
                    message.ParseFromString(data)
                    self._take(message)
        finally:
            self._drawn.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            self._pages |= {
                "": next(p.page_script_hash for p in message.navigation.app_pages if p.is_default)
            }
        elif kind == "new_session":
            # The whole page is drawn anew: it says again which parts it wants to be asked for.
            if not message.metadata.run.fragment_ids:
                self._still()
        elif kind == "auto_rerun":
            part = message.auto_rerun.fragment_id
            if part not in self._repeats:
                self._repeats[part] = asyncio.create_task(self._repeat(part, message.auto_rerun.interval))
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._drawn.set()

    async def _repeat(self, part: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            await self._ask(fragment=part)

    def _still(self) -> None:
        for task in self._repeats.values():
            task.cancel()
        self._repeats = {}
