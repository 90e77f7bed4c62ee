"""A training run as a folder, which other processes read while it is written; see docs/training.md.

Files are replaced whole and lines appended whole. A checkpoint's tensors are written first, its `state.json`
last, so that a process killed at any moment leaves a whole one: the new one or the one before.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from core import files
from core.errors import DataSourceError, InputError
from core.tensor_files import write_tensors

if TYPE_CHECKING:
    import torch


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


FORMAT: Final = "headline-lab-run"
VERSION: Final = 1


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
                what, hint = "a training run", "Add --resume to go on with it, or name another folder."
            raise InputError(f"{self.path} already holds {what}.", hint=hint)
        head = {"format": FORMAT, "version": VERSION}
        self._write({**head, **about, "state": RunState.WAITING, "created": time.time()})

    def about(self) -> dict[str, Any]:
        try:
            # A file of this program has a few kilobytes; more is not one, and is not read.
            with (self.path / "run.json").open(encoding="utf-8") as file:
                about = json.loads(file.read(4 << 20))
        except FileNotFoundError:
            hint = "Give the folder that `--out` named."
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
        """Appends one line to progress.jsonl, with the time."""
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


Tensors = Mapping[str, "torch.Tensor"]
Count = Annotated[int, msgspec.Meta(ge=0)]

RESUME: Final = "Check that there is space; then go on with --resume."


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    step: Count = 0
    seconds: float = 0.0
    best: float | None = None
    best_step: Count = 0
    waited: Count = 0
    ended: bool = False


def learned(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of a module that training changes: what is trained, and the persistent buffers."""
    kept = {name for name, value in module.named_parameters() if value.requires_grad}
    kept |= {name for name, _ in module.named_buffers()}
    return {name: value.detach() for name, value in module.state_dict().items() if name in kept}


def restore(module: torch.nn.Module, tensors: Tensors, folder: Path) -> None:
    import torch

    own = learned(module)
    if own.keys() != tensors.keys() or any(own[name].shape != tensors[name].shape for name in own):
        hint = "Resume with the settings that the run was started with, or start a new run."
        raise DataSourceError(f"The checkpoint in {folder} belongs to another model.", hint=hint)
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(tensors[name])


def save_checkpoint(
    folder: Path, position: Position, module: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    import torch

    tensors = {f"model/{name}": value for name, value in learned(module).items()}
    for place, values in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{place}/{name}": torch.as_tensor(value) for name, value in values.items()}
    tensors["random/cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random/cuda"] = torch.cuda.get_rng_state()
    name = f"step-{position.step:07d}.safetensors"
    files.make_folder(folder, hint=RESUME)
    write_tensors(folder / name, tensors, hint=RESUME)
    state = json.dumps({"tensors": name, **asdict(position)}, indent=2) + "\n"
    files.write(folder / "state.json", state.encode(), hint=RESUME)
    # Of the one before, and of a process that was killed while it wrote.
    for old in (*folder.glob("step-*.safetensors"), *folder.glob(f"*{files.PARTIAL}")):
        if old.name != name:
            with suppress(OSError):
                old.unlink()


def load_checkpoint(
    folder: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> Position | None:
    import torch

    if (state := _state(folder)) is None:
        return None
    name, position = state
    tensors = read_tensors(folder / name)
    restore(module, _under("model/", tensors), folder)
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    values: dict[int, dict[str, torch.Tensor]] = {}
    try:
        for key, value in _under("optimizer/", tensors).items():
            place, _, kind = key.partition("/")
            if int(place) < 0 or (value.ndim and value.shape != parameters[int(place)].shape):
                raise ValueError(key)
            values.setdefault(int(place), {})[kind] = value
        if not values and position.step:
            raise ValueError("optimizer")
        optimizer.load_state_dict({**optimizer.state_dict(), "state": values})
        torch.set_rng_state(tensors["random/cpu"])
        if torch.cuda.is_available() and "random/cuda" in tensors:
            torch.cuda.set_rng_state(tensors["random/cuda"])
    except (ValueError, TypeError, LookupError, RuntimeError) as error:
        raise _damaged_checkpoint(folder) from error
    return position


def _under(head: str, tensors: Tensors) -> dict[str, torch.Tensor]:
    return {name.removeprefix(head): value for name, value in tensors.items() if name.startswith(head)}


def _state(folder: Path) -> tuple[str, Position] | None:
    try:
        state = msgspec.json.decode((folder / "state.json").read_bytes())
        name = state.pop("tensors")
        if Path(name).name != name or state.keys() != {field.name for field in fields(Position)}:
            raise ValueError(name)
        return name, msgspec.convert(state, Position)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, msgspec.MsgspecError) as error:
        raise _damaged_checkpoint(folder) from error


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise _damaged_checkpoint(path.parent) from error


def _damaged_checkpoint(folder: Path) -> DataSourceError:
    hint = "Start the run again in another folder."
    return DataSourceError(f"The checkpoint in {folder} is damaged.", hint=hint)
