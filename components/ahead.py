"""What the first page needs, imported while the browser still opens."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

from core.runtime import stay_offline

log = logging.getLogger("headline_lab")

FIRST_PAGE = (
    "pandas",
    "components.workspace",
    "components.card",
    "components.group_list",
    "components.quality",
    "components.swimlane",
    "components.take_away",
    "components.page",
    "torch",
    "threadpoolctl",
    "tokenizers",
    "core.networks.bert",
    "core.groups.average_linkage",
    "core.pairs.event_similarity",
)
"""Modules in the order in which the Timeline page asks for them."""


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """Begins to import for the first page when the server starts; the server waits for none of it."""
    stay_offline()
    threading.Thread(target=import_ahead, name="ahead", daemon=True).start()
    yield


def import_ahead() -> None:
    """Imports what the first page needs; what cannot be imported is left for the page to say."""
    for name in FIRST_PAGE:
        try:
            import_module(name)
        except ImportError as problem:
            log.warning("%s could not be loaded ahead: %s", name, problem)
