"""Trainers of models over the vectors of an encoder: the siamese classifier, CatBoost, what all share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import Cancelled, InputError
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs import trained
from core.pairs.features.additive import Additive
from core.pairs.features.families import FALLING, RISING, handcrafted
from core.pairs.metrics import best_threshold, pair_intervals, pair_quality, units_of
from core.pairs.scorer import PairContext, pair_scorers
from core.pairs.scorers import pair_models
from core.pairs.scoring import score_pairs
from core.pairs.trained import HeadConfig
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.statistics.bootstrap import few_units, interval_over
from core.tensor_files import write_arrays
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.runs.trees import TreeTraining, grown, signed

ENCODER: Final = "name or signature of the encoder whose vectors are read; the model needs the same one"
EDGE: Final = 1e-3  # thresholds stay this far away from 0 and 1, where every pair would get the same answer


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorTrainer(Trainer[PairSet]):
    """Base of trainers of pair models over the vectors of an encoder."""

    kind: ClassVar[str] = "pair"

    encoder: str = told("minilm.v1", ENCODER)

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
    """What `ask` says of each pair beside the headlines of its part and timeline, float32 [m] or [m, f]."""
    # Names are learnt from a timeline, so training, validation and use have to look at the same headlines.
    parts = np.stack([pairs.timelines, pairs.parts == Part.TRAIN.value])
    unit = np.unique(parts, axis=1, return_inverse=True)[1].ravel()
    said: list[Float32Array] = []
    places: list[IntArray] = []
    for own in np.unique(unit[pairs.left]).tolist():
        rows = np.flatnonzero(unit == own).astype(np.int64)
        inside = np.flatnonzero(unit[pairs.left] == own).astype(np.int64)
        left, right = (np.searchsorted(rows, side[inside]) for side in (pairs.left, pairs.right))
        said.append(ask(context.reordered(rows), left, right))
        places.append(inside)
    return np.concatenate(said)[np.argsort(np.concatenate(places))]


def threshold_of(pairs: PairSet, scores: Float32Array, run: RunFolder) -> float:
    """The threshold with the best F1 on validation pairs, or on training pairs where these have one class."""
    inside = pairs.pair_parts == Part.VALIDATION.value
    held_out = len(np.unique(pairs.labels[inside])) == 2
    chosen = inside if held_out else ~inside
    best = best_threshold(pairs.labels[chosen], scores[chosen])
    threshold = float(np.clip(best, EDGE, 1 - EDGE))
    part = "validation" if held_out else "train"
    run.record(threshold={"chosen_on": part, "value": threshold}, training_pairs=int(np.sum(~inside)))
    if held_out:
        run.record(validation_own_threshold=measured(pairs.part(Part.VALIDATION), scores[inside], threshold))
    return threshold


MEASURES = ("f1", "precision", "recall", "average_precision")


def measured(pairs: PairSet, scores: npt.ArrayLike, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 and average precision, with both ends of 95 % intervals; None where undefined.

    Also `resampled` (what the intervals draw) and `warning` (why not to rely on them, "" otherwise).
    """
    quality = pair_quality(pairs.labels, scores, threshold)
    units = units_of(pairs.left, pairs.right, pairs.groups)
    spans = pair_intervals(pairs.labels, scores, threshold, units)
    intervals = {name: interval_over(span, units.count, units.name)[0] for name, span in spans.items()}
    return {
        "pairs": len(pairs),
        "threshold": threshold,
        "resampled": units.name,
        "warning": few_units(units.count, units.name),
        **{name: [quality[name].value, *intervals[name]] for name in MEASURES},
    }


PENALTY: Final = 1e-3
"""Ridge penalty on weights of standardised features, against a log loss in which positives weigh a half."""


def fit_additive(
    signs: Mapping[str, int],
    values: Float32Array,
    labels: BoolArray,
    weights: FloatArray,
    offsets: FloatArray,
) -> Additive:
    """Weights of the greatest penalised likelihood, a convex problem with bounds.

    `signs` are 1 for features that only raise the odds, -1 for those that only lower them, else 0. Of m rows:
    values [m, f], whether of one event [m], what each counts [m], and log odds that are added to its sum [m].
    """
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: FloatArray) -> tuple[float, FloatArray]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        free = point[1:]
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(free @ free)
        slope = errors.astype(np.float32) @ rows + 2 * PENALTY * free
        return value, np.concatenate([[errors.sum()], slope])

    either = {1: (0, None), -1: (None, 0), 0: (None, None)}
    bounds = [either[0], *(either[sign] for sign in signs.values())]
    start, options = np.zeros(len(names) + 1), {"maxiter": 2_000, "ftol": 1e-14, "gtol": 1e-8}
    fitted = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    scaled = (fitted.x[1:] / spread).tolist()
    usual = dict(zip(names, mean.tolist(), strict=True))
    return Additive(dict(zip(names, scaled, strict=True)), usual, float(fitted.x[0]))


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
