"""Which process trains a run, and whether it still does."""

import os
import socket
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import msgspec


@dataclass(frozen=True, slots=True)
class Process:
    pid: Annotated[int, msgspec.Meta(ge=1)]
    born: float
    host: str


@lru_cache(maxsize=1)
def _born(pid: int) -> float:
    import psutil

    return float(psutil.Process(pid).create_time())


def this_process() -> Process:
    return Process(os.getpid(), _born(os.getpid()), socket.gethostname())


def is_alive(process: Process) -> bool:
    """Whether it still runs; one on another machine, which cannot be seen, counts as running."""
    import psutil

    if process.host != socket.gethostname():
        return True
    try:
        running = psutil.Process(process.pid)
        # The clock of a start is exact to a hundredth of a second.
        same = abs(running.create_time() - process.born) < 1
        return bool(same and running.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
