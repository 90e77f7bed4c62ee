"""A logistic classifier over two headlines' vectors: siamese SBERT."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.pairs.logistic import logistic
from core.pairs.scorer import Need, PairContext, PreparedScorer, ScorePart, pair_scorers
from core.pairs.trained import MODEL, TrainedHead, hashes_in, require_same_width
from core.runtime import Runtime
from core.tensor_files import read_arrays, write_arrays

KIND: Final = "siamese"
WEIGHTS: Final = "model.safetensors"
_PAIRS_AT_ONCE = 32_768
_ROWS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The weights."""

    apart: Float32Array
    product: Float32Array
    bias: float

    def save(self, folder: Path) -> None:
        bias = np.array([self.bias], dtype=np.float32)
        write_arrays(folder / WEIGHTS, {"apart": self.apart, "product": self.product, "bias": bias})


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSiamese:
    """The weights beside the vectors."""

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

    The parts of a siamese SBERT classifier that do not change when the headlines change places, so that
    it is symmetric by construction. It wants the encoder that it was trained on.

    Source: Reimers and Gurevych (2019), "Sentence-BERT"; the best clustering system of Dialogue 2021
    is of this kind.
    """

    summary: ClassVar[str] = "A trained classifier over the two headlines' vectors (siamese SBERT)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    kind: ClassVar[str] = KIND

    model: str = field(default="siamese", metadata=MODEL)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        folder, config = self.found
        head = _read(folder / WEIGHTS, hashes_in(folder, WEIGHTS), config.dimensions)
        if len(context):
            require_same_width(context, config)
        return PreparedSiamese(head, context.vectors)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], -1.0, 1.0))
        return (ScorePart("meaning", meaning), ScorePart("probability", score))


@lru_cache(maxsize=4)
def _read(path: Path, marks: tuple[str, ...], dimensions: int) -> Head:
    apart, product, bias = read_arrays(path, "apart", "product", "bias")
    if not apart.shape == product.shape == (dimensions,) or bias.shape != (1,):
        raise ModelUnavailableError(
            f"The weights {path} do not fit vectors of {dimensions} numbers.",
            hint="Copy or train the model again.",
        )
    return Head(apart, product, float(bias[0]))
