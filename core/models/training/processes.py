"""Telling whether the process that trains a run is still there."""

from __future__ import annotations

import os
import socket
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Process:
    """One process among all that ever were.

    Attributes:
        pid: Its number, which another process may get later.
        born: When it started, in seconds since 1970: together with the number this is unique.
        host: Name of its machine.
    """

    pid: int
    born: float
    host: str

    def as_json(self) -> dict[str, Any]:
        """Plain values for a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Process | None:
        """What `as_json` gave; None where the value is something else."""
        if not isinstance(value, dict):
            return None
        pid, born, host = value.get("pid"), value.get("born"), value.get("host")
        if type(pid) is not int or pid < 1 or not isinstance(born, int | float) or not isinstance(host, str):
            return None
        return cls(pid, float(born), host)


@lru_cache(maxsize=1)
def _born(pid: int) -> float:
    import psutil

    return float(psutil.Process(pid).create_time())


def this_process() -> Process:
    """The process that asks."""
    return Process(os.getpid(), _born(os.getpid()), socket.gethostname())


def is_alive(process: Process) -> bool:
    """Whether it still runs; one on another machine, which cannot be seen, counts as running."""
    import psutil

    if process.host != socket.gethostname():
        return True
    try:
        found = psutil.Process(process.pid)
        # The clock of a start is exact to a hundredth of a second.
        same = abs(found.create_time() - process.born) < 1
        return bool(same and found.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
