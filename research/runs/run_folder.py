"""A training run as a folder that others read while it is written; see docs/training.md."""

import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from core import files
from core.errors import DataSourceError, InputError

FORMAT: Final = "headline-lab-run"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Process:
    pid: Annotated[int, msgspec.Meta(ge=1)]
    born: float
    host: str


@lru_cache(maxsize=1)
def _born(pid: int) -> float:
    import psutil

    return float(psutil.Process(pid).create_time())


def this_process() -> Process:
    return Process(os.getpid(), _born(os.getpid()), socket.gethostname())


def is_alive(process: Process) -> bool:
    """Whether it still runs; one on another machine, which cannot be seen, counts as running."""
    import psutil

    if process.host != socket.gethostname():
        return True
    try:
        running = psutil.Process(process.pid)
        # The clock of a start is exact to a hundredth of a second.
        same = abs(running.create_time() - process.born) < 1
        return bool(same and running.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


class RunState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    watch: Callable[[Mapping[str, Any]], None] | None = None

    @property
    def model(self) -> Path:
        return self.path / "model"

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint"

    @property
    def exists(self) -> bool:
        return (self.path / "run.json").is_file()

    def create(self, about: Mapping[str, Any]) -> None:
        if self.path.exists() and (
            not self.path.is_dir() or any(file.suffix != files.PARTIAL for file in self.path.iterdir())
        ):
            what, hint = "something else", "Name a folder that is empty or does not exist yet."
            if self.exists:
                what, hint = "a training run", "Resume it (with --resume), or name another folder."
            raise InputError(f"{self.path} already holds {what}.", hint=hint)
        head = {"format": FORMAT, "version": VERSION}
        self._write({**head, **about, "state": RunState.WAITING, "created": time.time()})

    def about(self) -> dict[str, Any]:
        try:
            # A file of this program has a few kilobytes; more is not one, and is not read.
            with (self.path / "run.json").open(encoding="utf-8") as file:
                about = json.loads(file.read(4 << 20))
        except FileNotFoundError:
            hint = "Give the folder of a training (what --out named)."
            raise DataSourceError(f"{self.path} holds no training run.", hint=hint) from None
        except (OSError, ValueError, RecursionError) as error:
            raise _damaged(self.path) from error
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise _damaged(self.path)
        if about.get("version") != VERSION or about.get("state") not in set(RunState):
            said = f"The training run {self.path} was written by another version of Headline Lab."
            raise DataSourceError(said, hint="Use that version, or train again.")
        return about

    def record(self, **values: Any) -> None:
        self._write({**self.about(), **values})

    def start(self) -> None:
        state = self.state()
        if state is RunState.RUNNING and self._process() != this_process():
            hint = "Wait until it has ended, or stop it."
            raise InputError(f"The run {self.path} is being trained by another process.", hint=hint)
        if state is not RunState.WAITING:
            self.forget_stop()
        self.record(state=RunState.RUNNING, process=asdict(this_process()), started=time.time(), message="")

    def end(self, state: RunState, message: str = "") -> None:
        self.record(state=state, message=message, ended=time.time())

    def state(self) -> RunState:
        """Where the run stands: a run whose process is gone is stopped, whatever its file says."""
        state = RunState(self.about()["state"])
        if state is RunState.RUNNING and ((process := self._process()) is None or not is_alive(process)):
            return RunState.STOPPED
        return state

    def ask_to_stop(self) -> None:
        """Leaves a request to stop; training ends after its present step and keeps a checkpoint."""
        files.write(self.path / "stop", b"")

    def forget_stop(self) -> None:
        (self.path / "stop").unlink(missing_ok=True)

    @property
    def stop_requested(self) -> bool:
        return (self.path / "stop").exists()

    def report(self, line: Mapping[str, Any]) -> None:
        text = json.dumps({"time": round(time.time(), 3), **line}, ensure_ascii=False, allow_nan=False)
        files.append(self.path / "progress.jsonl", f"{text}\n".encode(), durable=False)
        if self.watch is not None:
            self.watch(line)

    def progress(self) -> list[dict[str, Any]]:
        """The lines of progress.jsonl that are whole, in order; none where there is no file."""
        lines, written = list[Any](), ""
        with (
            suppress(OSError),
            (self.path / "progress.jsonl").open(encoding="utf-8", errors="replace") as file,
        ):
            written = file.read(64 << 20)
        for text in written.splitlines():
            with suppress(ValueError, RecursionError):  # a process that was killed may leave half a line
                lines.append(json.loads(text))
        return [line for line in lines if isinstance(line, dict)]

    def forget_progress_after(self, step: int) -> None:
        """Takes out the lines of steps that are trained again after an unclean end."""
        steps = ((line, line.get("step")) for line in self.progress())
        lines = (line for line, own in steps if not isinstance(own, int) or own <= step)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        files.write(self.path / "progress.jsonl", text.encode())

    def remove(self) -> None:
        if self.state() is RunState.RUNNING:
            raise InputError(f"The run {self.path} is being trained.", hint="Stop it first.")
        shutil.rmtree(self.path)

    def _process(self) -> Process | None:
        with suppress(msgspec.ValidationError):
            return msgspec.convert(self.about().get("process"), Process)
        return None

    def _write(self, about: Mapping[str, Any]) -> None:
        files.make_folder(self.path)  # its name, too: who made it may have been killed
        text = json.dumps(about, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        files.write(self.path / "run.json", text.encode())


def _damaged(path: Path) -> DataSourceError:
    said = f"The run.json in {path} is damaged or of another program."
    return DataSourceError(said, hint="Name another folder for a new run.")
