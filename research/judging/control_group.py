"""A control group by which the kernel holds a judged command to its memory and processes."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from research.judging.sandbox import SandboxLimits

_THREADS: Final = 16  # of each process on average: the kernel counts threads
_PAGE: Final = 1 << 16
_GONE_SECONDS: Final = 10.0
_STALE_SECONDS: Final = 60.0
_MOUNT: Final = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Group:
    """Folders of a control group, one in version 2, one for memory and one for processes in version 1."""

    memory: Path
    processes: Path
    limit: int

    @property
    def folders(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys((self.memory, self.processes)))

    @property
    def two(self) -> bool:
        return (self.memory / "memory.max").exists()

    def used(self) -> int:
        """Bytes that programs hold and files in memory take; pages of files on disk can be given up."""
        counters = _table(self.memory / "memory.stat")
        names = ("anon", "shmem") if self.two else ("total_rss", "total_shmem")
        return sum(counters.get(name, 0) for name in names)

    def overfull(self) -> bool:
        counters = _table(self.memory / ("memory.events" if self.two else "memory.oom_control"))
        return counters.get("oom_kill", 0) > 0

    def holds(self) -> bool:
        """Whether the limit is in force and something was counted against it."""
        limit = self.memory / ("memory.max" if self.two else "memory.limit_in_bytes")
        peak = self.memory / ("memory.peak" if self.two else "memory.max_usage_in_bytes")
        current = self.memory / "memory.current"
        with suppress(OSError, ValueError):
            counted = int((peak if peak.exists() else current).read_text())
            bounded = int((self.processes / "pids.max").read_text()) > 0
            return bounded and self.limit - _PAGE <= int(limit.read_text()) <= self.limit and counted > 0
        return False

    def end(self) -> None:
        deadline = time.monotonic() + _GONE_SECONDS
        for folder in self.folders:
            while time.monotonic() < deadline:
                with suppress(OSError):
                    for word in (folder / "cgroup.procs").read_text().split():
                        with suppress(ProcessLookupError):
                            os.kill(int(word), signal.SIGKILL)
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.02)  # its processes are ending
                else:
                    break


def make_group(token: str, limits: SandboxLimits) -> Group | None:
    """A new group below the one that this process is in, or beside it; None where the system gives none."""
    for parents in _candidates(_own()):
        for stale in (folder for parent in set(parents) for folder in parent.glob("headline-lab-*")):
            with suppress(OSError):
                if time.time() - stale.stat().st_mtime > _STALE_SECONDS:
                    stale.rmdir()
        memory, processes = (parent / f"headline-lab-{token}" for parent in parents)
        group = Group(memory, processes, limits.megabytes * 1_000_000)
        try:
            for folder in group.folders:
                folder.mkdir()
            _bound(group, _THREADS * limits.processes)
        except OSError:
            group.end()
        else:
            return group
    return None


def _own() -> dict[str, Path]:
    folders: dict[str, Path] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for name in controllers.split(","):
                mounted = _MOUNT / name
                folder = mounted / path.lstrip("/")
                folders[name] = folder if folder.is_dir() else mounted
    return folders


def _candidates(own: dict[str, Path]) -> list[tuple[Path, Path]]:
    pairs = []
    if "memory" in own and "pids" in own:
        pairs.append((own["memory"], own["pids"]))
    two = own.get("")
    # In version 2 a group that holds processes cannot hold groups with limits; its parent can.
    for folder in (two, two.parent) if two is not None and two != _MOUNT else (two,):
        with suppress(OSError):
            # Who may not write here may not move a process from this group into another one below.
            if folder is None or not os.access(folder / "cgroup.procs", os.W_OK):
                continue
            if {"memory", "pids"} <= set((folder / "cgroup.subtree_control").read_text().split()):
                pairs.append((folder, folder))
    return pairs


def _bound(group: Group, threads: int) -> None:
    first = "memory.max" if group.two else "memory.limit_in_bytes"
    (group.memory / first).write_text(str(group.limit))
    swap = "memory.memsw.limit_in_bytes", str(group.limit)
    for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1"), swap):
        if (group.memory / name).exists():
            (group.memory / name).write_text(value)
    (group.processes / "pids.max").write_text(str(threads))


def _table(path: Path) -> dict[str, int]:
    counters = {}
    with suppress(OSError):
        for line in path.read_text().splitlines():
            name, _, value = line.partition(" ")
            if value.strip().isdigit():
                counters[name] = int(value)
    return counters
