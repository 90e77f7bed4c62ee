"""`headline-lab train`: learn from labelled examples, and resume where it was stopped."""

import signal
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import fields as fields_of
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import EXIT_CODES, parameters
from cli.progress import show
from core.errors import Cancelled, CoreError, InputError

if TYPE_CHECKING:
    from research.catalogue.training import TrainingOrder
    from research.runs.run_folder import RunFolder

GIVEN: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@click.group()
def train() -> None:
    """Train a model on labelled examples."""


def _command(kind: str, trainer: str, about: str, options: Mapping[str, str]) -> None:
    rows = dict(GIVEN["first"])
    rows["--trainer"] = rows["--trainer"] | {"default": trainer}
    for name, help in options.items():
        rows[f"--{name.replace('_', '-')}"] = {"help": help, "metavar": GIVEN["takes"].get(name, "INTEGER")}
    params = parameters(rows | GIVEN["last"])
    work = partial(_train, kind)
    train.add_command(click.Command(kind, callback=work, help=about, params=params, epilog=EXIT_CODES))


def _train(
    kind: str,
    *,
    data: tuple[str, ...],
    out: Path,
    trainer: str,
    resume: bool,
    seed: int | None,
    seeds: str | None,
    half: bool,
    quiet: bool,
    documents: str | None = None,
    **fields: str | None,
) -> None:
    from research.catalogue.training import TrainingOrder
    from research.catalogue.training_kinds import KINDS
    from research.runs.trainer import trainers

    if seed is not None and seeds is not None:
        raise InputError("--seed and --seeds exclude each other.", hint="Give one of them.")
    given = {name: value for name, value in fields.items() if value is not None}
    data = (*data, *([documents] if documents else []))
    if resume and not data:
        named = [*given, *(["seed"] if seed is not None else [])]
        if named:
            said = f"--resume without DATA takes --{named[0].replace('_', '-')} from the run."
            raise InputError(said, hint="Leave it out.")
    elif kind in {"selector", "numerals", "claims"}:
        data = data or KINDS[kind].sets
    recipe: Any = KINDS[kind].parse(trainer)
    known = {field.name for field in fields_of(recipe)}
    for name in given:
        if name not in known:
            said = f"The trainer {trainers.name_of(recipe)} has no --{name.replace('_', '-')}."
            raise InputError(said, hint=f"It has: {', '.join(sorted(known)) or 'none'}.")
    assigned = [f"{name}:({value})" if "|" in value else f"{name}:{value}" for name, value in given.items()]
    trainer = "|".join([trainer, *assigned])
    progress = _Line(wanted=not quiet)
    for draw, folder in _runs(out, seed or 0, seeds):
        resumed = resume and not data
        order = None if resumed else TrainingOrder(trainer=trainer, data=data, seed=draw, half=half)
        _train_one(folder, order, progress, resume=resume)


for _kind, _given in GIVEN["commands"].items():
    _command(_kind, **_given)


def _runs(out: Path, seed: int, seeds: str | None) -> list[tuple[int, Path]]:
    if seeds is None:
        return [(seed, out)]
    words = [word.strip() for word in seeds.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise InputError(f"--seeds {seeds!r} is not a list of seeds.", hint="Write it like 0,1,2,3,4,5.")
    if len({int(word) for word in words}) < len(words):
        raise InputError(f"--seeds {seeds!r} names a seed twice.", hint="Name each seed once, like 0,1,2.")
    return [(int(word), out / f"seed-{int(word)}") for word in words]


def _train_one(folder: Path, order: "TrainingOrder | None", progress: "_Line", *, resume: bool) -> None:
    from core.runtime import Runtime, detect_device
    from research.catalogue import training, training_runs
    from research.runs.run_folder import RunFolder

    run = RunFolder(folder, watch=progress.show)
    begun = run.exists
    if resume and begun:
        if order is not None:
            training.check_same(run, order)
    elif order is not None:
        if not begun:
            # Checked before there is a folder: a wrong order leaves nothing behind.
            training.ready_for(order.completed())
        training.created(order, folder)
        training_runs.remember(run)
    runtime = Runtime(device=detect_device(), patient=True)

    def stop(number: int, frame: object) -> None:
        runtime.stop.set()
        # A second one ends the process at once.
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        training.carry_out(run, runtime)
    except Cancelled:
        hint = f"Resume with: headline-lab train {training.order_of(run).kind.name} --resume --out {folder}"
        raise CoreError("Training was stopped; a checkpoint is kept.", hint=hint) from None
    except CoreError:
        if not begun and run.exists and not run.progress():
            training_runs.discard(run)
        raise
    finally:
        progress.end()
    _tell(run)


def _tell(run: "RunFolder") -> None:
    from research.catalogue.training import model_signature, order_of

    about, model = run.about(), model_signature(run)
    measured = order_of(run).kind.measured_briefly(about)
    lines = [*about["notes"], f"Trained: {run.model}", *measured]
    told = {"model": str(run.model), "signature": model, "measured": measured, "notes": about["notes"]}
    show(told, lambda: "\n".join([*lines, *([f"Use: {model}"] if model is not None else [])]))


class _Line:
    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._terminal = sys.stderr.isatty()
        self._measured = ""
        self._open = False

    def show(self, line: Mapping[str, Any]) -> None:
        if not self._wanted:
            return
        if "validation" in line:
            name, value = next(iter(line["validation"].items()))
            shown = name.replace("_", " ") if name != "f1" else "F1"
            self._measured = f"  {shown} {value:.3f}" if value is not None else ""
            if not self._terminal:
                click.echo(f"Epoch {line['epoch']:g}{self._measured}", err=True)
        elif "loss" in line and self._terminal:
            text = f"Step {line['step']:,} of {line['steps']:,}  loss {line['loss']:.3f}{self._measured}"
            # Trainers that take a minute at most do not say how long.
            if "seconds_left" in line:
                text += f"  {timedelta(seconds=round(line['seconds_left']))} left"
            click.echo(f"\r{text:<78}", err=True, nl=False)
            self._open = True

    def end(self) -> None:
        if self._open:
            click.echo(err=True)
            self._open = False
