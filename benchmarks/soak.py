"""Thirty people change pages for minutes while a stream runs.

Sessions over Streamlit's own protocol, without a browser, as in
[the section on load](#page-changes-under-load); Live, and Archive with the UCI sample, are among their pages.
All the while `headline-lab live` follows a file that begins with 1,000 headlines of that sample and gets
another every second; it looks every ten seconds and regroups all of them at each look. Server, follower,
clients and writer share the machine. Each page was opened once before. *Growth* is the slope of a line
through the memory of the server and its processes after the first minute. The delay of a headline is from its
line in the file of the source to its record in the file of the stream. Errors are page changes that failed
and failures in the log of the server. `make soak` takes ten minutes, `make soak MINUTES=2` two.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import psutil

from benchmarks.archives import UCI
from benchmarks.browser import SERVE, Server, running
from benchmarks.expanded import expanded
from benchmarks.load import PAGES, wanders
from benchmarks.visitor import PATIENCE, Visitor
from core.files import ROOT

SESSIONS: Final = 30
MINUTES: Final = float(os.environ.get("SOAK_MINUTES") or 10)
BEGUN: Final = 1_000  # headlines of the file when people come
VISITED: Final = (*PAGES, "live", "archive")
_SETTLING: Final = 60.0  # seconds of the start that say nothing of growth


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place, running(SERVE, Path(place)) as (url, pid):
        wire = Wire(Path(place))
        command("archive", str(UCI), "--quiet", folder=Path(place)).wait()
        with wire.followed():
            row = asyncio.run(_soaked(Server(url, pid, 0.0, 0.0), wire))
        failures = (Path(place) / "server.log").read_text(errors="replace").count("Traceback")
    row["errors"] += failures
    return {"benchmark": "soak", "rows": [row]}


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
                follower.send_signal(signal.SIGINT)

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


async def _soaked(server: Server, wire: Wire) -> dict[str, Any]:
    async with Visitor(server.url) as first:
        for page in VISITED:
            await first.go(page)
            await first.until_ready() if page != "live" else None
    took: list[float] = []
    megabytes: list[tuple[float, float]] = []
    until = time.monotonic() + 60 * MINUTES
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(server.url)) for _ in range(SESSIONS)]
        begun = time.monotonic()
        watching = asyncio.create_task(_watched(server, wire, megabytes, until))
        ended = await asyncio.gather(
            *(
                wanders(one, number, asyncio.get_running_loop().time() + 60 * MINUTES, took, VISITED)
                for number, one in enumerate(visitors)
            ),
            return_exceptions=True,
        )
        await watching
    wire.wait()
    middle, most, worst = np.quantile(took, [0.5, 0.95, 1.0]).round(2).tolist()
    times, sizes = np.array([one for one in megabytes if one[0] > begun + min(_SETTLING, 30 * MINUTES)]).T
    delays = np.quantile(wire.delays, [0.5, 1.0]).round(1).tolist()
    return {
        "minutes": MINUTES,
        "sessions": SESSIONS,
        "page_changes": len(took),
        "p50_seconds": middle,
        "p95_seconds": most,
        "worst_seconds": worst,
        "errors": sum(isinstance(one, BaseException) for one in ended),
        "megabytes_at_start": megabytes[0][1],
        "megabytes_at_end": megabytes[-1][1],
        "growth_in_megabytes_a_minute": round(60 * float(np.polyfit(times, sizes, 1)[0]), 2),
        "headlines_written": len(wire.written),
        "headlines_in_the_stream": wire.stored,
        "median_delay_in_seconds": delays[0],
        "longest_delay_in_seconds": delays[1],
        "load_at_end": round(psutil.getloadavg()[0], 1),
    }


async def _watched(server: Server, wire: Wire, megabytes: list[tuple[float, float]], until: float) -> None:
    """Adds a headline a second, and looks at records and memory."""
    while time.monotonic() < until:
        wire.write()
        wire.look()
        megabytes.append((time.monotonic(), server.megabytes()))
        await asyncio.sleep(1.0)
