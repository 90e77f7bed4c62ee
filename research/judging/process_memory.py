"""How much memory processes hold together."""

import os
from contextlib import suppress
from typing import Final

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

    These are open without a name (memfd), or in the temporary folder of a root of its own, else open in the
    common /dev/shm. What is both mapped and open counts once.
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
            sizes = {line.split()[0]: int(line.split()[1]) * 1024 for line in file if line.endswith("kB\n")}
        return sizes.get("Pss:", 0) - sizes.get("Pss_Shmem:", 0), sizes.get("Pss_Shmem:", 0)
    except (OSError, ValueError, IndexError):
        with suppress(psutil.Error):
            return psutil.Process(pid).memory_info().rss, 0
        return 0, 0


def _open_files(pid: int, names: tuple[str, ...]) -> dict[tuple[int, int], int]:
    blocks = {}
    folder = f"/proc/{pid}/fd"
    with suppress(OSError):
        for name in os.listdir(folder):
            with suppress(OSError):
                if os.readlink(f"{folder}/{name}").startswith(names):
                    status = os.stat(f"{folder}/{name}")
                    blocks[status.st_dev, status.st_ino] = status.st_blocks * 512
    return blocks


def _folder(pids: list[int]) -> int | None:
    for pid in pids:
        with suppress(OSError):
            place = f"/proc/{pid}/root"
            if os.stat(place).st_dev != os.stat("/").st_dev:
                shared = os.statvfs(place + _SHARED)
                return (shared.f_blocks - shared.f_bfree) * shared.f_frsize
    return None
