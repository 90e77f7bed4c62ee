"""All training runs of this machine in one folder: listing, starting, resuming, removing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import files, limits
from core.errors import CoreError, InputError
from core.runtime import cache_folder
from research.catalogue.training import TrainingOrder, created, model_signature, order_of
from research.runs.run_folder import RunFolder, RunState

RUNS: Final = "HEADLINE_LAB_RUNS"
STARTING_SECONDS: Final = 60
"""A run that waits for longer was not started, or its process ended before it began."""

ELSEWHERE: Final = ".elsewhere"
"""Ending of a file that names the folder of a run which is not among the others."""

_starting = threading.Lock()


def runs_folder() -> Path:
    """Where runs are kept: `HEADLINE_LAB_RUNS`, or `runs` in the cache folder."""
    chosen = os.environ.get(RUNS)
    return Path(chosen) if chosen else cache_folder() / "runs"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One run as a list shows it."""

    name: str
    folder: RunFolder
    state: RunState
    created: float
    ordered: float
    note: Path | None

    @property
    def busy(self) -> bool:
        """It is trained, or about to be."""
        starting = self.state is RunState.WAITING and time.time() - self.ordered < STARTING_SECONDS
        return self.state is RunState.RUNNING or starting


def runs() -> list[TrainingRun]:
    """The runs that can be read, newest first; none where there is no folder yet."""
    found = []
    folder = runs_folder()
    for path in folder.iterdir() if folder.is_dir() else ():
        note = path if path.suffix == ELSEWHERE else None
        try:
            one = RunFolder(path if note is None else Path(note.read_text(encoding="utf-8")))
            name = path.name if note is None else note.stem
            about, state = one.about(), one.state()
            made = float(about.get("created", 0))
            found.append(TrainingRun(name, one, state, made, float(about.get("ordered", made)), note))
        except (CoreError, TypeError, ValueError, OSError):
            # Somebody else's folder is no run; a damaged one cannot be shown.
            continue
    return sorted(found, key=lambda run: (-run.created, run.name))


def remember(run: RunFolder) -> None:
    """Lists a run that lies elsewhere beside the others, where the folder of runs can be written."""
    folder, path = runs_folder(), run.path.resolve()
    if path.parent == folder.resolve():
        return
    count, name = 1, path.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while (folder / f"{name}{ELSEWHERE}").exists() or (folder / name).exists():
            known = folder / f"{name}{ELSEWHERE}"
            if known.is_file() and known.read_text(encoding="utf-8") == str(path):
                return
            count += 1
            name = f"{path.name}_{count}"
        files.write(folder / f"{name}{ELSEWHERE}", str(path).encode())
    except OSError:
        return


def remove(run: TrainingRun) -> None:
    """Deletes a run; one that lies elsewhere is only removed from the list."""
    if run.note is None:
        run.folder.remove()
    else:
        run.note.unlink(missing_ok=True)


def pair_models() -> list[str]:
    """Signatures of the pair models of all finished runs, the newest first."""
    finished = [run.folder for run in runs() if run.state is RunState.FINISHED]
    signatures = []
    for folder in finished:
        try:
            signature = model_signature(folder) if order_of(folder).kind.name == "pair" else None
        except CoreError:
            # A run of a trainer that is gone has nothing that could be used.
            continue
        signatures += [signature] if signature else []
    return signatures


def start(order: TrainingOrder) -> RunFolder:
    """Starts a run in a process of its own, which goes on when this one ends."""
    with _starting:
        kept = runs()
        _check_room(kept)
        here = [run for run in kept if run.note is None]
        if len(here) >= limits.KEPT_RUNS.value:
            raise InputError(
                f"There are {len(here)} runs, and no more than {limits.KEPT_RUNS.value} are kept.",
                hint=f"Delete one, or raise {limits.KEPT_RUNS.variable}.",
            )
        run = created(order, runs_folder() / _new_name(order))
        _launch(run)
        return run


def resume(run: RunFolder) -> None:
    """Resumes a run that was stopped, killed or failed."""
    with _starting:
        _check_room(runs())
        run.forget_stop()
        run.record(state=RunState.WAITING, ordered=time.time())
        _launch(run)


def _check_room(kept: list[TrainingRun]) -> None:
    busy = [run for run in kept if run.busy]
    if len(busy) >= limits.TRAININGS_AT_ONCE.value:
        raise InputError(
            f"{busy[0].name} is being trained.",
            hint=f"Wait until it has ended, or stop it. ({limits.TRAININGS_AT_ONCE.variable} allows more.)",
        )


def _new_name(order: TrainingOrder) -> str:
    trainer = order.trainer.partition("|")[0].partition(".")[0]
    stem = f"{time.strftime('%Y-%m-%d %H.%M.%S')} {trainer} seed {order.seed}".replace(" ", "_")
    folder, count = runs_folder(), 1
    name = stem
    while (folder / name).exists():
        count += 1
        name = f"{stem}_{count}"
    return name


def _launch(run: RunFolder) -> None:
    with (run.path / "log.txt").open("ab") as log:
        kind = order_of(run).kind.name
        # Every word of the command is ours: the run's folder has a name that `_new_name` made.
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "cli", "train", kind, "--resume", "--out", str(run.path), "--quiet"],
            cwd=files.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def zipped(run: RunFolder) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(run.model.rglob("*")):
            if path.is_file():
                archive.write(path, f"{run.path.name}/{path.relative_to(run.model)}")
    return content.getvalue()
