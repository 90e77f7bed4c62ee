"""What a trainer is, the list of all of them, and how those that grow trees do it."""

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

from core.arrays import FloatArray
from core.errors import Cancelled
from core.models.boosted_trees import BoostedTrees, from_catboost
from core.registry import Registry
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

D = TypeVar("D")


class Trainer(ABC, Generic[D]):
    """Base of trainers: frozen dataclasses that learn from data of type D by their fields."""

    summary: ClassVar[str]
    kind: ClassVar[str]  # a name in `research.catalogue.training_kinds.KINDS`: which data it gets

    @property
    @abstractmethod
    def result(self) -> str:
        """Qualified name of the method that runs the model, with a field `model` for its folder."""

    def check(self, data: D) -> None:
        """Finds what would fail later, before a run's folder is made; a `CoreError` says what is missing."""

    @abstractmethod
    def train(self, data: D, run: RunFolder, runtime: Runtime) -> None:
        """Learns from the training part, validates on the validation part, and never sees the test part."""


# Names, not imports: the subjects lie above this package and are imported when somebody asks.
trainers: Registry[Trainer[Any]] = Registry(
    "trainer", "research.training.pairs", "research.training.headlines", "research.training.numerals"
)


def settings_of(kind: Any, trainer: Any, **others: Any) -> Any:
    """A dataclass of settings, of the trainer's fields with its fields' names, and of others."""
    names = (own.name for own in fields(kind) if hasattr(trainer, own.name))
    return kind(**{name: getattr(trainer, name) for name in names} | others)


def text(default: str, about: str, choices: Sequence[str] = (), **more: str) -> Any:
    """A field of a trainer that holds a text, one of `choices` where there are any."""
    metadata = {"help": about, **({"choices": choices} if choices else {}), **more}
    return field(default=default, metadata=metadata)


def signed(directions: FloatArray) -> FloatArray:
    """Directions in columns, whose sign is arbitrary, with their largest weight made positive."""
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])]
    return np.asarray(directions * np.sign(largest))


STEP: Final = "Growing trees"
REPORT_EVERY: Final = 10  # trees between two lines of a run's progress


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeTraining:
    trees: int = 600  # at most so many an ensemble
    depth: int = 5
    learning_rate: float = 0.05
    l2: float = 5.0
    patience: int = 60  # trees without a better loss on validation rows after which growing ends


def grow(*given: Any, **options: Any) -> BoostedTrees:
    """Trees over numbers as plain tables; takes what `grown` takes."""
    model = grown(*given, **options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        model.save_model(str(path), format="json")
        return from_catboost(path)


def grown(
    loss: str,
    pools: tuple[Any, Any],
    how: TreeTraining,
    runtime: Runtime,
    run: RunFolder | None = None,
    **options: Any,
) -> Any:
    """A CatBoost model over a pool to learn from and one, or None, that says when to stop."""
    from catboost import CatBoost

    learned, watched = pools
    # More threads add in another order, and the trees would differ in the last bit.
    usual = {"thread_count": 1, "allow_writing_files": False, "logging_level": "Silent"}
    sizes = {"iterations": how.trees, "depth": how.depth, "l2_leaf_reg": how.l2}
    rates = {"learning_rate": how.learning_rate, "random_seed": runtime.seed}
    model = CatBoost({"loss_function": loss, **sizes, **rates, **usual, **options})

    def after_iteration(info: Any) -> bool:
        runtime.report(STEP, info.iteration, how.trees)
        if run is not None and (info.iteration % REPORT_EVERY == 0 or info.iteration == how.trees):
            (losses,) = info.metrics["learn"].values()
            loss = round(float(losses[-1]), 6)
            run.report({"step": info.iteration, "steps": how.trees, "epoch": 0, "loss": loss})
        return not runtime.stop.is_set()

    watch = SimpleNamespace(after_iteration=after_iteration)
    patience = how.patience if watched else None
    model.fit(learned, eval_set=watched, callbacks=[watch], early_stopping_rounds=patience)
    if runtime.stop.is_set():
        raise Cancelled(STEP)
    return model
