"""The trainer of gradient-boosted trees over pairs."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core import files
from core.arrays import Float32Array, FloatArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import InputError
from core.pairs import trained
from core.pairs.features.families import FALLING, RISING, handcrafted
from core.pairs.scorer import pair_scorers
from core.pairs.scorers import pair_models
from core.pairs.scoring import score_pairs
from core.pairs.trained import HeadConfig
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.tensor_files import write_arrays
from research.runs.run_folder import RunFolder
from research.runs.trainer import settings_of, trainers
from research.runs.trees import TreeTraining, grown, signed
from research.training.pairs.vector_trainer import VectorTrainer, by_timeline, threshold_of


@trainers.register("catboost_pairs.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoostPairsTrainer(VectorTrainer):
    """Gradient-boosted trees on cosine, differences of vectors, words, names, numbers, lengths and days.

    With a teacher it learns what that scorer says of the training pairs (Hinton et al. 2015, "Distilling the
    Knowledge in a Neural Network"); when to stop, and the threshold, are chosen on labels.

    Source: Dialogue 2021, section 3; Prokhorenkova et al. 2018, "CatBoost".
    """

    summary: ClassVar[str] = "Grows trees over vectors, shared words, names, numbers and days (CatBoost)"
    result: ClassVar[str] = "catboost_pairs.v1"

    trees: int = number(600, 1, 10_000, "trees at most")
    depth: int = number(5, 1, 10, "questions one after another")
    learning_rate: float = number(0.06, 1e-4, 1.0, "what each tree counts")
    directions: int = number(16, 0, 256, "numbers that |u - v| is reduced to")
    teacher: str = told("", "pair scorer whose probabilities are learned in place of labels; empty for none")

    def check(self, pairs: PairSet) -> None:
        if not self.teacher:
            return
        scale = pair_scorers.parse(self.teacher).scale
        if (scale.low, scale.high) != (0, 1):
            said = f"The scores of {self.teacher} are no probabilities."
            raise InputError(said, hint="Put `calibrated` around it.")

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        context = self.context(pairs, runtime)
        train = pairs.pair_parts == Part.TRAIN.value
        gap = np.abs(context.vectors[pairs.left[train]] - context.vectors[pairs.right[train]])
        covariance = np.cov(gap.astype(np.float64), rowvar=False).reshape(gap.shape[1], gap.shape[1])
        directions = np.linalg.eigh(covariance)[1][:, ::-1][:, : self.directions]
        reduction = np.ascontiguousarray(signed(directions), dtype=np.float32)

        features = by_timeline(pairs, context, lambda given, *sides: handcrafted(given, reduction)(*sides))
        wanted = (pairs.labels == SAME).astype(np.float64)
        if self.teacher:
            learned = score_pairs(pairs.part(Part.TRAIN), pair_scorers.parse(self.teacher), runtime).scores
            wanted[train] = np.where(np.isfinite(learned), learned, wanted[train])
        model = self._grow(pairs, features, wanted, run, runtime)
        scores = np.asarray(model.predict(features, "Probability")[:, 1], dtype=np.float32)
        threshold = threshold_of(pairs, scores, run)
        run.record(steps=int(model.tree_count_))
        files.make_folder(run.model)
        with files.beside(run.model / pair_models.TREES) as partial:
            model.save_model(str(partial), format="cbm")
        write_arrays(run.model / pair_models.REDUCTION, {"reduction": reduction})
        config = HeadConfig(
            kind=pair_models.CATBOOST_PAIRS,
            encoder=self.encoder,
            dimensions=len(reduction),
            threshold=threshold,
            features=pair_models.feature_names(reduction.shape[1]),
        )
        trained.write(run.model, config)

    def _grow(
        self, pairs: PairSet, features: Float32Array, wanted: FloatArray, run: RunFolder, runtime: Runtime
    ) -> Any:
        from catboost import Pool

        names = list(pair_models.feature_names(features.shape[1] - len(pair_models.feature_names(0))))
        inside = pairs.pair_parts == Part.VALIDATION.value
        parts = [~inside, inside] if len(np.unique(pairs.labels[inside])) == 2 else [~inside]
        pools = [Pool(features[own], wanted[own], feature_names=names) for own in parts]
        how = settings_of(TreeTraining, self, l2=3.0, patience=100)
        signs = [(name in RISING) - (name in FALLING) for name in names]
        loss = "CrossEntropy" if self.teacher else "Logloss"
        return grown(loss, (*pools, None)[:2], how, runtime, run, monotone_constraints=signs)
