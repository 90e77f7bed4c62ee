"""Gradient-boosted trees over vectors and handcrafted features, as in Dialogue 2021."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.pairs.features.handcrafted import NAMES, take_apart
from core.pairs.scorer import Need, PairByPair, PairContext, PreparedScorer, ScorePart, pair_scorers
from core.pairs.trained import (
    MODEL,
    HeadConfig,
    TrainedHead,
    hashes_in,
    require_same_width,
)
from core.runtime import Runtime
from core.tensor_files import damaged, read_arrays

KIND: Final = "catboost_pairs"
TREES: Final = "model.cbm"
REDUCTION: Final = "reduction.safetensors"
_PAIRS_AT_ONCE = 16_384


@pair_scorers.register("catboost_pairs.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoostPairs(TrainedHead):
    """Probability from CatBoost over what two headlines share and where they differ.

    Cosine, summary and reduced dimensions of |u - v|, overlap of words and characters, names and
    numbers that are shared or in conflict, lengths and days apart (which may be unknown). Every feature
    is the same when the headlines change places. It wants the encoder that it was trained on.

    Source: Dialogue 2021 (Gusev and Smurov), section 3: CatBoost over FastText and USE embeddings and
    handcrafted features (hyperlinks and named entities in common), 0.930 F1 there; Prokhorenkova et al.
    2018 for CatBoost.
    """

    summary: ClassVar[str] = "Trained trees over vectors, shared words, names, numbers and days (CatBoost)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    kind: ClassVar[str] = KIND

    model: str = field(default="catboost_pairs", metadata=MODEL)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        folder, config = self.found
        model, reduction = _read(folder, hashes_in(folder, TREES, REDUCTION), config)
        if len(context):
            require_same_width(context, config)
        handcrafted = take_apart(context, reduction)

        def score(left: IntArray, right: IntArray) -> Float32Array:
            scores = np.empty(len(left), dtype=np.float32)
            for start in range(0, len(left), _PAIRS_AT_ONCE):
                part = slice(start, start + _PAIRS_AT_ONCE)
                scores[part] = model.predict_proba(handcrafted.features(left[part], right[part]))[:, 1]
            return scores

        return PairByPair(len(context), score)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        first, second = np.array([0]), np.array([1])
        pair = context.reordered(np.array([left, right]))
        seen = take_apart(pair, np.zeros((context.vectors.shape[1], 0), dtype=np.float32))
        values = dict(zip(NAMES, seen.features(first, second)[0].tolist(), strict=True))
        shown = {"cosine": "meaning", "shared_words": "shared words", "names_shared": "shared names"}
        shown |= {"numbers_in_conflict": "numbers in conflict", "days_apart": "days apart"}
        known = [
            ScorePart(title, values[name]) for name, title in shown.items() if math.isfinite(values[name])
        ]
        return (*known, ScorePart("probability", score))


@lru_cache(maxsize=4)
def _read(folder: Path, marks: tuple[str, ...], config: HeadConfig) -> tuple[Any, Float32Array]:
    from catboost import CatBoostClassifier, CatBoostError

    model = CatBoostClassifier()
    try:
        model.load_model(str(folder / TREES), format="cbm")
    except CatBoostError as error:
        raise damaged(folder) from error
    (reduction,) = read_arrays(folder / REDUCTION, "reduction")
    wanted = feature_names(reduction.shape[-1])
    if (
        reduction.ndim != 2
        or len(reduction) != config.dimensions
        or config.features != wanted
        or tuple(model.feature_names_) != wanted
    ):
        raise ModelUnavailableError(
            f"The model in {folder} reads other features than this version makes.",
            hint="Train it again, or use the version that trained it.",
        )
    return model, reduction


def feature_names(reduced: int) -> tuple[str, ...]:
    return (*NAMES, *(f"direction_{k}" for k in range(reduced)))
