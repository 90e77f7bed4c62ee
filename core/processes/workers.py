"""Processes of joblib's loky that work for this one and end with it.

They never run the caller's main module again, which in a dashboard is a page.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import Any, Final

from core.runtime import stay_offline

_GLANCE_SECONDS: Final = 2.0
_NICE: Final = 5
"""Whoever waits for a page comes before whoever waits for a worker."""


def start(count: int, *, threads: int = 1) -> Any:
    """An executor whose processes start with the first work; `shutdown(kill_workers=True)` ends them."""
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

    return ProcessPoolExecutor(
        max_workers=count,
        timeout=None,
        env={"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)},
        initializer=_settle,
        initargs=(os.getpid(),),
    )


def _settle(parent: int) -> None:
    os.dup2(2, 1)  # what a library prints is no answer
    with suppress(OSError):
        os.nice(_NICE)
    stay_offline()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_GLANCE_SECONDS)
    os._exit(1)
