"""A judged command in a container of docker or podman."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.workflows.judging.sandbox import Isolation, JudgingError, Limits

ENGINES: Final = ("docker", "podman")
_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Container:
    """Runs commands in an image that is on this machine; nothing is pulled.

    Attributes:
        image: Name of the image.
        engine: Path of docker or podman.
    """

    image: str
    engine: str

    @property
    def isolation(self) -> Isolation:
        """What a container keeps apart."""
        return Isolation(
            kind="container",
            network="The network was closed.",
            files=f"It saw the files of the image {self.image} alone, read-only.",
            network_closed=True,
        )

    def command(self, command: Sequence[str], work: Path, limits: Limits, token: str) -> list[str]:
        """The engine's command line; see `Sandbox.command`."""
        return [
            self.engine,
            "run",
            "--rm",
            "--interactive",
            f"--name={_name(token)}",
            "--pull=never",
            "--network=none",
            "--read-only",
            f"--tmpfs=/tmp:size={limits.files_megabytes}m",
            "--workdir=/tmp",
            "--env=HOME=/tmp",
            f"--memory={limits.megabytes}m",
            f"--memory-swap={limits.megabytes}m",
            f"--cpus={os.cpu_count() or 1}",
            f"--pids-limit={limits.processes}",
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            self.image,
            *command,
        ]

    def end(self, token: str) -> None:
        """Removes the container where it is still there."""
        _succeeds(self.engine, "rm", "--force", _name(token))


def find_container(image: str) -> Container:
    """A container of an image.

    Raises:
        JudgingError: Neither docker nor podman runs here, or the image is not on this machine.
    """
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
    return Container(image, engine)


def _succeeds(engine: str, *words: str) -> bool:
    command = [engine, *words]
    try:
        # The engine was found on the path, and the words are ours or the user's own.
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _name(token: str) -> str:
    return f"headline-lab-{token}"
