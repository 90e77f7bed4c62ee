"""What a judged command may use, what shuts it in and holds its processes, and how its run ended."""

import json
import os
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from core.errors import CoreError, InputError, readable

STDERR_CHARACTERS = 4_000  # the end of what a system says on stderr is kept, no more


class JudgingError(CoreError, RuntimeError):
    """A system could not be judged: it failed, broke a limit, or wrote something else than headlines."""

    def __init__(self, message: str, *, hint: str, said: str = "") -> None:
        super().__init__(message, hint=hint)
        if lines := [readable(line.expandtabs()) for line in said.splitlines()]:
            self.hint = "\n  ".join([f"{self.hint} It said:", *lines])


@dataclass(frozen=True, kw_only=True, slots=True)
class SandboxLimits:
    seconds: float = 600.0
    megabytes: int = 2_000
    output_megabytes: int = 20
    files_megabytes: int = 200
    processes: int = 200

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 < value < 1e9:
                raise InputError(f"The limit {name} cannot be {value:g}.", hint="Give a number above 0.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Isolation:
    """What held in a run, as it was verified there; False where it did not hold or nobody could tell."""

    kind: str
    files: bool = False  # it saw nothing but what was named for it, and the system's programs
    network: bool = False  # it had none
    processes: bool = False  # it saw none but its own
    memory: bool = False  # the kernel held the limits of memory and of processes

    @property
    def label(self) -> str:
        return "isolated" if self.files and self.network and self.processes else "not isolated"

    @property
    def sentence(self) -> str:
        phrases = (
            "it saw only the files that were named for it and the system's programs"
            if self.files
            else "it could read the files of its user, references too",
            "The network was closed" if self.network else "The network was open",
            "It saw its own processes alone" if self.processes else "It saw the processes of this machine",
            "The system held it to its memory"
            if self.memory
            else "Its memory was watched, which a quick system can outrun",
        )
        return f"{self.label.capitalize()} ({self.kind}): {'. '.join(phrases)}."


class Finished(NamedTuple):
    output: bytes
    stderr: str
    seconds: float
    peak_megabytes: float | None
    isolation: Isolation


class Run(ABC):
    """A command that is ready to be run once."""

    line: list[str]  # the command line that runs it shut in
    home: str  # the folder in which it starts and may write, as it sees it

    def used(self, pid: int) -> int:
        """Bytes of memory it holds now; 0 where that is not known."""
        return 0

    def overfull(self) -> bool:
        """Whether the kernel ended something because there was no memory left for it."""
        return False

    @abstractmethod
    def isolation(self) -> Isolation:
        """What was verified; asked once the command has ended and before `end`."""

    @abstractmethod
    def end(self) -> None:
        """Ends whatever is left, after its process group was killed."""


Sandbox = Callable[[Sequence[str], Path, SandboxLimits, str], Run]
"""Makes ready to run a command: in an empty folder, within limits, marked by a word of its own."""
_SECONDS: Final = 20


class ContainerRun(Run):
    # Only what talks to the engine is seen from here; the engine ends what is overfull with SIGKILL.
    home = "/tmp"  # noqa: S108 - of the container

    def __init__(
        self,
        command: Sequence[str],
        _: Path,
        limits: SandboxLimits,
        token: str,
        *,
        engine: str,
        image: str,
        gpu: bool = False,
    ) -> None:
        self.engine, self.limits, self.name = engine, limits, f"headline-lab-{token}"
        self.kind = "container, graphics card" if gpu else "container"
        card = "--gpus=all" if Path(engine).name == "docker" else "--device=nvidia.com/gpu=all"
        self.bytes = limits.megabytes * 1_000_000
        self.line = [
            *(engine, "run", "--interactive", f"--name={self.name}", "--pull=never", "--network=none"),
            *("--read-only", f"--tmpfs=/tmp:size={limits.files_megabytes}m", "--workdir=/tmp"),
            *("--env=HOME=/tmp", f"--memory={self.bytes}", f"--memory-swap={self.bytes}"),
            *(f"--cpus={os.cpu_count() or 1}", f"--pids-limit={limits.processes}", "--cap-drop=ALL"),
            *("--security-opt=no-new-privileges", *([card] if gpu else []), image, *command),
        ]

    def isolation(self) -> Isolation:
        try:
            inspected = json.loads(_output(self.engine, "inspect", self.name))[0]
            host = inspected["HostConfig"]
            return Isolation(
                kind=self.kind,
                files=host["ReadonlyRootfs"] is True and not inspected["Mounts"],
                network=host["NetworkMode"] == "none",
                processes=host["PidMode"] in ("", "private"),
                memory=host["Memory"] == self.bytes and host["PidsLimit"] == self.limits.processes,
            )
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, IndexError):
            return Isolation(kind=self.kind)

    def end(self) -> None:
        _succeeds(self.engine, "rm", "--force", self.name)


def find_container(image: str, *, gpu: bool = False) -> partial[ContainerRun]:
    engine = shutil.which("docker") or shutil.which("podman")
    if engine is None:
        hint = "Install one, or leave --container out: the command then runs in a process of its own."
        raise JudgingError("Neither docker nor podman is installed.", hint=hint)
    name = Path(engine).name
    if not _succeeds(engine, "info"):
        hint = "Start it, or leave --container out."
        raise JudgingError(f"{name} is installed but does not run.", hint=hint)
    if not _succeeds(engine, "image", "inspect", image):
        hint = f"Get it first, with `{name} pull {image}` or by building it."
        raise JudgingError(f"{name} has no image {image!r}.", hint=hint)
    return partial(ContainerRun, engine=engine, image=image, gpu=gpu)


def _output(engine: str, *words: str) -> bytes:
    # The engine was found on the path, and the words are ours.
    return subprocess.run([engine, *words], capture_output=True, timeout=_SECONDS, check=True).stdout  # noqa: S603


def _succeeds(engine: str, *words: str) -> bool:
    with suppress(OSError, subprocess.SubprocessError):
        _output(engine, *words)
        return True
    return False


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
