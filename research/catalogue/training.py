"""Training runs: from order to model, with its folder, trainer and card; and all runs of this machine."""

from __future__ import annotations

import dataclasses
import io
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from core import __version__, files, limits
from core.errors import Cancelled, CoreError, DataSourceError, InputError
from core.runtime import Runtime, cache_folder
from research.catalogue.model_card import model_card
from research.catalogue.training_kinds import KINDS, Joined, TrainingKind
from research.runs.run_folder import RunFolder, RunState
from research.runs.trainer import trainers

SETTINGS: Final = (
    *("training_pairs", "training_articles", "training_rows", "trained_weights", "steps", "warmup"),
    *("steps_done", "best_step", "seconds", "device", "threads", "half"),
)
"""What of run.json the card shows; trainer and seed are in its command."""
RUNS: Final = "HEADLINE_LAB_RUNS"
ELSEWHERE: Final = ".elsewhere"  # ending of a file that names the folder of a run that lies elsewhere
_starting = threading.Lock()


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingOrder:
    trainer: str
    data: tuple[str, ...]
    seed: int = 0
    half: bool = True

    def completed(self) -> TrainingOrder:
        """The same with the whole signature and absolute paths."""
        if not self.data:
            self.kind.prepare(())
        if not 0 <= self.seed < 2**32:
            raise InputError(f"The seed cannot be {self.seed}.", hint=f"Give a number from 0 to {2**32 - 1}.")
        return replace(
            self,
            trainer=trainers.signature(self.recipe),
            data=tuple(str(Path(name).resolve()) if self._is_path(name) else name for name in self.data),
        )

    @property
    def recipe(self) -> Any:
        return trainers.parse(self.trainer)

    @property
    def kind(self) -> TrainingKind:
        return KINDS[self.recipe.kind]

    @property
    def shown_data(self) -> tuple[str, ...]:
        """The data by names without folders: cards go to other people."""
        return tuple(Path(name).name if self._is_path(name) else name for name in self.data)

    def _is_path(self, name: str) -> bool:
        return not self.kind.is_registered(name) and Path(name).exists()

    def command(self, folder: Path) -> str:
        words = ["headline-lab", "train", self.kind.name, *self.data, "--out", str(folder)]
        words += ["--trainer", self.trainer, "--seed", str(self.seed)]
        return shlex.join([*words, *([] if self.half else ["--no-half"])])


def created(order: TrainingOrder, folder: Path) -> RunFolder:
    order = order.completed()
    run = RunFolder(folder)
    run.create({"order": dataclasses.asdict(order), "command": order.command(folder), "program": __version__})
    return run


def order_of(run: RunFolder) -> TrainingOrder:
    given = run.about().get("order")
    try:
        values = dict(given or {})
        order = TrainingOrder(**{**values, "data": tuple(map(str, values["data"]))})
        return order.completed()
    except (TypeError, ValueError, KeyError) as error:
        hint = "Start a new run in another folder."
        raise DataSourceError(f"The run {run.path} does not say what it trains.", hint=hint) from error


def check_same(run: RunFolder, order: TrainingOrder) -> None:
    known, order = order_of(run), order.completed()
    for field in dataclasses.fields(TrainingOrder):
        old, new = getattr(known, field.name), getattr(order, field.name)
        if old != new:
            before, now = (" ".join(side) if isinstance(side, tuple) else str(side) for side in (old, new))
            hint = "Resume with `--resume --out RUN` alone, or name another folder."
            said = f"The run {run.path} was started with {field.name} {before}, not {now}."
            raise InputError(said, hint=hint)


def ready_for(order: TrainingOrder) -> Joined:
    data, notes = order.kind.prepare(order.data)
    order.recipe.check(data)
    return data, notes


def carry_out(run: RunFolder, runtime: Runtime) -> None:
    """Trains, from the run's checkpoint where there is one; run.json says how it ended."""
    import torch

    order = order_of(run)
    if run.state() is RunState.FINISHED:
        return
    run.start()
    try:
        data, notes = ready_for(order)
        if run.about().get("fingerprint", data.fingerprint) != data.fingerprint:
            said = f"The data of the run {run.path} has changed since it was started."
            raise InputError(said, hint="Start a new run in another folder.")
        named = zip(order.data, order.shown_data, strict=True)
        given = [{"name": shown, **order.kind.describe(name)} for name, shown in named]
        run.record(data=given, notes=list(notes), fingerprint=data.fingerprint, device=runtime.device)
        run.record(threads=torch.get_num_threads(), torch=torch.__version__)
        shutil.rmtree(run.model, ignore_errors=True)
        own = replace(runtime, seed=order.seed, half=order.half, stop=_Stop(run, runtime.stop))
        order.recipe.train(data, run, own)
        _write_card(run, order)
    except Cancelled:
        run.end(RunState.STOPPED)
        raise
    except CoreError as error:
        run.end(RunState.FAILED, str(error))
        raise
    except BaseException as error:
        run.end(RunState.FAILED, f"An error in the program ended training ({type(error).__name__}).")
        raise
    run.end(RunState.FINISHED)
    # What it went on from is of no more use, and often larger than the model.
    shutil.rmtree(run.checkpoint, ignore_errors=True)


class _Stop(threading.Event):
    def __init__(self, run: RunFolder, asked: threading.Event) -> None:
        super().__init__()
        self._run, self._asked = run, asked

    def is_set(self) -> bool:
        return self._asked.is_set() or self._run.stop_requested


def model_signature(run: RunFolder) -> str | None:
    order = order_of(run)
    return order.kind.model_signature(run, order.recipe)


def _write_card(run: RunFolder, order: TrainingOrder) -> None:
    about, recipe, kind = run.about(), order.recipe, order.kind
    settings: Mapping[str, Any] = {
        "program": f"Headline Lab {__version__}",
        **({"threshold chosen on": about["threshold"]["chosen_on"]} if "threshold" in about else {}),
        **{name.replace("_", " "): about[name] for name in SETTINGS if name in about},
        **dict(weight.split(":") for weight in kind.weights(run, recipe)),
    }
    name = trainers.name_of(recipe).partition(".")[0].replace("_", " ").capitalize()
    told: dict[str, Any] = {"title": f"{name} trained on {', '.join(order.shown_data)}", "settings": settings}
    told |= {"base": str(getattr(recipe, "base", "")), "use": f"{recipe.result}|model:RUN/model"}
    command = replace(order, data=order.shown_data).command(Path("RUN"))
    files.write(run.model / "README.md", model_card(kind, about, command=command, **told).encode())


def runs_folder() -> Path:
    """Where runs are kept: `HEADLINE_LAB_RUNS`, or `runs` in the cache folder."""
    chosen = os.environ.get(RUNS)
    return Path(chosen) if chosen else cache_folder() / "runs"


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
    listed, folder = [], runs_folder()
    for path in folder.iterdir() if folder.is_dir() else ():
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
    """Deletes a run of which nothing was trained, in the list too."""
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


def pair_models() -> list[str]:
    """Signatures of the pair models of all finished runs, the newest first."""
    signatures: list[str | None] = []
    for folder in (run.folder for run in runs() if run.state is RunState.FINISHED):
        # A run of a trainer that is gone has nothing that could be used.
        with suppress(CoreError):
            if order_of(folder).kind.name == "pair":
                signatures.append(model_signature(folder))
    return list(filter(None, signatures))


def start(order: TrainingOrder) -> RunFolder:
    """Starts a run in a process of its own, which goes on when this one ends."""
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
