"""One training run from order to model: checks, the run's folder, the trainer, the card."""

from __future__ import annotations

import dataclasses
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from core import __version__
from core.errors import Cancelled, CoreError, DataSourceError, InputError, UnknownNameError
from core.pair_sets.load import load_pair_set, source_of
from core.pair_sets.pair_set import PairSet, pair_sources
from core.parts import Part
from core.registry import split_outside_parentheses
from core.runtime import Runtime
from core.training.model_card import ModelCard
from core.training.run_folder import RunFolder, State, replace_file
from core.workflows.trainers.data import Ready, ready
from core.workflows.trainers.trainer import trainers

KIND = "pair"
LICENCE = "The licence of the base model; the texts it learned from have the licences in the table above."

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "validation": "At the threshold chosen on training pairs",
        "validation_own_threshold": "At the threshold with the best F1 on these very pairs",
    }
)
"""What a trainer may record about the validation part, and what it is; the first is the harder test."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What is to be trained.

    Attributes:
        trainer: Signature of a trainer; one that is not complete is completed.
        data: Names, signatures or paths of pair sets.
        seed: Of everything random in training.
        half: Compute in bfloat16 where that is faster.
    """

    trainer: str
    data: tuple[str, ...]
    seed: int = 0
    half: bool = True

    def completed(self) -> Order:
        """The same with the whole signature and absolute paths.

        Raises:
            CoreError: The trainer is unknown, a parameter is wrong, or there is no data.
        """
        if not self.data:
            raise InputError("There are no pairs to train on.", hint="Name a pair set or a file of pairs.")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"The seed cannot be {self.seed}.", hint=f"Give a number from 0 to {2**32 - 1}.")
        return replace(
            self,
            trainer=trainers.signature(trainers.parse(self.trainer)),
            data=tuple(str(Path(name).resolve()) if _is_path(name) else name for name in self.data),
        )

    def command(self, folder: Path) -> str:
        """The command line that carries the order out."""
        words = ["headline-lab", "train", KIND, *self.data, "--out", str(folder)]
        words += ["--trainer", self.trainer, "--seed", str(self.seed)]
        return shlex.join([*words, *([] if self.half else ["--no-half"])])


def created(order: Order, folder: Path) -> RunFolder:
    """A run that waits to be carried out.

    Raises:
        CoreError: The order is wrong, or the folder holds something already.
    """
    order = order.completed()
    run = RunFolder(folder)
    run.create(
        {
            "kind": KIND,
            "order": dataclasses.asdict(order),
            "command": order.command(folder),
            "program": __version__,
        }
    )
    return run


def order_of(run: RunFolder) -> Order:
    """What a run was ordered to do.

    Raises:
        DataSourceError: run.json does not say.
    """
    given = run.about().get("order")
    try:
        values = dict(given or {})
        order = Order(**{**values, "data": tuple(map(str, values["data"]))})
        return order.completed()
    except (TypeError, ValueError, KeyError) as error:
        raise DataSourceError(
            f"The run {run.path} does not say what it trains.", hint="Start a new run in another folder."
        ) from error


def check_same(run: RunFolder, order: Order) -> None:
    """Checks that a run was started with this order.

    Raises:
        InputError: It was not; another run must not go on from its checkpoint.
    """
    known, order = order_of(run), order.completed()
    for field in dataclasses.fields(Order):
        old, new = getattr(known, field.name), getattr(order, field.name)
        if old != new:
            raise InputError(
                f"The run {run.path} was started with {field.name} {_shown(old)}, not {_shown(new)}.",
                hint="Resume with `--resume --out RUN` alone, or name another folder.",
            )


def _shown(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def ready_for(order: Order) -> Ready:
    """The pairs that an order trains on.

    Raises:
        CoreError: A set is unknown or unfit for the trainer.
    """
    data = ready([load_pair_set(name, part=Part.TRAIN) for name in order.data])
    trainers.parse(order.trainer).check(data.pairs)
    return data


def _about(name: str) -> dict[str, Any]:
    """What run.json says about one set."""
    source = source_of(name, part=Part.TRAIN)
    pairs = ready([source.load()]).pairs
    return {
        "name": _shown_name(name),
        "fingerprint": pairs.fingerprint,
        "licence": source.licence,
        **{part.value: len(pairs.part(part)) for part in (Part.TRAIN, Part.VALIDATION)},
    }


def _shown_name(name: str) -> str:
    return Path(name).name if _is_path(name) else name


def _is_path(name: str) -> bool:
    """Whether a data set is named by its path; a registered name goes before a file of that name."""
    try:
        pair_sources.get(split_outside_parentheses(name)[0])
    except UnknownNameError:
        return Path(name).exists()
    return False


def carry_out(run: RunFolder, runtime: Runtime) -> None:
    """Trains, from the run's checkpoint where there is one; run.json says how it ended.

    A run that has finished stays as it is. `runtime.seed` and `runtime.half` are taken from the order.

    Raises:
        Cancelled: Somebody asked to stop; the run can go on later.
        CoreError: It cannot be trained, or another process trains it.
    """
    order = order_of(run)
    if run.state() is State.FINISHED:
        return
    run.start()
    try:
        data = ready_for(order)
        _check_fingerprint(run, data.pairs)
        run.record(
            pairs=[_about(name) for name in order.data],
            notes=data.notes,
            fingerprint=data.pairs.fingerprint,
            **_machine(runtime),
        )
        shutil.rmtree(run.model, ignore_errors=True)
        trainer = trainers.parse(order.trainer)
        trainer.train(data.pairs, run, replace(runtime, seed=order.seed, half=order.half))
        _write_card(run, order)
    except Cancelled:
        run.end(State.STOPPED)
        raise
    except CoreError as error:
        run.end(State.FAILED, str(error))
        raise
    except BaseException as error:
        run.end(State.FAILED, f"An error in the program ended training ({type(error).__name__}).")
        raise
    run.end(State.FINISHED)
    # What it went on from is of no more use, and often larger than the model.
    shutil.rmtree(run.checkpoint, ignore_errors=True)


def _check_fingerprint(run: RunFolder, pairs: PairSet) -> None:
    known = run.about().get("fingerprint", pairs.fingerprint)
    if known != pairs.fingerprint:
        raise InputError(
            f"The data of the run {run.path} has changed since it was started.",
            hint="Start a new run in another folder.",
        )


def _machine(runtime: Runtime) -> dict[str, Any]:
    import torch

    return {"device": runtime.device, "threads": torch.get_num_threads(), "torch": torch.__version__}


def scorer_signature(run: RunFolder) -> str | None:
    """The scorer that uses the run's model; None where there is no model yet or no scorer for it."""
    from core.pairs.scorer import pair_scorers

    wanted = run.about().get("scorer", "finetuned.v1")
    if not (run.model / "pair_model.json").is_file() or wanted not in pair_scorers.names():
        return None
    return f"{wanted}|model:{run.model}"


def validated(run: RunFolder) -> tuple[str, Mapping[str, Any]] | None:
    """What was measured on the validation part, and at which threshold, in words; None where nothing was."""
    about = run.about()
    return next(((title, about[key]) for key, title in TITLES.items() if key in about), None)


def _write_card(run: RunFolder, order: Order) -> None:
    about = run.about()
    recipe = trainers.parse(order.trainer)
    kept = (
        "training_pairs",
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
    settings: Mapping[str, Any] = {
        "trainer": order.trainer,
        "seed": order.seed,
        "program": f"Headline Lab {__version__}",
        **({"threshold chosen on": about["threshold"]["chosen_on"]} if "threshold" in about else {}),
        **{name.replace("_", " "): about[name] for name in kept if name in about},
    }
    name = trainers.name_of(recipe).partition(".")[0].replace("_", " ")
    card = ModelCard(
        title=f"{name.capitalize()} trained on {', '.join(one['name'] for one in about['pairs'])}",
        licence=LICENCE,
        base=str(getattr(recipe, "base", "")),
        data=about["pairs"],
        # Names without folders: a card goes to other people.
        command=replace(order, data=tuple(map(_shown_name, order.data))).command(Path("RUN")),
        settings=settings,
        measured={title: about[key] for key, title in TITLES.items() if key in about},
        use=f"{about.get('scorer', 'finetuned.v1')}|model:RUN/model",
    )
    replace_file(run.model / "README.md", card.markdown().encode())
