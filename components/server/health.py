"""Whether the server does its work (readiness), and what it counts (metrics), for who runs it."""

import asyncio
import hmac
import os
import shutil
import time
from collections import Counter, defaultdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config, runtime

from components.server import queue
from components.server.server_keys import is_open
from core.files import ROOT
from core.journal.journal import the_journal
from core.journal.verify import not_writable
from core.runtime import user_folder, workshop

BEARER: Final = "HEADLINE_LAB_METRICS_TOKEN"
"""Environment variable: what a program that asks for /metrics sends as `Authorization: Bearer …`."""
LEAST_BYTES: Final = 100_000_000  # free where people's answers are stored
_STARTED: Final = time.time()
answered: Final = Counter[str]()
"""Requests by the class of their status: 2xx, 3xx, 4xx, 5xx."""
seconds: Final = defaultdict[str, float](float)
"""How long they took in sum, by the same."""


def failing() -> dict[str, str]:
    """What keeps the server from doing its work, by what it is about, with why; {} for nothing."""
    database = not_writable(the_journal())
    found = {"database": database} if database else {}
    folder = user_folder()
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if (free := shutil.disk_usage(there).free) < LEAST_BYTES:
        found["disk"] = f"{free / 1e6:,.0f} megabytes are free in {there}."
    if not any((ROOT / "models").iterdir() if (ROOT / "models").is_dir() else ()):
        found["models"] = f"There are none in {ROOT / 'models'}."
    return found


async def ready(_request: Request) -> Response:
    """200 where answers can be stored; 503 with the names of what fails, whose reasons the log has."""
    found = await asyncio.to_thread(failing)
    return JSONResponse({"ready": not found, "failing": sorted(found)}, 503 if found else 200)


def metrics_text() -> str:
    """What is counted, as Prometheus reads it."""
    import psutil

    running, waiting = queue.load()
    active = runtime.get_instance()._session_mgr.num_active_sessions() if runtime.exists() else 0
    lines = [
        f"headline_lab_sessions {active}",
        f"headline_lab_jobs_running {running}",
        f"headline_lab_jobs_waiting {waiting}",
        f"headline_lab_memory_bytes {psutil.Process().memory_info().rss}",
        f"headline_lab_up_seconds {time.time() - _STARTED:.0f}",
        f"headline_lab_ready {int(not failing())}",
    ]
    for status, count in sorted(answered.items()):
        lines.append(f'headline_lab_requests_total{{status="{status}"}} {count}')
        lines.append(f'headline_lab_request_seconds_total{{status="{status}"}} {seconds[status]:.3f}')
    return "\n".join(lines) + "\n"


async def metrics(request: Request) -> Response:
    if not _is_owner(request):
        return PlainTextResponse("There is nothing at this address.\n", 404)
    return PlainTextResponse(await asyncio.to_thread(metrics_text))


def _is_owner(request: Request) -> bool:
    if token := os.environ.get(BEARER, ""):
        given = request.headers.get("authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    return not workshop() and not is_open(config.get_option("server.address"))


ROUTES: Final = tuple(
    Route(f"{before}/{work.__name__}", work) for work in (ready, metrics) for before in ("", "/{_before}")
)
