"""What a judged command may use, what shuts it in, and how its run ended."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from core.errors import CoreError, InputError, readable

STDERR_CHARACTERS = 4_000  # the end of what a system says on stderr is kept, no more


class JudgingError(CoreError, RuntimeError):
    """A system could not be judged: it failed, broke a limit, or wrote something else than headlines."""

    def __init__(self, message: str, *, hint: str, said: str = "") -> None:
        super().__init__(message, hint=hint)
        lines = [readable(line.expandtabs()) for line in said.splitlines()]
        if lines:
            self.hint = "\n  ".join([f"{self.hint} It said:", *lines])


@dataclass(frozen=True, kw_only=True, slots=True)
class SandboxLimits:
    seconds: float = 600.0
    megabytes: int = 2_000
    output_megabytes: int = 20
    files_megabytes: int = 200
    processes: int = 200

    def __post_init__(self) -> None:
        for name in ("seconds", "megabytes", "output_megabytes", "files_megabytes", "processes"):
            if not 0 < getattr(self, name) < 1e9:
                raise InputError(
                    f"The limit {name} cannot be {getattr(self, name):g}.", hint="Give a number above 0."
                )


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
        told = (
            "it saw only the files that were named for it and the system's programs"
            if self.files
            else "it could read the files of its user, references too",
            "the network was closed" if self.network else "the network was open",
            "it saw its own processes alone" if self.processes else "it saw the processes of this machine",
            "the system held it to its memory"
            if self.memory
            else "its memory was watched, which a quick system can outrun",
        )
        return f"{self.label.capitalize()} ({self.kind}): {', '.join(told)}."


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    output: bytes
    stderr: str
    seconds: float
    peak_megabytes: float | None
    isolation: Isolation


class Run(ABC):
    """A command that is ready to be run once.

    `line` is the command line that runs it shut in, `home` the folder in which it starts and may write, as it
    sees it.
    """

    line: list[str]
    home: str

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


class Sandbox(Protocol):
    """A place to run commands in."""

    def prepare(self, command: Sequence[str], folder: Path, limits: SandboxLimits, token: str) -> Run:
        """Makes ready to run a command."""


ENGINES: Final = ("docker", "podman")
_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class ContainerSandbox:
    image: str
    engine: str

    def prepare(self, command: Sequence[str], folder: Path, limits: SandboxLimits, token: str) -> Run:
        return _ContainerRun(self.engine, self.image, command, limits, token)


class _ContainerRun(Run):
    # Only what talks to the engine is seen from here; the engine ends what is overfull with SIGKILL.
    home = "/tmp"  # noqa: S108 - of the container

    def __init__(
        self, engine: str, image: str, command: Sequence[str], limits: SandboxLimits, token: str
    ) -> None:
        self.engine, self.limits, self.name = engine, limits, f"headline-lab-{token}"
        self.bytes = limits.megabytes * 1_000_000
        self.line = [
            *(engine, "run", "--interactive", f"--name={self.name}", "--pull=never", "--network=none"),
            *("--read-only", f"--tmpfs=/tmp:size={limits.files_megabytes}m", "--workdir=/tmp"),
            *("--env=HOME=/tmp", f"--memory={self.bytes}", f"--memory-swap={self.bytes}"),
            *(f"--cpus={os.cpu_count() or 1}", f"--pids-limit={limits.processes}", "--cap-drop=ALL"),
            *("--security-opt=no-new-privileges", image, *command),
        ]

    def isolation(self) -> Isolation:
        try:
            told = json.loads(_output(self.engine, "inspect", self.name))[0]
            host = told["HostConfig"]
            return Isolation(
                kind="container",
                files=host["ReadonlyRootfs"] is True and not told["Mounts"],
                network=host["NetworkMode"] == "none",
                processes=host["PidMode"] in ("", "private"),
                memory=host["Memory"] == self.bytes and host["PidsLimit"] == self.limits.processes,
            )
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, IndexError):
            return Isolation(kind="container")

    def end(self) -> None:
        _succeeds(self.engine, "rm", "--force", self.name)


def find_container(image: str) -> ContainerSandbox:
    engine = next(filter(None, map(shutil.which, ENGINES)), None)
    if engine is None:
        raise JudgingError(
            "Neither docker nor podman is installed.",
            hint="Install one, or leave --container out: the command then runs in a process of its own.",
        )
    name = Path(engine).name
    if not _succeeds(engine, "info"):
        raise JudgingError(
            f"{name} is installed but does not run.", hint="Start it, or leave --container out."
        )
    if not _succeeds(engine, "image", "inspect", image):
        raise JudgingError(
            f"{name} has no image {image!r}.",
            hint=f"Get it first, with `{name} pull {image}` or by building it.",
        )
    return ContainerSandbox(image, engine)


def _output(engine: str, *words: str) -> bytes:
    # The engine was found on the path, and the words are ours.
    return subprocess.run([engine, *words], capture_output=True, timeout=_SECONDS, check=True).stdout  # noqa: S603


def _succeeds(engine: str, *words: str) -> bool:
    try:
        _output(engine, *words)
    except (OSError, subprocess.SubprocessError):
        return False
    return True
