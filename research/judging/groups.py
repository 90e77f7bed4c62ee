"""What holds the processes of one run: a control group of Linux, and memory looked at from outside."""

from __future__ import annotations

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

    def used(self) -> int:
        """Bytes that programs hold and files in memory take; pages of files on disk can be given up."""
        told = _table(self.memory / "memory.stat")
        if (self.memory / "memory.max").exists():
            return told.get("anon", 0) + told.get("shmem", 0)
        return told.get("total_rss", 0) + told.get("total_shmem", 0)

    def overfull(self) -> bool:
        name = "memory.events" if (self.memory / "memory.max").exists() else "memory.oom_control"
        return _table(self.memory / name).get("oom_kill", 0) > 0

    def holds(self) -> bool:
        """Whether the limit is in force and something was counted against it."""
        two = (self.memory / "memory.max").exists()
        limit = self.memory / ("memory.max" if two else "memory.limit_in_bytes")
        peak = self.memory / ("memory.peak" if two else "memory.max_usage_in_bytes")
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
        _sweep(parents)
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


def _sweep(parents: tuple[Path, Path]) -> None:
    for parent in dict.fromkeys(parents):
        for folder in parent.glob("headline-lab-*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _STALE_SECONDS:
                    folder.rmdir()


def _own() -> dict[str, Path]:
    found: dict[str, Path] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for name in controllers.split(","):
                mounted = _MOUNT / name
                folder = mounted / path.lstrip("/")
                found[name] = folder if folder.is_dir() else mounted
    return found


def _candidates(own: dict[str, Path]) -> list[tuple[Path, Path]]:
    found = []
    if "memory" in own and "pids" in own:
        found.append((own["memory"], own["pids"]))
    two = own.get("")
    # In version 2 a group that holds processes cannot hold groups with limits; its parent can.
    for folder in (two, two.parent) if two is not None and two != _MOUNT else (two,):
        with suppress(OSError):
            # Who may not write here may not move a process from this group into another one below.
            if folder is None or not os.access(folder / "cgroup.procs", os.W_OK):
                continue
            if {"memory", "pids"} <= set((folder / "cgroup.subtree_control").read_text().split()):
                found.append((folder, folder))
    return found


def _bound(group: Group, threads: int) -> None:
    if (group.memory / "memory.max").exists():
        (group.memory / "memory.max").write_text(str(group.limit))
        for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
            if (group.memory / name).exists():
                (group.memory / name).write_text(value)
    else:
        (group.memory / "memory.limit_in_bytes").write_text(str(group.limit))
        if (group.memory / "memory.memsw.limit_in_bytes").exists():
            (group.memory / "memory.memsw.limit_in_bytes").write_text(str(group.limit))
    (group.processes / "pids.max").write_text(str(threads))


def _table(path: Path) -> dict[str, int]:
    found = {}
    with suppress(OSError):
        for line in path.read_text().splitlines():
            name, _, value = line.partition(" ")
            if value.strip().isdigit():
                found[name] = int(value)
    return found


_NAMELESS: Final = ("/memfd:", "/dev/zero")  # how the system names memory that is shared without a file
_SHARED: Final = "/dev/shm"  # noqa: S108
"""Folder of files in memory; in a root of its own, the same as its temporary folder."""


def members(pid: int) -> list[int]:
    """A process and all that descends from it; [] where it is gone."""
    import psutil

    try:
        head = psutil.Process(pid)
        return [pid, *(child.pid for child in head.children(recursive=True))]
    except psutil.Error:
        return []


def memory(pids: list[int]) -> int:
    """Bytes that processes hold together: shared pages once, and files in memory that no page maps.

    Files in memory are those that a process has open without a name (memfd), those in the temporary folder
    of a root of its own, else the open ones of the common /dev/shm. What is both mapped and open counts once.
    """
    held, shared, files = 0, 0, dict[tuple[int, int], int]()
    folder = _folder(pids)
    for pid in pids:
        own, mapped = _pages(pid)
        held += own
        shared += mapped
        files |= _open_files(pid, _NAMELESS if folder is not None else (*_NAMELESS, _SHARED))
    return held + max(shared, sum(files.values()) + (folder or 0))


def _pages(pid: int) -> tuple[int, int]:
    import psutil

    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            told = {line.split()[0]: int(line.split()[1]) * 1024 for line in file if line.endswith("kB\n")}
        return told.get("Pss:", 0) - told.get("Pss_Shmem:", 0), told.get("Pss_Shmem:", 0)
    except (OSError, ValueError, IndexError):
        with suppress(psutil.Error):
            return psutil.Process(pid).memory_info().rss, 0
        return 0, 0


def _open_files(pid: int, names: tuple[str, ...]) -> dict[tuple[int, int], int]:
    found = {}
    folder = f"/proc/{pid}/fd"
    with suppress(OSError):
        for name in os.listdir(folder):
            with suppress(OSError):
                if os.readlink(f"{folder}/{name}").startswith(names):
                    told = os.stat(f"{folder}/{name}")
                    found[told.st_dev, told.st_ino] = told.st_blocks * 512
    return found


def _folder(pids: list[int]) -> int | None:
    for pid in pids:
        with suppress(OSError):
            place = f"/proc/{pid}/root"
            if os.stat(place).st_dev != os.stat("/").st_dev:
                told = os.statvfs(place + _SHARED)
                return (told.f_blocks - told.f_bfree) * told.f_frsize
    return None
