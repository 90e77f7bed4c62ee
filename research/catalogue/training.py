"""One training run from order to model: checks, the run's folder, the trainer, the card."""

from __future__ import annotations

import dataclasses
import shlex
import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core import __version__, files
from core.errors import Cancelled, CoreError, DataSourceError, InputError
from core.runtime import Runtime
from research.catalogue.training_kinds import KINDS, TrainingData, TrainingKind, TrainingSets
from research.runs.model_card import model_card
from research.runs.run_folder import RunFolder, RunState
from research.runs.trainer import trainers

LICENCE = "The texts that it learned from have the licences in the table above."
BASE_LICENCE = f"The licence of the base model. {LICENCE}"


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
        """The command line that carries the order out."""
        words = ["headline-lab", "train", self.kind.name, *self.data, "--out", str(folder)]
        words += ["--trainer", self.trainer, "--seed", str(self.seed)]
        return shlex.join([*words, *([] if self.half else ["--no-half"])])


def created(order: TrainingOrder, folder: Path) -> RunFolder:
    """A run that waits to be carried out."""
    order = order.completed()
    run = RunFolder(folder)
    run.create(
        {
            "order": dataclasses.asdict(order),
            "command": order.command(folder),
            "program": __version__,
        }
    )
    return run


def order_of(run: RunFolder) -> TrainingOrder:
    """What a run was ordered to do."""
    given = run.about().get("order")
    try:
        values = dict(given or {})
        order = TrainingOrder(**{**values, "data": tuple(map(str, values["data"]))})
        return order.completed()
    except (TypeError, ValueError, KeyError) as error:
        raise DataSourceError(
            f"The run {run.path} does not say what it trains.", hint="Start a new run in another folder."
        ) from error


def check_same(run: RunFolder, order: TrainingOrder) -> None:
    """Checks that a run was started with this order."""
    known, order = order_of(run), order.completed()
    for field in dataclasses.fields(TrainingOrder):
        old, new = getattr(known, field.name), getattr(order, field.name)
        if old != new:
            raise InputError(
                f"The run {run.path} was started with {field.name} {_shown(old)}, not {_shown(new)}.",
                hint="Resume with `--resume --out RUN` alone, or name another folder.",
            )


def _shown(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def ready_for(order: TrainingOrder) -> TrainingSets:
    prepared = order.kind.prepare(order.data)
    order.recipe.check(prepared.data)
    return prepared


def carry_out(run: RunFolder, runtime: Runtime) -> None:
    """Trains, from the run's checkpoint where there is one; run.json says how it ended.

    A run that has finished stays as it is. `runtime.seed` and `runtime.half` are taken from the order.
    """
    order = order_of(run)
    if run.state() is RunState.FINISHED:
        return
    run.start()
    try:
        prepared = ready_for(order)
        _check_fingerprint(run, prepared.data)
        run.record(
            data=[
                {"name": shown, **order.kind.describe(name)}
                for name, shown in zip(order.data, order.shown_data, strict=True)
            ],
            notes=list(prepared.notes),
            fingerprint=prepared.data.fingerprint,
            **_machine(runtime),
        )
        shutil.rmtree(run.model, ignore_errors=True)
        own = replace(runtime, seed=order.seed, half=order.half, stop=_Stop(run, runtime.stop))
        order.recipe.train(prepared.data, run, own)
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
        self._run = run
        self._asked = asked

    def is_set(self) -> bool:
        return self._asked.is_set() or self._run.stop_requested


def _check_fingerprint(run: RunFolder, data: TrainingData) -> None:
    known = run.about().get("fingerprint", data.fingerprint)
    if known != data.fingerprint:
        raise InputError(
            f"The data of the run {run.path} has changed since it was started.",
            hint="Start a new run in another folder.",
        )


def _machine(runtime: Runtime) -> dict[str, Any]:
    import torch

    return {"device": runtime.device, "threads": torch.get_num_threads(), "torch": torch.__version__}


def model_signature(run: RunFolder) -> str | None:
    """What uses the run's model; None where there is no model yet or nothing for it."""
    order = order_of(run)
    return order.kind.model_signature(run, order.recipe)


SETTINGS: Final = (
    "training_pairs",
    "training_articles",
    "training_rows",
    "trained_weights",
    "steps",
    "warmup",
    "steps_done",
    "best_step",
    "seconds",
    "device",
    "threads",
    "half",
)
"""What of run.json the card shows; trainer and seed are in its command."""


def _write_card(run: RunFolder, order: TrainingOrder) -> None:
    about, recipe, kind = run.about(), order.recipe, order.kind
    settings: Mapping[str, Any] = {
        "program": f"Headline Lab {__version__}",
        **({"threshold chosen on": about["threshold"]["chosen_on"]} if "threshold" in about else {}),
        **{name.replace("_", " "): about[name] for name in SETTINGS if name in about},
        **dict(one.split(":") for one in kind.weights(run, recipe)),
    }
    name = trainers.name_of(recipe).partition(".")[0].replace("_", " ")
    base = str(getattr(recipe, "base", ""))
    card = model_card(
        title=f"{name.capitalize()} trained on {', '.join(order.shown_data)}",
        licence=BASE_LICENCE if base else LICENCE,
        base=base,
        task=kind.task,
        tags=kind.tags,
        purpose=kind.about,
        unit=kind.unit,
        data=about["data"],
        untouched=kind.untouched,
        command=replace(order, data=order.shown_data).command(Path("RUN")),
        settings=settings,
        measured=kind.measured(about),
        use=kind.use.format(f"{recipe.result}|model:RUN/model"),
    )
    files.write(run.model / "README.md", card.encode())
