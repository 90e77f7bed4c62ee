"""How trainers grow trees."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray
from core.errors import Cancelled
from core.models.boosted_trees import BoostedTrees, from_catboost
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

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


def signed(directions: FloatArray) -> FloatArray:
    """Directions in columns, whose sign is arbitrary, with their largest weight made positive."""
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])]
    return np.asarray(directions * np.sign(largest))
