"""Many sessions at once, over Streamlit's own protocol."""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.browser import SERVE, Server, running, serving
from benchmarks.scale import expanded, write_sample
from components.frame.page_state import PARTS
from core.files import ROOT

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
        """Goes to a page by its path ("" is the first) and what follows "?"; seconds until it is drawn."""
        path, asks, query = page.partition("?")
        self._page, self._query = self._pages[path], query if asks else self._query
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


PAGES = (
    "",
    "sources",
    "write",
    "check_numbers",
    "compare",
    "judge",
    "room",
    "benchmark",
    "consistency",
    "models",
)
LOAD_SESSIONS = ((10, 0), (40, 0), (40, 3))  # sessions that change pages, and long jobs
SECONDS = 60.0
PAUSE = (2.0, 8.0)
LONG = tuple(
    f"data=uci&lab={scorer}" for scorer in ("finetuned_time.v1", "finetuned.v1", "mrpc_zero_shot.v1")
)


def run_load() -> dict[str, Any]:
    """How long a page change takes while forty people use the app.

    Sessions over Streamlit's own protocol, without a browser: what a browser then draws comes on top. Each
    session goes to another page every five seconds on average (at random, 2 to 8) and waits until its script
    has drawn it; each page was opened once before. The clients run on the same machine. Where long jobs
    run, three more sessions have the Consistency page of the UCI sample open, each with another pair
    model; one computes, two stand in line. Processor time is the server's, for one page change. The last row
    is what a fourth visitor waits for another grouping of 47 headlines when three such visitors have just
    closed their tabs.
    """
    with serving() as server:
        rows = asyncio.run(_measured(server))
    return {"benchmark": "page changes under load", "rows": rows}


async def _measured(server: Server) -> list[dict[str, Any]]:
    async with Visitor(server.url) as first:
        for page in PAGES:
            await first.go(page)
            await first.until_ready()
    rows = [await _under(server, sessions, jobs) for sessions, jobs in LOAD_SESSIONS]
    async with AsyncExitStack() as stack:
        for query in LONG:
            await _long(stack, server, query)
    started = asyncio.get_running_loop().time()
    async with Visitor(server.url, "method=louvain.v1&scorer=cosine.v1") as fourth:
        await fourth.until_ready()
    waited = round(asyncio.get_running_loop().time() - started, 2)
    return [*rows, {"sessions": 1, "long_jobs": "3 closed tabs", "seconds_of_the_fourth_visitor": waited}]


async def _under(server: Server, sessions: int, jobs: int) -> dict[str, Any]:
    """One load: its page changes."""
    took: list[float] = []
    async with AsyncExitStack() as stack:
        long = [await _long(stack, server, query) for query in LONG[:jobs]]
        visitors = [await stack.enter_async_context(Visitor(server.url)) for _ in range(sessions)]
        before = processor(server)
        until = asyncio.get_running_loop().time() + SECONDS
        await asyncio.gather(
            *(wanders(visitor, number, until, took) for number, visitor in enumerate(visitors))
        )
        spent = processor(server) - before
        running = sum(one.waits for one in long)
    middle, most, worst = np.quantile(took, [0.5, 0.95, 1.0]).round(2).tolist()
    row = {
        "sessions": sessions,
        "long_jobs": f"{running} of {jobs} until the end" if jobs else "none",
        "page_changes": len(took),
        "p50_seconds": middle,
        "p95_seconds": most,
        "worst_seconds": worst,
    }
    # With long jobs, the server's processor time is mostly theirs.
    return row if jobs else row | {"processor_milliseconds": round(1000 * spent / len(took))}


async def _long(stack: AsyncExitStack, server: Server, query: str) -> Visitor:
    """A visitor whose Consistency page computes."""
    one = await stack.enter_async_context(Visitor(server.url, query))
    await one.until_ready()
    await one.go("consistency")
    return one


async def wanders(
    visitor: Visitor, seed: int, until: float, took: list[float], pages: Sequence[str] = PAGES
) -> None:
    """Goes from page to page at random until a time of the event loop; adds the seconds of each change."""
    chance = random.Random(seed)
    while True:
        await asyncio.sleep(chance.uniform(*PAUSE))
        if asyncio.get_running_loop().time() > until:
            return
        took.append(await visitor.go(chance.choice(pages)))


def processor(server: Server) -> float:
    process = psutil.Process(server.pid)
    times = [child.cpu_times() for child in (process, *process.children(recursive=True))]
    return sum(one.user + one.system for one in times)


SOAK_SESSIONS: Final = 40
MINUTES: Final = float(os.environ.get("SOAK_MINUTES") or 10)
BEGUN: Final = 1_000  # headlines of the file when people come
ARCHIVES: Final = {"first": 4_774, "second": 10_000, "third": 20_000}
"""Names of the archives and their headlines, of the UCI sample and copies of it with other words."""
LIVE: Final = "sources?part=live"
VISITED: Final = (
    *("?data=uci", "?data=uci&show=map", "?data=iss", "write", "check_numbers", "compare", "room"),
    *(f"{page}?part={part}" for page, parts in PARTS.items() for part in parts),
    *(f"sources?part=archive&archive={name}" for name in ARCHIVES),
    "consistency",
)
_SETTLING: Final = 60.0  # seconds of the start that say nothing of growth


def run_soak() -> dict[str, Any]:
    """Forty people change pages for minutes, over every place and three archives, while a stream runs.

    Sessions over Streamlit's own protocol, without a browser, as in [the section on
    load](#page-changes-under-load). All the while `headline-lab live` follows a file that begins with 1,000
    headlines of the UCI sample and gets another every second; it looks every ten seconds and regroups all of
    them at each look. Server, follower, clients and writer share the machine. Before, one visitor opened each
    place once; the rows of places say what memory the server had after each. *Growth* is the slope of a line
    through the memory of the server and its processes after the first minute. The delay of a headline is from
    its line in the file of the source to its record in the file of the stream. Errors are page changes that
    failed and failures in the log of the server. `make soak` takes ten minutes, `make soak MINUTES=2` two.
    """
    with tempfile.TemporaryDirectory() as place, running(SERVE, Path(place)) as (url, pid):
        wire = Wire(Path(place))
        for name, count in ARCHIVES.items():
            file, out = Path(place) / f"{name}.csv", Path(place) / "user/archives" / name
            write_sample(file, count)
            words = ("archive", str(file), "--out", str(out), "--granularity", "0.9", "--quiet")
            command(*words, folder=Path(place)).wait()
        with wire.followed():
            rows = asyncio.run(_soaked(Server(url, pid, 0.0, 0.0), wire))
        failures = (Path(place) / "server.log").read_text(errors="replace").count("Traceback")
    rows[0]["errors"] += failures
    return {"benchmark": "soak", "rows": rows}


def command(*words: str, folder: Path) -> subprocess.Popen[bytes]:
    env = os.environ | {
        "HEADLINE_LAB_USER": str(folder / "user"),
        "HEADLINE_LAB_CACHE": str(folder / "cache"),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@dataclass(slots=True)
class Wire:
    """A file that grows, and the stream that follows it."""

    folder: Path
    written: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    stored: int = 0
    _read: int = 0

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Begins the file, and follows it from the first headlines on."""
        rows = next(expanded(BEGUN))
        rows.to_csv(self.source, index=False)
        self.written = [time.monotonic()] * len(rows)
        words = ("live", str(self.source), "--every", "10", "--quiet")
        with command(*words, folder=self.folder) as follower:
            try:
                self.wait()
                self.delays.clear()
                yield
            finally:
                follower.terminate()

    @property
    def source(self) -> Path:
        return self.folder / "wire.csv"

    def wait(self) -> None:
        """Until every headline has a record, or nobody would wait any longer."""
        until = time.monotonic() + PATIENCE
        while self.stored < len(self.written) and time.monotonic() < until:
            time.sleep(0.2)
            self.look()

    def write(self) -> None:
        number = len(self.written)
        with self.source.open("a", encoding="utf-8") as file:
            file.write(f"{_TOPICS[number % len(_TOPICS)]} number {number},2014-03-12T12:00:00Z,wire,\n")
        self.written.append(time.monotonic())

    def look(self) -> None:
        for path in (self.folder / "user/live").glob("*.jsonl"):
            with path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            self._read += len(whole)
            for line in whole.splitlines():
                if "headline" in json.loads(line):
                    # The source is in the order of time, so records come in the order of lines.
                    self.delays.append(time.monotonic() - self.written[self.stored])
                    self.stored += 1


_TOPICS: Final = (
    "Storm closes the harbour of Genoa in report",
    "Central bank raises rates again in decision",
    "Strike stops trains across the north on day",
)


async def _soaked(server: Server, wire: Wire) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = [{"place": "", "megabytes": server.megabytes()}]
    async with Visitor(server.url) as first:
        for page in VISITED:
            await first.go(page)
            await first.until_ready() if page != LIVE else None
            places.append({"place": page, "megabytes": server.megabytes()})
            print(places[-1], flush=True)
    took: list[float] = []
    megabytes: list[tuple[float, float]] = []
    until = time.monotonic() + 60 * MINUTES
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(server.url)) for _ in range(SOAK_SESSIONS)]
        begun = time.monotonic()
        watching = asyncio.create_task(_watched(server, wire, megabytes, until))
        ended = await asyncio.gather(
            *(
                wanders(visitor, number, asyncio.get_running_loop().time() + 60 * MINUTES, took, VISITED)
                for number, visitor in enumerate(visitors)
            ),
            return_exceptions=True,
        )
        await watching
    wire.wait()
    middle, most, worst = np.quantile(took, [0.5, 0.95, 1.0]).round(2).tolist()
    times, sizes = np.array([one for one in megabytes if one[0] > begun + min(_SETTLING, 30 * MINUTES)]).T
    delays = np.quantile(wire.delays, [0.5, 1.0]).round(1).tolist()
    row = {
        "minutes": MINUTES,
        "sessions": SOAK_SESSIONS,
        "page_changes": len(took),
        "p50_seconds": middle,
        "p95_seconds": most,
        "worst_seconds": worst,
        "errors": sum(isinstance(exception, BaseException) for exception in ended),
        "megabytes_at_start": megabytes[0][1],
        "megabytes_at_end": megabytes[-1][1],
        "growth_in_megabytes_a_minute": round(60 * float(np.polyfit(times, sizes, 1)[0]), 2),
        "headlines_written": len(wire.written),
        "headlines_in_the_stream": wire.stored,
        "median_delay_in_seconds": delays[0],
        "longest_delay_in_seconds": delays[1],
        "load_at_end": round(psutil.getloadavg()[0], 1),
    }
    return [row, *places]


async def _watched(server: Server, wire: Wire, megabytes: list[tuple[float, float]], until: float) -> None:
    """Adds a headline a second, and looks at records and memory."""
    while time.monotonic() < until:
        wire.write()
        wire.look()
        megabytes.append((time.monotonic(), server.megabytes()))
        await asyncio.sleep(1.0)
