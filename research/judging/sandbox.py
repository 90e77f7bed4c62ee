"""What a judged command may use, what shuts it in, and how its run ended."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

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
