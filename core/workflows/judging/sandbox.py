"""What a judged command may use, what shuts it in, and how its run ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import CoreError, InputError

STDERR_CHARACTERS = 4_000
"""The end of what a system says on stderr is kept, no more."""


class JudgingError(CoreError, RuntimeError):
    """A system could not be judged: it failed, broke a limit, or wrote something else than headlines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a system may use.

    Attributes:
        seconds: From start to end.
        megabytes: Resident memory of all its processes together.
        output_megabytes: On stdout.
        files_megabytes: In its working directory.
        processes: At once, threads not counted.
    """

    seconds: float = 600.0
    megabytes: int = 2_000
    output_megabytes: int = 20
    files_megabytes: int = 200
    processes: int = 200

    def __post_init__(self) -> None:
        """Checks the ranges.

        Raises:
            InputError: One is not above 0.
        """
        for name in ("seconds", "megabytes", "output_megabytes", "files_megabytes", "processes"):
            if not 0 < getattr(self, name) < 1e9:
                raise InputError(
                    f"The limit {name} cannot be {getattr(self, name):g}.", hint="Give a number above 0."
                )


@dataclass(frozen=True, kw_only=True, slots=True)
class Isolation:
    """What kept a system apart, each as a short sentence for people.

    Attributes:
        kind: "container", "namespaces" or "process".
        network: Whether the network was closed.
        files: What it could read and write.
        network_closed: The same as a flag.
    """

    kind: str
    network: str
    files: str
    network_closed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """A run that came to its end by itself within its limits.

    Attributes:
        output: Its stdout.
        stderr: The end of its stderr.
        seconds: How long it took, start included.
        peak_megabytes: Largest resident memory of all its processes and the few megabytes of the sandbox,
            sampled; None where it was too short to be seen or is not known.
        isolation: What shut it in.
    """

    output: bytes
    stderr: str
    seconds: float
    peak_megabytes: float | None
    isolation: Isolation


class Sandbox(Protocol):
    """A place to run a command in."""

    def command(self, command: Sequence[str], work: Path, limits: Limits, token: str) -> list[str]:
        """The command line that runs a command shut in.

        Args:
            command: What is judged; paths are absolute.
            work: An empty folder outside of it.
            limits: What it may use.
            token: A word of this run alone.
        """
        ...

    def end(self, token: str) -> None:
        """Ends whatever the run left, after its process group was killed."""
        ...

    @property
    def isolation(self) -> Isolation:
        """What keeps the command apart."""
        ...
