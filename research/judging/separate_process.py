"""A judged command in a new root, where the system allows one; else as its caller, and labelled so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core.files import ROOT
from research.judging import kernel
from research.judging.groups import Group, make_group, members, memory
from research.judging.launch import WORK
from research.judging.sandbox import Isolation, Run, SandboxLimits
from research.judging.shown import (
    TOP,
    files_of,
    interpreter_for,
    named_paths,
    program_paths,
    system_paths,
)

MARK: Final = "HEADLINE_LAB_JUDGED"
"""Environment variable by which the processes of a run are found."""
_START: Final = "import sys; sys.path.insert(0, sys.argv[1]); from research.judging import launch; "
_VIRTUAL: Final = 4
"""Address space a process may reserve, in multiples of the memory limit: frameworks reserve much."""
_PROBE_SECONDS: Final = 20
_ENDING_SECONDS: Final = 10.0
_TEXTS: Final = (
    ("/etc/passwd", f"judged:x:1000:1000::{WORK}:/bin/sh\n"),
    ("/etc/group", "judged:x:1000:\n"),
)
_LINKS: Final = (
    ("/dev/fd", "/proc/self/fd"),
    *(
        (f"/dev/{name}", f"/proc/self/fd/{number}")
        for number, name in enumerate(("stdin", "stdout", "stderr"))
    ),
)


@dataclass(frozen=True, slots=True)
class SeparateProcess:
    """Runs commands through `launch.py`."""

    hidden: tuple[Path, ...] = ()
    named: tuple[Path, ...] = ()

    def prepare(self, command: Sequence[str], folder: Path, limits: SandboxLimits, token: str) -> Run:
        command = [interpreter_for(command[0]), *command[1:]]
        shown = named_paths([*program_paths(command), *files_of(command), *self.named], self.hidden)
        place, settings = folder / "root", folder / "settings.json"
        place.mkdir()
        isolated = can_isolate()
        root = _root(place, [*system_paths(), *shown], self.hidden, limits) if isolated else None
        group = make_group(token, limits)
        told: dict[str, Any] = {
            "command": command,
            "limits": _resource_limits(limits),
            "groups": [str(one) for one in group.folders] if group else [],
            "work": WORK if isolated else str(place),
            "report": str(folder / "report.json"),
            "root": root,
        }
        settings.write_text(json.dumps(told), encoding="utf-8")
        others: frozenset[int] = frozenset()
        if not isolated:
            # The command may end its own guardian, and then what it started becomes a child of this process.
            kernel.adopt_orphans()
            others = frozenset(members(os.getpid()))
        return _Run(settings=settings, told=told, group=group, token=token, others=others)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Run:
    """One run through `launch.py`; see `Run`."""

    settings: Path
    told: dict[str, Any]
    token: str
    others: frozenset[int] = frozenset()
    group: Group | None = None

    @property
    def line(self) -> list[str]:
        return _line(self.settings)

    @property
    def home(self) -> str:
        return str(self.told["work"])

    def used(self, pid: int) -> int:
        counted = self.group.used() if self.group else 0
        if self.group and self.told["root"] is not None:
            return counted
        return max(counted, memory(members(pid)))

    def overfull(self) -> bool:
        return self.group is not None and self.group.overfull()

    def isolation(self) -> Isolation:
        if self.told["root"] is None:
            # Whoever made the group may leave it, and so may the command, which runs as the same user.
            return Isolation(kind="process")
        held = self.group is not None and self.group.holds()
        try:
            told = json.loads(Path(self.told["report"]).read_bytes())
        except (OSError, ValueError):
            told = {}  # it ended before the doors were closed
        return Isolation(
            kind="new root",
            files=told.get("files") is True,
            network=told.get("network") is True,
            processes=told.get("processes") is True,
            memory=held,
        )

    def end(self) -> None:
        if self.group:
            self.group.end()
        if self.told["root"] is None:
            _end_adopted(self.others)
            _end_marked(self.token)


def _end_adopted(others: frozenset[int]) -> None:
    deadline = time.monotonic() + _ENDING_SECONDS
    while (left := kernel.end_children(spared=others, session=os.getsid(0))) and time.monotonic() < deadline:
        for pid in left:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    kernel.adopt_orphans(adopt=False)


def _end_marked(token: str) -> None:
    import psutil

    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == token:
                process.kill()
        except (psutil.Error, OSError):
            continue


@lru_cache(maxsize=1)
def can_isolate() -> bool:
    """Whether this system lets a user make a new root that holds; tried out with nothing in it."""
    if sys.platform != "linux":
        return False
    with tempfile.TemporaryDirectory(prefix="headline-lab-probe-") as name:
        folder = Path(name).resolve()
        (folder / "root").mkdir()
        report = folder / "report.json"
        root = _root(folder / "root", system_paths(), (folder,), SandboxLimits())
        told = {
            "command": ["true"],
            "limits": {},
            "groups": [],
            "work": WORK,
            "report": str(report),
            "root": root,
        }
        (folder / "settings.json").write_text(json.dumps(told), encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 - ours
                _line(folder / "settings.json"), capture_output=True, timeout=_PROBE_SECONDS, check=False
            )
            return done.returncode == 0 and all(json.loads(report.read_bytes()).values())
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return False


def _line(settings: Path) -> list[str]:
    home = str(ROOT)
    return [sys.executable, "-I", "-S", "-c", f"{_START}launch.main(sys.argv[2])", home, str(settings)]


def _root(
    place: Path, paths: Sequence[Path], hidden: Sequence[Path], limits: SandboxLimits
) -> dict[str, Any]:
    tops = {one: one.resolve() for one in paths if str(one) in TOP and one.is_symlink()}
    binds: list[Path] = []
    for path in sorted(set(paths) - set(tops), key=lambda one: (len(one.parts), str(one))):
        if not any(one == path or one in path.parents for one in binds):
            binds.append(path)
    covers = [
        bind / wall.relative_to(real)
        for wall in (one.resolve() for one in hidden)
        for bind, real in ((one, one.resolve()) for one in binds)
        if real in wall.parents
    ]
    return {
        "place": str(place),
        "binds": [(str(one), str(one)) for one in binds],
        "links": [*((str(one), os.path.relpath(to, "/")) for one, to in tops.items()), *_LINKS],
        "texts": _TEXTS,
        "covers": [str(one) for one in covers],
        "megabytes": limits.files_megabytes,
        "secret": [str(path) for one in hidden for path in {one, one.resolve()}],
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
    count = 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == mine:
            count += process.info["num_threads"] or 1
    return count
