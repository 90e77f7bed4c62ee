"""A judged command in a process and, where the system allows it, a root of its own; and its memory."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from core import ABOVE
from core.files import IMPORTED_FROM
from research.judging import launch, shown_paths
from research.judging.control_group import make_group
from research.judging.launch import WORK
from research.judging.sandbox import Isolation, Run, Sandbox, SandboxLimits

MARK: Final = "HEADLINE_LAB_JUDGED"  # environment variable by which the processes of a run are found
_START: Final = f"import sys; sys.path.insert(0, sys.argv[1]); from {ABOVE}research.judging import launch; "
_VIRTUAL: Final = 4
"""Address space a process may reserve, in multiples of the memory limit: frameworks reserve much."""
_ENDING_SECONDS: Final = 10.0
_TEXTS: Final = (("/etc/passwd", f"judged:x:1000:1000::{WORK}:/bin/sh\n"), ("/etc/group", "judged:x:1000:\n"))
_LINKS: Final = tuple(
    (f"/dev/{name}", f"/proc/self/fd{place}")
    for name, place in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2"))
)
_NAMELESS: Final = ("/memfd:", "/dev/zero")  # how the system names memory that is shared without a file
_SHARED: Final = "/dev/shm"  # noqa: S108
"""Folder of files in memory; in a root of its own, the same as its temporary folder."""


def separate_process(*, hidden: tuple[Path, ...] = (), named: tuple[Path, ...] = ()) -> Sandbox:
    return partial(_SeparateRun, hidden=hidden, named=named)


class _SeparateRun(Run):
    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        limits: SandboxLimits,
        token: str,
        *,
        hidden: tuple[Path, ...],
        named: tuple[Path, ...],
    ) -> None:
        command = [shown_paths.interpreter_for(command[0]), *command[1:]]
        shown = shown_paths.named_paths(
            [*shown_paths.program_paths(command), *shown_paths.files_of(command), *named], hidden
        )
        (folder / "root").mkdir()
        root = None
        if can_isolate():
            root = _root(folder / "root", [*shown_paths.system_paths(), *shown], hidden, limits)
        self.root, self.token, self.group = root, token, make_group(token, limits)
        groups = [str(path) for path in self.group.folders] if self.group else []
        self.home = WORK if root is not None else str(folder / "root")
        self.line, self.report = _launched(folder, command, root, _resource_limits(limits), groups)
        self.others: frozenset[int] = frozenset()
        if root is None:
            # The command may end its own guardian, and then what it started becomes a child of this process.
            launch.adopt_orphans()
            self.others = frozenset(members(os.getpid()))

    def used(self, pid: int) -> int:
        counted = self.group.used() if self.group else 0
        if self.group and self.root is not None:
            return counted
        return max(counted, memory(members(pid)))

    def overfull(self) -> bool:
        return self.group is not None and self.group.overfull()

    def isolation(self) -> Isolation:
        if self.root is None:
            # Whoever made the group may leave it, and so may the command, which runs as the same user.
            return Isolation(kind="process")
        held = self.group is not None and self.group.holds()
        report: dict[str, Any] = {}  # where it ended before the doors were closed
        with suppress(OSError, ValueError):
            report = json.loads(self.report.read_bytes())
        verified = {name: report.get(name) is True for name in ("files", "network", "processes")}
        return Isolation(kind="new root", memory=held, **verified)

    def end(self) -> None:
        if self.group:
            self.group.end()
        if self.root is None:
            _end_adopted(self.others)
            import psutil

            for process in psutil.process_iter():
                with suppress(psutil.Error, OSError):
                    if process.environ().get(MARK) == self.token:
                        process.kill()


def _end_adopted(others: frozenset[int]) -> None:
    deadline = time.monotonic() + _ENDING_SECONDS
    while (left := launch.end_children(spared=others, session=os.getsid(0))) and time.monotonic() < deadline:
        for pid in left:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    launch.adopt_orphans(adopt=False)


@lru_cache(maxsize=1)
def can_isolate() -> bool:
    """Whether this system lets a user make a new root that holds; tried out with nothing in it."""
    if sys.platform != "linux":
        return False
    with tempfile.TemporaryDirectory(prefix=f"headline-lab-probe-{os.getpid()}-") as name:
        folder = Path(name).resolve()
        (folder / "root").mkdir()
        root = _root(folder / "root", shown_paths.system_paths(), (folder,), SandboxLimits())
        line, report = _launched(folder, ["true"], root, {}, [])
        try:
            done = subprocess.run(line, capture_output=True, timeout=shown_paths.ASKED_SECONDS, check=False)  # noqa: S603 - ours
            return done.returncode == 0 and all(json.loads(report.read_bytes()).values())
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return False


def _launched(
    folder: Path,
    command: Sequence[str],
    root: dict[str, Any] | None,
    limits: dict[str, int],
    groups: Sequence[str],
) -> tuple[list[str], Path]:
    settings, report = folder / "settings.json", folder / "report.json"
    order = {"command": command, "limits": limits, "groups": groups, "report": str(report), "root": root}
    order["work"] = WORK if root is not None else str(folder / "root")
    settings.write_text(json.dumps(order), encoding="utf-8")
    start = f"{_START}launch.main(sys.argv[2])"
    return [sys.executable, "-I", "-S", "-c", start, str(IMPORTED_FROM), str(settings)], report


def _root(
    place: Path, paths: Sequence[Path], hidden: Sequence[Path], limits: SandboxLimits
) -> dict[str, Any]:
    tops = {path: path.resolve() for path in paths if str(path) in shown_paths.TOP and path.is_symlink()}
    binds: list[Path] = []
    for path in sorted(set(paths) - set(tops), key=lambda entry: (len(entry.parts), str(entry))):
        if not any(top == path or top in path.parents for top in binds):
            binds.append(path)
    covers = [
        bind / wall.relative_to(real)
        for wall in (path.resolve() for path in hidden)
        for bind, real in ((path, path.resolve()) for path in binds)
        if real in wall.parents
    ]
    return {
        "place": str(place),
        "binds": [(str(path), str(path)) for path in binds],
        "links": [*((str(path), os.path.relpath(to, "/")) for path, to in tops.items()), *_LINKS],
        "texts": _TEXTS,
        "covers": [str(cover) for cover in covers],
        "megabytes": limits.files_megabytes,
        "secret": [str(path) for file in hidden for path in {file, file.resolve()}],
    }


def _resource_limits(limits: SandboxLimits) -> dict[str, int]:
    cores = os.cpu_count() or 1
    return {
        "RLIMIT_AS": _VIRTUAL * limits.megabytes * 1_000_000,
        "RLIMIT_CPU": int(limits.seconds * cores) + 1,
        "RLIMIT_FSIZE": limits.files_megabytes * 1_000_000,
        "RLIMIT_NOFILE": 1_024,
        # Not 0: a system that hands core dumps to a program asks for more than 1 byte, but hands over at 0.
        "RLIMIT_CORE": 1,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NPROC": _threads_of_user() + 16 * limits.processes,
    }


def _threads_of_user() -> int:
    import psutil

    if not hasattr(psutil.Process(), "uids"):
        return 0
    mine = psutil.Process().uids().real
    known = [process.info for process in psutil.process_iter(["uids", "num_threads"])]
    return sum(
        one["num_threads"] or 1 for one in known if one["uids"] is not None and one["uids"].real == mine
    )


def members(pid: int) -> list[int]:
    """A process and all that descends from it; [] where it is gone."""
    import psutil

    try:
        head = psutil.Process(pid)
        return [pid, *(child.pid for child in head.children(recursive=True))]
    except psutil.Error:
        return []


def memory(pids: list[int]) -> int:
    """Bytes that processes hold together: shared pages once, and files in memory that no page maps."""
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
