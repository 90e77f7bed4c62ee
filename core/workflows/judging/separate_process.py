"""A judged command in a process of its own, in namespaces of its own where the system allows them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core.workflows.judging import launch
from core.workflows.judging.sandbox import Isolation, Limits

MARK: Final = "HEADLINE_LAB_JUDGED"
"""Environment variable by which the processes of a run are found."""
_NETWORK: Final = ("--user", "--map-root-user", "--net")
_ALL: Final = (*_NETWORK, "--mount", "--pid", "--fork", "--kill-child")
_VIRTUAL: Final = 4
"""Address space a process may reserve, in multiples of the memory limit: frameworks reserve much."""
_PROBE_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class SeparateProcess:
    """Runs commands through `launch.py`.

    Attributes:
        hidden: Files and folders that the command must not read (references lie in them).
    """

    hidden: tuple[Path, ...] = ()

    @property
    def isolation(self) -> Isolation:
        """What keeps the command apart on this machine."""
        found = namespaces()
        if found == _ALL:
            return Isolation(
                kind="namespaces",
                network="The network was closed.",
                files="Files were read-only, those with references hidden; it wrote to an empty directory.",
                network_closed=True,
            )
        files = "It could read and write the files that its user can."
        if found:
            return Isolation(
                kind="namespaces", network="The network was closed.", files=files, network_closed=True
            )
        return Isolation(
            kind="process",
            network="The network could not be closed on this system.",
            files=files,
            network_closed=False,
        )

    def command(self, command: Sequence[str], work: Path, limits: Limits, token: str) -> list[str]:
        """The command line that closes the doors and runs a command; see `Sandbox.command`."""
        found = namespaces()
        settings: dict[str, Any] = {
            "mounts": found == _ALL,
            "work": str(work),
            "work_megabytes": limits.files_megabytes,
            "hidden": [str(path) for path in self.hidden],
            "limits": _resource_limits(limits),
        }
        inner = [sys.executable, "-I", "-S", launch.__file__, json.dumps(settings), *command]
        return [str(shutil.which("unshare")), *found, *inner] if found else inner

    def end(self, token: str) -> None:
        """Kills every process that carries the run's token."""
        import psutil

        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == token:
                    process.kill()
            except (psutil.Error, OSError):
                continue


@lru_cache(maxsize=1)
def namespaces() -> tuple[str, ...]:
    """The options of `unshare` that work here: all, those that close the network, or none."""
    unshare = shutil.which("unshare")
    if unshare is None or sys.platform != "linux":
        return ()
    if _works([unshare, *_ALL, *_probe()]):
        return _ALL
    return _NETWORK if _works([unshare, *_NETWORK, "true"]) else ()


def _probe() -> list[str]:
    """A command that closes all doors as a run does, and does nothing."""
    settings = {"mounts": True, "work": "/tmp", "work_megabytes": 1, "hidden": [], "limits": {}}  # noqa: S108
    return [sys.executable, "-I", "-S", launch.__file__, json.dumps(settings), "true"]


def _works(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)  # noqa: S603 - ours
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _resource_limits(limits: Limits) -> dict[str, int]:
    """Limits of each process; those of all together are watched from outside."""
    cores = os.cpu_count() or 1
    return {
        "RLIMIT_AS": _VIRTUAL * limits.megabytes * 1_000_000,
        "RLIMIT_CPU": int(limits.seconds * cores) + 1,
        "RLIMIT_FSIZE": limits.files_megabytes * 1_000_000,
        "RLIMIT_NOFILE": 1_024,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": _threads_of_user() + 16 * limits.processes,
    }


def _threads_of_user() -> int:
    """Threads that this user runs already: the system counts them all against the limit."""
    import psutil

    if not hasattr(psutil.Process(), "uids"):
        return 0
    mine = psutil.Process().uids().real
    count = 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == mine:
            count += process.info["num_threads"] or 1
    return count
