"""The trainer of the siamese classifier."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core import files
from core.arrays import BoolArray, Float32Array
from core.data.pair_sets.pair_set import SAME, PairSet
from core.pairs import trained
from core.pairs.scorers import pair_models
from core.pairs.trained import HeadConfig
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.vector_trainer import VectorTrainer, threshold_of

FREE = 100.0  # size of the cosine beside the other features: so large that the penalty hardly weighs on it


class HeadTrainer(VectorTrainer):
    """Base of trainers of the siamese classifier: what differs is how its weights are fitted."""

    __slots__ = ()

    result: ClassVar[str] = "siamese.v1"

    @abstractmethod
    def fit(self, u: Float32Array, v: Float32Array, same: BoolArray) -> pair_models.Head:
        """The weights, of the unit vectors of both headlines of each training pair, float32 [m, d]."""

    def train(self, data: PairSet, run: RunFolder, runtime: Runtime) -> None:
        context = self.context(data, runtime)
        train, own = data.part(Part.TRAIN), context.vectors[data.parts == Part.TRAIN.value]
        head = self.fit(own[train.left], own[train.right], train.labels == SAME)
        scores = pair_models.PreparedSiamese(head, context.vectors).pairs(data.left, data.right)
        threshold, width = threshold_of(data, scores, run), context.vectors.shape[1]
        files.make_folder(run.model)
        head.save(run.model)
        config = HeadConfig(
            kind=pair_models.SIAMESE, encoder=self.encoder, dimensions=width, threshold=threshold
        )
        trained.write(run.model, config)


@trainers.register("siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SiameseTrainer(HeadTrainer):
    """Logistic regression on |u - v| and u x v of an encoder's vectors, by greatest likelihood.

    The ridge penalty pulls the weights of u x v towards one common weight, which is the cosine, and those
    of |u - v| towards 0: what is learnt is how meaning differs from cosine.

    Source: Reimers and Gurevych (2019), "Sentence-BERT".
    """

    summary: ClassVar[str] = "Fits a classifier over the two headlines' vectors (siamese SBERT)"

    penalty: float = number(3000.0, 1e-6, 1e6, "how strongly weights are held small (1 / C)")
    steps: int = number(50, 1, 10_000, "steps of Newton's method at most")

    def fit(self, u: Float32Array, v: Float32Array, same: BoolArray) -> pair_models.Head:
        from sklearn.linear_model import LogisticRegression

        # Coordinates of unit vectors are small; scaled, they and the penalty are of one size.
        width, scale = u.shape[1], np.float32(np.sqrt(u.shape[1]))
        product = u * v
        cosine = product.sum(axis=1, keepdims=True) * FREE
        columns = np.hstack([np.abs(u - v) * scale, product * scale, cosine]).astype(np.float64)
        fitted = LogisticRegression(C=1 / self.penalty, max_iter=self.steps, solver="newton-cholesky")
        weights = fitted.fit(columns, same).coef_[0]
        common = weights[-1] * FREE
        return pair_models.Head(
            apart=(weights[:width] * scale).astype(np.float32),
            product=(weights[width:-1] * scale + common).astype(np.float32),
            bias=float(fitted.intercept_[0]),
        )
