"""CatBoost over vectors and handcrafted features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from core import files
from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.pairs import trained
from core.pairs.features.families import FALLING, RISING, handcrafted
from core.pairs.scorer import PairContext
from core.pairs.scorers.pair_models import CATBOOST_PAIRS, REDUCTION, TREES, feature_names
from core.pairs.trained import HeadConfig
from core.parts import Part
from core.runtime import Runtime
from core.tensor_files import write_arrays
from research.runs.growing import TreeTraining, grown
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.vector_pairs import VectorTrainer, by_timeline, threshold_and_measures

PATIENCE = 100
"""Trees without a better validation loss after which growing ends."""


@trainers.register("catboost_pairs.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoostPairsTrainer(VectorTrainer):
    """Gradient-boosted trees on cosine, differences of vectors, words, names, numbers, lengths and days.

    |u - v| is reduced to its principal directions on training pairs. Growing stops where the loss on
    validation pairs does, and the threshold is the one with the best F1 there.

    Source: Dialogue 2021, section 3; Prokhorenkova et al. 2018, "CatBoost".
    """

    summary: ClassVar[str] = "Grows trees over vectors, shared words, names, numbers and days (CatBoost)"
    result: ClassVar[str] = "catboost_pairs.v1"

    trees: int = field(default=600, metadata={"low": 1, "high": 10_000, "help": "trees at most"})
    depth: int = field(default=5, metadata={"low": 1, "high": 10, "help": "questions one after another"})
    learning_rate: float = field(
        default=0.06, metadata={"low": 1e-4, "high": 1.0, "help": "what each tree counts"}
    )
    directions: int = field(
        default=16, metadata={"low": 0, "high": 256, "help": "numbers that |u - v| is reduced to"}
    )

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        context = self.context(pairs, runtime)
        reduction = self._reduction(pairs, context)

        def ask(headlines: PairContext, left: IntArray, right: IntArray) -> Float32Array:
            return handcrafted(headlines, reduction)(left, right)

        features = by_timeline(pairs, context, ask)
        model = self._grow(pairs, features, run, runtime)
        scores = np.asarray(model.predict(features, "Probability")[:, 1], dtype=np.float32)
        threshold, about = threshold_and_measures(pairs, scores)
        run.record(steps=int(model.tree_count_), **about)
        files.make_folder(run.model)
        with files.beside(run.model / TREES) as partial:
            model.save_model(str(partial), format="cbm")
        write_arrays(run.model / REDUCTION, {"reduction": reduction})
        config = HeadConfig(
            kind=CATBOOST_PAIRS,
            encoder=self.encoder,
            dimensions=len(reduction),
            threshold=threshold,
            features=feature_names(reduction.shape[1]),
        )
        trained.write(run.model, config)

    def _reduction(self, pairs: PairSet, context: PairContext) -> Float32Array:
        train = pairs.pair_parts == Part.TRAIN.value
        gap = np.abs(context.vectors[pairs.left[train]] - context.vectors[pairs.right[train]])
        covariance = np.cov(gap.astype(np.float64), rowvar=False).reshape(gap.shape[1], gap.shape[1])
        _, directions = np.linalg.eigh(covariance)
        chosen = directions[:, ::-1][:, : min(self.directions, len(covariance))]
        # The sign of a direction is arbitrary: the largest weight is made positive.
        signs = np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
        return np.ascontiguousarray(chosen * signs, dtype=np.float32)

    def _grow(self, pairs: PairSet, features: Float32Array, run: RunFolder, runtime: Runtime) -> Any:
        from catboost import Pool

        names = list(feature_names(features.shape[1] - len(feature_names(0))))
        inside = pairs.pair_parts == Part.VALIDATION.value
        labels = (pairs.labels == SAME).astype(np.int64)
        train = Pool(features[~inside], labels[~inside], feature_names=names)
        watched = len(np.unique(labels[inside])) == 2
        validation = Pool(features[inside], labels[inside], feature_names=names) if watched else None
        how = TreeTraining(
            trees=self.trees, depth=self.depth, learning_rate=self.learning_rate, l2=3.0, patience=PATIENCE
        )
        signs = [(name in RISING) - (name in FALLING) for name in names]
        return grown("Logloss", train, validation, how, runtime, run=run, monotone_constraints=signs)
