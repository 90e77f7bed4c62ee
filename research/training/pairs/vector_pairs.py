"""Trainers of models over the vectors of an encoder: the siamese classifier, CatBoost, what all share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import Cancelled
from core.models.encoders.encoder import encode_cached, encoders
from core.pairs import trained
from core.pairs.features.additive import Additive
from core.pairs.features.families import FALLING, RISING, handcrafted
from core.pairs.metrics import best_threshold, pair_intervals, pair_quality, units_of
from core.pairs.scorer import PairContext
from core.pairs.scorers.pair_models import (
    CATBOOST_PAIRS,
    REDUCTION,
    SIAMESE,
    TREES,
    Head,
    PreparedSiamese,
    feature_names,
)
from core.pairs.trained import HeadConfig
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.statistics.bootstrap import few_units, interval_over
from core.tensor_files import write_arrays
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, TreeTraining, grown, trainers

ENCODER: Final = {
    "help": "name or signature of the encoder whose vectors are read; the model needs the same one"
}
EDGE: Final = 1e-3
"""Thresholds stay this far away from 0 and 1, where every pair would get the same answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorTrainer(Trainer[PairSet]):
    """Base of trainers of pair models over the vectors of an encoder."""

    kind: ClassVar[str] = "pair"

    encoder: str = field(default="minilm.v1", metadata=ENCODER)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    def context(self, pairs: PairSet, runtime: Runtime) -> PairContext:
        """All headlines of a pair set with their vectors, in its order."""
        vectors = encode_cached(pairs.texts, encoders.parse(self.encoder), runtime)
        if runtime.stop.is_set():
            raise Cancelled("Training")
        return PairContext(list(pairs.texts), pairs.days, vectors)


def by_timeline(
    pairs: PairSet, context: PairContext, ask: Callable[[PairContext, IntArray, IntArray], Float32Array]
) -> Float32Array:
    """What `ask` says of each pair beside the headlines of its own part and timeline, float32 [m] or [m, f].

    Names are learnt from a timeline, so training, validation and use have to look at the same headlines.
    """
    keys = np.unique(
        np.stack([pairs.timelines, pairs.parts == Part.TRAIN.value]), axis=1, return_inverse=True
    )
    unit = keys[1].ravel()
    found: list[Float32Array] = []
    places: list[IntArray] = []
    for own in np.unique(unit[pairs.left]).tolist():
        rows = np.flatnonzero(unit == own).astype(np.int64)
        inside = np.flatnonzero(unit[pairs.left] == own).astype(np.int64)
        left, right = (np.searchsorted(rows, side[inside]) for side in (pairs.left, pairs.right))
        found.append(ask(context.reordered(rows), left, right))
        places.append(inside)
    joined = np.concatenate(found)
    result = np.empty_like(joined)
    result[np.concatenate(places)] = joined
    return result


def threshold_and_measures(pairs: PairSet, scores: Float32Array) -> tuple[float, dict[str, Any]]:
    """The threshold with the best F1 on the validation part, and what goes into run.json.

    On training pairs a model that was fitted to them is surer than on others, so their threshold would be
    too high. Where the validation part has one class only, the training part has to do.
    """
    inside = pairs.pair_parts == Part.VALIDATION.value
    held_out = len(np.unique(pairs.labels[inside])) == 2
    chosen = inside if held_out else ~inside
    best = best_threshold(pairs.labels[chosen], scores[chosen])
    threshold = float(np.clip(best, EDGE, 1 - EDGE))
    about: dict[str, Any] = {
        "threshold": {"chosen_on": "validation" if held_out else "train", "value": threshold},
        "training_pairs": int(np.sum(~inside)),
    }
    if held_out:
        about["validation_own_threshold"] = measured(pairs.part(Part.VALIDATION), scores[inside], threshold)
    return threshold, about


MEASURES = ("f1", "precision", "recall", "average_precision")


def measured(pairs: PairSet, scores: npt.ArrayLike, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 and average precision, with both ends of 95 % intervals; None where undefined.

    Also `resampled` (what the intervals draw) and `warning` (why not to rely on them, "" otherwise).
    """
    quality = pair_quality(pairs.labels, scores, threshold)
    units = units_of(pairs.left, pairs.right, pairs.groups)
    found = pair_intervals(pairs.labels, scores, threshold, units)
    intervals = {name: interval_over(span, units.count, units.name)[0] for name, span in found.items()}
    return {
        "pairs": len(pairs),
        "threshold": threshold,
        "resampled": units.name,
        "warning": few_units(units.count, units.name),
        **{name: [quality[name].value, *intervals[name]] for name in MEASURES},
    }


PENALTY: Final = 1e-3
"""Ridge penalty on the weights of standardised features, against a log loss in which
positives weigh a half."""

_SEARCHED: Final = 2_000


def fit_additive(
    signs: Mapping[str, int],
    values: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.float64],
) -> Additive:
    """Weights of the greatest penalised likelihood.

    The problem is convex with bounds, so the result does not depend on where the search starts.

    Args:
        signs: By name, in the order of the f features: 1 where one may only raise the odds, -1 where it may
            only lower them, else 0.
        values: float32 [m, f].
        labels: Same event, bool [m].
        weights: What each row counts, float64 [m]; both labels weigh something.
        offsets: Known log odds that are added to the sum of each row, float64 [m].
    """
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(
            point[1:] @ point[1:]
        )
        return value, np.concatenate(
            [[errors.sum()], errors.astype(np.float32) @ rows + 2 * PENALTY * point[1:]]
        )

    bounds = [
        (None, None),
        *((0, None) if signs[n] > 0 else (None, 0) if signs[n] < 0 else (None, None) for n in names),
    ]
    found = minimize(
        loss,
        np.zeros(len(names) + 1),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": _SEARCHED, "ftol": 1e-14, "gtol": 1e-8},
    )
    scaled = found.x[1:] / spread
    return Additive(
        weights=dict(zip(names, scaled.tolist(), strict=True)),
        usual=dict(zip(names, mean.tolist(), strict=True)),
        bias=float(found.x[0]),
    )


FREE = 100.0
"""Size of the cosine beside the other features: so large that the penalty hardly weighs on it."""


class HeadTrainer(VectorTrainer):
    """Base of trainers of the siamese classifier: what differs is how its weights are fitted."""

    __slots__ = ()

    result: ClassVar[str] = "siamese.v1"

    @abstractmethod
    def fit(self, u: Float32Array, v: Float32Array, same: npt.NDArray[np.bool_]) -> Head:
        """The weights, of the unit vectors of both headlines of each training pair, float32 [m, d]."""

    def train(self, data: PairSet, run: RunFolder, runtime: Runtime) -> None:
        context = self.context(data, runtime)
        train, own = data.part(Part.TRAIN), context.vectors[data.parts == Part.TRAIN.value]
        head = self.fit(own[train.left], own[train.right], train.labels == SAME)
        scores = PreparedSiamese(head, context.vectors).pairs(data.left, data.right)
        threshold, about = threshold_and_measures(data, scores)
        run.record(**about)
        files.make_folder(run.model)
        head.save(run.model)
        width = context.vectors.shape[1]
        config = HeadConfig(kind=SIAMESE, encoder=self.encoder, dimensions=width, threshold=threshold)
        trained.write(run.model, config)


@trainers.register("siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SiameseTrainer(HeadTrainer):
    """Logistic regression on |u - v| and u x v of an encoder's vectors, by greatest likelihood.

    The ridge penalty pulls the weights of u x v towards one common weight, which is the cosine, and those
    of |u - v| towards 0: what is learnt is how meaning differs from cosine. The problem is convex, so the
    seed changes nothing. The threshold is the one with the best F1 on validation pairs.

    Source: Reimers and Gurevych (2019), "Sentence-BERT".
    """

    summary: ClassVar[str] = "Fits a classifier over the two headlines' vectors (siamese SBERT)"

    penalty: float = number(3000.0, 1e-6, 1e6, "how strongly weights are held small (1 / C)")
    steps: int = number(50, 1, 10_000, "steps of Newton's method at most")

    def fit(self, u: Float32Array, v: Float32Array, same: npt.NDArray[np.bool_]) -> Head:
        from sklearn.linear_model import LogisticRegression

        # Coordinates of unit vectors are small; scaled, they and the penalty are of one size.
        width, scale = u.shape[1], np.float32(np.sqrt(u.shape[1]))
        product = u * v
        cosine = product.sum(axis=1, keepdims=True) * FREE
        fitted = LogisticRegression(C=1 / self.penalty, max_iter=self.steps, solver="newton-cholesky").fit(
            np.hstack([np.abs(u - v) * scale, product * scale, cosine]).astype(np.float64), same
        )
        weights = fitted.coef_[0]
        common = weights[-1] * FREE
        return Head(
            apart=(weights[:width] * scale).astype(np.float32),
            product=(weights[width:-1] * scale + common).astype(np.float32),
            bias=float(fitted.intercept_[0]),
        )


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

    trees: int = number(600, 1, 10_000, "trees at most")
    depth: int = number(5, 1, 10, "questions one after another")
    learning_rate: float = number(0.06, 1e-4, 1.0, "what each tree counts")
    directions: int = number(16, 0, 256, "numbers that |u - v| is reduced to")

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
