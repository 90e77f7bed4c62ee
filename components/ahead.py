"""What the first page needs, got ready before the server is up."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Final

from streamlit import config, net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.server_util import get_url

from components.security import asks_for_key, startup_key
from components.sent import send_at_once
from core.errors import CoreError
from core.runtime import Runtime, stay_offline

log = logging.getLogger("headline_lab")

FIRST_PAGE = (
    "pandas",
    "components.timeline.workspace",
    "components.timeline.card",
    "components.timeline.group_list",
    "components.timeline.facts",
    "components.timeline.export",
    "components.page",
    "threadpoolctl",
    "core.groups.average_linkage",
    "core.pairs.scorers.event_similarity",
)
"""Modules in the order in which the Timeline page asks for them.

Not torch: the vectors of the first timeline ship, and its second of importing would come before the picture.
"""
LATER: Final = ("torch", "tokenizers", "core.models.networks.bert")
"""What the next pages need, imported when the first picture stands."""
FIRST_PICTURE_SECONDS: Final = 5.0


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """Imports before the server is up: an importing thread and a page would only wait for each other."""
    stay_offline()
    # As `st.navigation` does in its first run. Until then Streamlit takes the folder `pages` for the menu,
    # and the first sessions of a server that was started again come to another page than they had open.
    PagesManager.uses_pages_directory = False
    send_at_once(asyncio.get_running_loop())
    await asyncio.to_thread(import_ahead)
    # What is imported stays: no later garbage collection looks through it again.
    gc.freeze()
    say_where()
    if asks_for_key():
        startup_key()
    threading.Thread(target=read_ahead, name="ahead", daemon=True).start()
    yield


def say_where() -> None:
    """Writes the app's address to the console; Streamlit would ask the internet for one more."""
    # And again where a page of another name connects.
    net_util.get_external_ip = lambda: None
    address = config.get_option("server.address") or "localhost"
    names = ("localhost", net_util.get_internal_ip()) if address in ("0.0.0.0", "::") else (address,)  # noqa: S104
    sys.stdout.write("".join(f"\n  Headline Lab: {get_url(name)}\n" for name in names))
    sys.stdout.flush()


def import_ahead(names: Sequence[str] = FIRST_PAGE) -> None:
    """Imports modules, those of the first page by default; what is missing is left for the page to say."""
    for name in names:
        try:
            import_module(name)
        except ImportError as problem:
            log.warning("%s could not be loaded ahead: %s", name, problem)


def read_ahead() -> None:
    """Groups the timeline that opens first, starts the process that reads files, and imports the rest."""
    # Not at the top: what is imported there delays the first sign of life in the terminal.
    from components.open import reading
    from core.data.timelines import samples
    from core.events.grouping import Settings, prepare

    try:
        prepare(samples.load_sample(samples.DEFAULT), Settings(), Runtime())
    except CoreError as problem:
        log.warning("The first timeline could not be read ahead: %s", problem)
    reading.warm()  # the first page needs no file
    time.sleep(FIRST_PICTURE_SECONDS)
    import_ahead(LATER)
