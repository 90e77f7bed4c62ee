"""A judged command in a container of docker or podman."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from research.judging.sandbox import Isolation, JudgingError, Run, SandboxLimits

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


def _succeeds(engine: str, *words: str) -> bool:
    with suppress(OSError, subprocess.SubprocessError):
        _output(engine, *words)
        return True
    return False


def _output(engine: str, *words: str) -> bytes:
    # The engine was found on the path, and the words are ours.
    return subprocess.run([engine, *words], capture_output=True, timeout=_SECONDS, check=True).stdout  # noqa: S603
