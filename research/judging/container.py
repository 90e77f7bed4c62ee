"""A judged command in a container of docker or podman."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from research.judging.sandbox import Isolation, JudgingError, Run, SandboxLimits

ENGINES: Final = ("docker", "podman")
_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class ContainerSandbox:
    """Runs commands in an image that is on this machine; nothing is pulled."""

    image: str
    engine: str

    def prepare(self, command: Sequence[str], folder: Path, limits: SandboxLimits, token: str) -> Run:
        """Makes ready to run a command; see `Sandbox.prepare`."""
        return _Run(engine=self.engine, image=self.image, command=tuple(command), limits=limits, token=token)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Run:
    engine: str
    image: str
    command: tuple[str, ...]
    limits: SandboxLimits
    token: str

    @property
    def home(self) -> str:
        return "/tmp"  # noqa: S108 - of the container

    @property
    def line(self) -> list[str]:
        return [
            self.engine,
            "run",
            "--interactive",
            f"--name={_name(self.token)}",
            "--pull=never",
            "--network=none",
            "--read-only",
            f"--tmpfs=/tmp:size={self.limits.files_megabytes}m",
            "--workdir=/tmp",
            "--env=HOME=/tmp",
            f"--memory={self._bytes}",
            f"--memory-swap={self._bytes}",
            f"--cpus={os.cpu_count() or 1}",
            f"--pids-limit={self.limits.processes}",
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            self.image,
            *self.command,
        ]

    @property
    def _bytes(self) -> int:
        return self.limits.megabytes * 1_000_000

    def used(self, pid: int) -> int:
        return 0  # only the program that talks to the engine is seen from here

    def overfull(self) -> bool:
        return False  # the engine ends it with SIGKILL

    def isolation(self) -> Isolation:
        try:
            told = json.loads(_output(self.engine, "inspect", _name(self.token)))[0]
            host = told["HostConfig"]
            return Isolation(
                kind="container",
                files=host["ReadonlyRootfs"] is True and not told["Mounts"],
                network=host["NetworkMode"] == "none",
                processes=host["PidMode"] in ("", "private"),
                memory=host["Memory"] == self._bytes and host["PidsLimit"] == self.limits.processes,
            )
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, IndexError):
            return Isolation(kind="container")

    def end(self) -> None:
        _succeeds(self.engine, "rm", "--force", _name(self.token))


def find_container(image: str) -> ContainerSandbox:
    """A container of an image."""
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


def _name(token: str) -> str:
    return f"headline-lab-{token}"
