"""Grows gradient-boosted trees with CatBoost, watched and stopped, and keeps them as plain tables."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import Cancelled
from core.models.boosted_trees import BoostedTrees, from_catboost
from core.runtime import Runtime

STEP: Final = "Growing trees"


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeTraining:
    """How trees are grown.

    Attributes:
        trees: At most so many an ensemble.
        depth: Questions of a tree.
        learning_rate: Of boosting.
        l2: Penalty of the leaves.
        patience: Trees without a better loss on validation rows after which growing ends.
    """

    trees: int = 600
    depth: int = 5
    learning_rate: float = 0.05
    l2: float = 5.0
    patience: int = 60


def grow(loss: str, learned: Any, watched: Any, how: TreeTraining, runtime: Runtime) -> BoostedTrees:
    """Trees over numbers, stopped by the loss on watched rows.

    Args:
        loss: CatBoost's name of the loss.
        learned: Pool to learn from.
        watched: Pool that says when to stop; None grows all trees.
        how: See `TreeTraining`.
        runtime: Progress, stop, seed.

    Raises:
        Cancelled: Somebody asked to stop.
    """
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
        }
    )
    watch = _Watch(runtime, how.trees)
    patience = how.patience if watched else None
    model.fit(learned, eval_set=watched, callbacks=[watch], early_stopping_rounds=patience)
    if runtime.stop.is_set():
        raise Cancelled(STEP)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        model.save_model(str(path), format="json")
        return from_catboost(path)


class _Watch:
    """Reports the growing of trees, and ends it when asked to."""

    def __init__(self, runtime: Runtime, trees: int) -> None:
        self.runtime = runtime
        self.trees = trees

    def after_iteration(self, info: Any) -> bool:
        """Called by CatBoost after each tree; False ends growing."""
        self.runtime.report(STEP, info.iteration, self.trees)
        return not self.runtime.stop.is_set()
