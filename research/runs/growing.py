"""Grows gradient-boosted trees with CatBoost, watched and stopped, and keeps them as plain tables."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from core.errors import Cancelled
from core.models.boosted_trees import BoostedTrees, from_catboost
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

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
