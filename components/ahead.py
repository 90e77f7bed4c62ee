"""What is imported and computed before anybody asks for it."""

import logging
import time
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Final

from core.errors import CoreError
from core.runtime import Runtime

log = logging.getLogger("headline_lab")

_FIRST_PAGE: Final = (
    "pandas",
    "components.timeline.workspace",
    "components.timeline.card",
    "components.timeline.group_list",
    "components.timeline.history",
    "components.page",
    "threadpoolctl",
    "core.groups.average_linkage",
    "core.pairs.scorers.event_trees",
)
"""Modules in the order in which the Timeline page asks for them.

Not torch: the vectors of the first timeline ship, and its second of importing would come before the picture.
"""
_LATER: Final = ("torch", "tokenizers", "core.models.networks.bert", "altair")
"""What the next pages need, imported when the first picture stands."""


def _import(names: Iterable[str]) -> None:
    for name in names:
        try:
            import_module(name)
        except ImportError as problem:
            log.warning("%s could not be loaded ahead: %s", name, problem)


import_first = partial(_import, _FIRST_PAGE)


def read_ahead() -> None:
    """Groups the timeline that opens first, then starts the process that reads files and imports the rest."""
    # Not at the top: what is imported there delays the first sign of life in the terminal.
    from components.opened import reading
    from components.tour import first_visit
    from core.data.timelines.samples import DEFAULT, load_sample
    from core.events.grouping import Settings, prepare

    try:
        prepare(load_sample(DEFAULT), Settings(), Runtime())
    except CoreError as problem:
        log.warning("The first timeline could not be read ahead: %s", problem)
    time.sleep(5)  # until the first picture stands, which needs no file
    reading.warm()
    first_visit.warm()
    _import(_LATER)
