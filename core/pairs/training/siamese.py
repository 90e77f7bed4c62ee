"""The siamese classifier: a logistic head over two headlines' vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core import files
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import Cancelled
from core.models.training.run_folder import RunFolder
from core.pairs.scorers.siamese import KIND, Head, PreparedSiamese
from core.pairs.trained import HeadConfig
from core.pairs.training.trainer import trainers
from core.pairs.training.vector_pairs import (
    ENCODER,
    completed,
    context_with_vectors,
    threshold_and_measures,
)
from core.parts import Part
from core.runtime import Runtime
from core.similarities import Float32Array

STEP = "Fitting the classifier"
FREE = 100.0
"""Size of the cosine beside the other features: so large that the penalty hardly weighs on it."""


@trainers.register("siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Siamese:
    """Logistic regression on |u - v| and u x v of an encoder's vectors, by greatest likelihood.

    The ridge penalty pulls the weights of u x v towards one common weight, which is the cosine, and those
    of |u - v| towards 0: what is learnt is how meaning differs from cosine. The problem is convex, so that
    the seed plays no part. The threshold is the one with the best F1 on validation pairs.

    Source: Reimers and Gurevych (2019), "Sentence-BERT".
    """

    summary: ClassVar[str] = "Fits a classifier over the two headlines' vectors (siamese SBERT)"

    encoder: str = field(default="minilm.v1", metadata=ENCODER)
    penalty: float = field(
        default=3000.0,
        metadata={"low": 1e-6, "high": 1e6, "help": "how strongly weights are held small (1 / C)"},
    )
    steps: int = field(
        default=50, metadata={"low": 1, "high": 10_000, "help": "steps of Newton's method at most"}
    )

    def __post_init__(self) -> None:
        """Completes the encoder's signature."""
        object.__setattr__(self, "encoder", completed(self.encoder))

    def check(self, pairs: PairSet) -> None:
        """Any labelled pairs will do."""

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        """Fits the head; see `Trainer.train`. It takes seconds, so that there are no checkpoints."""
        context = context_with_vectors(pairs, self.encoder, runtime)
        if run.stop_requested or runtime.stop.is_set():
            raise Cancelled(STEP)
        head = self._fit(pairs, context.vectors)
        scores = PreparedSiamese(head, context.vectors).pairs(pairs.left, pairs.right)
        threshold, about = threshold_and_measures(pairs, scores)
        run.record(scorer="siamese.v1", **about)
        files.make_folder(run.model)
        head.save(run.model)
        HeadConfig(
            kind=KIND, encoder=self.encoder, dimensions=context.vectors.shape[1], threshold=threshold
        ).write(run.model)

    def _fit(self, pairs: PairSet, vectors: Float32Array) -> Head:
        from sklearn.linear_model import LogisticRegression

        train = pairs.part(Part.TRAIN)
        own = vectors[pairs.parts == Part.TRAIN.value]
        u, v = own[train.left], own[train.right]
        # Coordinates of unit vectors are small; scaled, they and the penalty are of one size.
        width, scale = vectors.shape[1], np.float32(np.sqrt(vectors.shape[1]))
        product = u * v
        cosine = product.sum(axis=1, keepdims=True) * FREE
        fitted = LogisticRegression(C=1 / self.penalty, max_iter=self.steps, solver="newton-cholesky").fit(
            np.hstack([np.abs(u - v) * scale, product * scale, cosine]).astype(np.float64),
            train.labels == SAME,
        )
        weights = fitted.coef_[0]
        common = weights[-1] * FREE
        return Head(
            apart=(weights[:width] * scale).astype(np.float32),
            product=(weights[width:-1] * scale + common).astype(np.float32),
            bias=float(fitted.intercept_[0]),
        )
