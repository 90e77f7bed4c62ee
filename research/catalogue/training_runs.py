"""The training runs of this machine: listed, started, gone on with, removed."""

import io
import threading
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from core import files, limits
from core.errors import CoreError, InputError
from core.processes import start_command
from core.runtime import cache_folder, runs_folder
from research.catalogue.training import TrainingOrder, created, model_signature, order_of
from research.runs.run_folder import RunFolder, RunState

ELSEWHERE: Final = ".elsewhere"  # ending of a file that names the folder of a run that lies elsewhere
_starting = threading.Lock()


@dataclass(frozen=True, slots=True)
class TrainingRun:
    name: str
    folder: RunFolder
    state: RunState
    created: float
    ordered: float
    note: Path | None

    @property
    def busy(self) -> bool:
        # One that waits for longer was not started, or its process ended before it began.
        starting = self.state is RunState.WAITING and time.time() - self.ordered < 60
        return self.state is RunState.RUNNING or starting


def runs() -> list[TrainingRun]:
    """The runs that can be read, newest first; none where there is no folder yet."""
    listed, folders = [], {runs_folder(), cache_folder() / "runs"}  # before 1.0.0 they were in the latter
    for path in (path for folder in folders if folder.is_dir() for path in folder.iterdir()):
        note = path if path.suffix == ELSEWHERE else None
        try:
            opened = RunFolder(path if note is None else Path(note.read_text(encoding="utf-8")))
            name = path.name if note is None else note.stem
            about, state = opened.about(), opened.state()
            made = float(about.get("created", 0))
            listed.append(TrainingRun(name, opened, state, made, float(about.get("ordered", made)), note))
        except (CoreError, TypeError, ValueError, OSError):
            # Somebody else's folder is no run; a damaged one cannot be shown.
            continue
    return sorted(listed, key=lambda run: (-run.created, run.name))


def remember(run: RunFolder) -> None:
    """Lists a run that lies elsewhere beside the others, where the folder of runs can be written."""
    folder, path = runs_folder(), run.path.resolve()
    if path.parent == folder.resolve():
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            name = path.name if number == 1 else f"{path.name}_{number}"
            note = folder / f"{name}{ELSEWHERE}"
            if note.is_file() and note.read_text(encoding="utf-8") == str(path):
                return
            if not note.exists() and not (folder / name).exists():
                files.write(note, str(path).encode())
                return


def discard(run: RunFolder) -> None:
    for listed in runs():
        if listed.note is not None and listed.folder.path == run.path.resolve():
            remove(listed)
    run.remove()


def remove(run: TrainingRun) -> None:
    """Deletes a run; one that lies elsewhere is only removed from the list."""
    if run.note is None:
        run.folder.remove()
    else:
        run.note.unlink(missing_ok=True)


def pair_models() -> dict[str, str]:
    """The pair models of all finished runs, the newest first: names of runs by the model's signature."""
    names = {}
    for run in (run for run in runs() if run.state is RunState.FINISHED):
        # A run of a trainer that is gone has nothing that could be used.
        with suppress(CoreError):
            if order_of(run.folder).kind.name == "pair" and (signature := model_signature(run.folder)):
                names[signature] = run.name
    return names


def start(order: TrainingOrder) -> RunFolder:
    with _starting:
        known = runs()
        _check_room(known)
        here = [run for run in known if run.note is None]
        if len(here) >= limits.KEPT_RUNS.value:
            said = f"There are {len(here)} runs, and no more than {limits.KEPT_RUNS.value} are kept."
            raise InputError(said, hint=f"Delete one, or raise {limits.KEPT_RUNS.variable}.")
        run = created(order, runs_folder() / _new_name(order))
        _launch(run)
        return run


def resume(run: RunFolder) -> None:
    with _starting:
        _check_room(runs())
        run.forget_stop()
        run.record(state=RunState.WAITING, ordered=time.time())
        _launch(run)


def _check_room(known: list[TrainingRun]) -> None:
    busy = [run for run in known if run.busy]
    if len(busy) >= limits.TRAININGS_AT_ONCE.value:
        hint = f"Wait until it has ended, or stop it. ({limits.TRAININGS_AT_ONCE.variable} allows more.)"
        raise InputError(f"{busy[0].name} is being trained.", hint=hint)


def _new_name(order: TrainingOrder) -> str:
    trainer = order.trainer.partition("|")[0].partition(".")[0]
    stem = f"{time.strftime('%Y-%m-%d %H.%M.%S')} {trainer} seed {order.seed}".replace(" ", "_")
    names = (stem if number == 1 else f"{stem}_{number}" for number in count(1))
    return next(name for name in names if not (runs_folder() / name).exists())


def _launch(run: RunFolder) -> None:
    with (run.path / "log.txt").open("ab") as log:
        kind = order_of(run).kind.name
        # Every word of the command is ours: the run's folder has a name that `_new_name` made.
        start_command(["train", kind, "--resume", "--out", str(run.path), "--quiet"], log)


def zipped(run: RunFolder) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(run.model.rglob("*")):
            if path.is_file():
                archive.write(path, f"{run.path.name}/{path.relative_to(run.model)}")
    return content.getvalue()
