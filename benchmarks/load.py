"""How long a page change takes while forty people use the app.

Sessions over Streamlit's own protocol, without a browser: what a browser then draws comes on top. Each
session goes to another page every five seconds on average (at random, 2 to 8) and waits until its script has
drawn it; each page was opened once before. The clients run on the same machine. Where long jobs run, three
more sessions have the Consistency page of the UCI sample open, each with another pair model; one computes,
two stand in line. Processor time is the server's, for one page change. The last row is what a fourth visitor
waits for another grouping of 47 headlines when three such visitors have just closed their tabs.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
import psutil

from benchmarks.browser import Server, serving
from benchmarks.visitor import Visitor

PAGES = ("", "map", "open", "pairs", "pair_sets", "library", "compare", "numerals", "write", "evaluate")
SESSIONS = ((10, 0), (40, 0), (40, 3))  # sessions that change pages, and long jobs
SECONDS = 60.0
PAUSE = (2.0, 8.0)
LONG = tuple(
    f"data=uci&lab={scorer}" for scorer in ("finetuned_time.v1", "finetuned.v1", "mrpc_zero_shot.v1")
)


def run() -> dict[str, Any]:
    with serving() as server:
        rows = asyncio.run(_measured(server))
    return {"benchmark": "page changes under load", "rows": rows}


async def _measured(server: Server) -> list[dict[str, Any]]:
    async with Visitor(server.url) as first:
        for page in PAGES:
            await first.go(page)
            await first.until_ready()
    rows = [await _under(server, sessions, jobs) for sessions, jobs in SESSIONS]
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
        before = _processor(server)
        until = asyncio.get_running_loop().time() + SECONDS
        await asyncio.gather(*(wanders(one, number, until, took) for number, one in enumerate(visitors)))
        spent = _processor(server) - before
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


def _processor(server: Server) -> float:
    process = psutil.Process(server.pid)
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return sum(one.user + one.system for one in times)
