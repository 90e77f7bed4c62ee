"""What a trainer is, the list of all of them, and how those that grow trees do it."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Generic, TypeVar

from core.errors import Cancelled
from core.models.boosted_trees import BoostedTrees, from_catboost
from core.registry import Registry
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

D = TypeVar("D")


class Trainer(ABC, Generic[D]):
    """Base of trainers: frozen dataclasses that learn from data of type D; their fields are hyper-parameters.

    Attributes:
        summary: What it trains, in one line.
        kind: What its models do, a name in `research.catalogue.training_kinds.KINDS`; it decides which
            data it gets and which methods run the model.
    """

    summary: ClassVar[str]
    kind: ClassVar[str]

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


STEP: Final = "Growing trees"
REPORT_EVERY: Final = 10  # trees between two lines of a run's progress


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeTraining:
    """How trees are grown."""

    trees: int = 600  # at most so many an ensemble
    depth: int = 5
    learning_rate: float = 0.05
    l2: float = 5.0
    patience: int = 60  # trees without a better loss on validation rows after which growing ends


def grow(
    loss: str,
    learned: Any,
    watched: Any,
    how: TreeTraining,
    runtime: Runtime,
    *,
    run: RunFolder | None = None,
) -> BoostedTrees:
    """Trees over numbers as plain tables; see `grown`."""
    model = grown(loss, learned, watched, how, runtime, run=run)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        model.save_model(str(path), format="json")
        return from_catboost(path)


def grown(
    loss: str,
    learned: Any,
    watched: Any,
    how: TreeTraining,
    runtime: Runtime,
    *,
    run: RunFolder | None = None,
    **options: Any,
) -> Any:
    from catboost import CatBoost

    model = CatBoost(
        {
            "loss_function": loss,
            "iterations": how.trees,
            "depth": how.depth,
            "learning_rate": how.learning_rate,
            "l2_leaf_reg": how.l2,
            "random_seed": runtime.seed,
            # More threads add in another order, and the trees would differ in the last bit.
            "thread_count": 1,
            "allow_writing_files": False,
            "logging_level": "Silent",
            **options,
        }
    )

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
