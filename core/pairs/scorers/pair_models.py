"""Classifiers of pairs: of two texts, of two vectors, and boosted trees, each with the model that ships."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from core import files
from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.extras import extras
from core.models.loaded import loaded
from core.pairs.context import PairContext
from core.pairs.cross_encoder.inference import PairModelScorer
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.features.families import NAMES, handcrafted
from core.pairs.scorer import Need, PairByPair, PreparedScorer, ScorePart, pair_scorers
from core.pairs.trained import MODEL, HeadConfig, TrainedHead, hashes_in, require_same_width
from core.registry import derived
from core.runtime import Runtime
from core.statistics.logistic import logistic
from core.tensor_files import damaged, read_arrays, write_arrays

SIAMESE: Final = "siamese"
WEIGHTS: Final = "model.safetensors"
_PAIRS_AT_ONCE = 32_768
_ROWS = 64
CATBOOST_PAIRS: Final = "catboost_pairs"
TREES: Final = "model.cbm"
REDUCTION: Final = "reduction.safetensors"
_PAIRS_OF_TREES_AT_ONCE = 16_384


for _name, _given in files.read_tables(__file__).items():
    _reads = {"reads": PairModelConfig(**_given.pop("reads"))} if "reads" in _given else {}
    _own = {"__module__": __name__, "summary": _given.pop("summary"), **_reads}
    _recipe = derived(PairModelScorer, _name.title().replace("_", ""), _own, **_given)
    pair_scorers.register(f"{_name}.v1")(_recipe)


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    apart: Float32Array
    product: Float32Array
    bias: float

    def save(self, folder: Path) -> None:
        bias = np.array([self.bias], dtype=np.float32)
        write_arrays(folder / WEIGHTS, {"apart": self.apart, "product": self.product, "bias": bias})


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSiamese:
    head: Head
    vectors: Float32Array

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        margin = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            u, v = self.vectors[left[part]], self.vectors[right[part]]
            margin[part] = np.abs(u - v) @ self.head.apart + (u * v) @ self.head.product
        return np.asarray(logistic(margin + self.head.bias), dtype=np.float32)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        u, v = self.vectors[rows], self.vectors[columns]
        margin: Float32Array = (u * self.head.product).astype(np.float32) @ v.T
        # |u - v| is no matrix product: dimension by dimension, in rows that stay in the cache.
        across = np.ascontiguousarray(v.T)
        for start in range(0, len(u), _ROWS):
            some, total = u[start : start + _ROWS], margin[start : start + _ROWS]
            gap = np.empty_like(total)
            for down, along, weight in zip(some.T, across, self.head.apart, strict=True):
                np.subtract(down[:, None], along[None, :], out=gap)
                np.abs(gap, out=gap)
                gap *= weight
                total += gap
        return np.asarray(logistic(margin + self.head.bias), dtype=np.float32)


@pair_scorers.register("siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Siamese(TrainedHead):
    """Probability from a logistic head on |u - v| and u x v of the two headlines' vectors.

    It is symmetric by construction, and wants the encoder that it was trained on.

    Source: Reimers and Gurevych (2019), "Sentence-BERT"; as the best clustering system of Dialogue 2021.
    """

    summary: ClassVar[str] = "A trained classifier over the two headlines' vectors (siamese SBERT)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    kind: ClassVar[str] = SIAMESE

    model: str = field(default="siamese", metadata=MODEL)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        folder, config = self.located
        head = _read_head(folder / WEIGHTS, hashes_in(folder, WEIGHTS), config.dimensions)
        if len(context):
            require_same_width(context, config)
        return PreparedSiamese(head, context.vectors)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], -1.0, 1.0))
        return (ScorePart("meaning", meaning), ScorePart("probability", score))


@loaded(4)
def _read_head(path: Path, marks: tuple[str, ...], dimensions: int) -> Head:
    apart, product, bias = read_arrays(path, "apart", "product", "bias")
    if not apart.shape == product.shape == (dimensions,) or bias.shape != (1,):
        message = f"The weights {path} do not fit vectors of {dimensions} numbers."
        raise ModelUnavailableError(message, hint="Copy or train the model again.")
    return Head(apart, product, float(bias[0]))


@pair_scorers.register("catboost_pairs.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoostPairs(TrainedHead):
    """Probability from CatBoost over what two headlines share and where they differ.

    Cosine, summary and reduced dimensions of |u - v|, overlap of words and characters, names and numbers
    shared or in conflict, lengths and days apart, the same for both orders, by the encoder of its training.

    Source: Dialogue 2021 (Gusev and Smurov), section 3 (0.930 F1); CatBoost: Prokhorenkova et al. 2018.
    """

    summary: ClassVar[str] = "Trained trees over vectors, shared words, names, numbers and days (CatBoost)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    kind: ClassVar[str] = CATBOOST_PAIRS

    model: str = field(default="catboost_pairs", metadata=MODEL)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        folder, config = self.located
        model, reduction = _read_trees(folder, hashes_in(folder, TREES, REDUCTION), config)
        if len(context):
            require_same_width(context, config)
        features = handcrafted(context, reduction)

        def score(left: IntArray, right: IntArray) -> Float32Array:
            scores = np.empty(len(left), dtype=np.float32)
            for start in range(0, len(left), _PAIRS_OF_TREES_AT_ONCE):
                part = slice(start, start + _PAIRS_OF_TREES_AT_ONCE)
                scores[part] = model.predict_proba(features(left[part], right[part]))[:, 1]
            return scores

        return PairByPair(len(context), score)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        first, second = np.array([0]), np.array([1])
        pair = context.take(np.array([left, right]))
        features = handcrafted(pair, np.zeros((context.vectors.shape[1], 0), dtype=np.float32))
        values = dict(zip(NAMES, features(first, second)[0].tolist(), strict=True))
        shown = {"cosine": "meaning", "shared_words": "shared words", "names_shared": "shared names"}
        shown |= {"numbers_in_conflict": "numbers in conflict", "days_apart": "days apart"}
        known = [
            ScorePart(title, values[name]) for name, title in shown.items() if math.isfinite(values[name])
        ]
        return (*known, ScorePart("probability", score))


@loaded(4)
def _read_trees(folder: Path, marks: tuple[str, ...], config: HeadConfig) -> tuple[Any, Float32Array]:
    with extras():
        from catboost import CatBoostClassifier, CatBoostError

    model = CatBoostClassifier()
    try:
        model.load_model(str(folder / TREES), format="cbm")
    except CatBoostError as error:
        raise damaged(folder) from error
    (reduction,) = read_arrays(folder / REDUCTION, "reduction")
    wanted = feature_names(reduction.shape[-1])
    fits = reduction.ndim == 2 and len(reduction) == config.dimensions
    if not fits or config.features != wanted or tuple(model.feature_names_) != wanted:
        message = f"The model in {folder} reads other features than this version makes."
        raise ModelUnavailableError(message, hint="Train it again, or use the version that trained it.")
    return model, reduction


def feature_names(reduced: int) -> tuple[str, ...]:
    return (*NAMES, *(f"direction_{k}" for k in range(reduced)))
