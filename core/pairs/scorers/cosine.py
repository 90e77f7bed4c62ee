"""Cosines of two headlines' vectors: of an encoder, with and without time, and of static word pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.errors import ModelUnavailableError
from core.models.weights import fingerprint, locate
from core.pairs.fading import TAU_DAYS, WINDOW_DAYS, tau_variants, time_factor, time_part
from core.pairs.features.word_pieces import WordPieces
from core.pairs.scorer import (
    Formula,
    Need,
    PairContext,
    PairScorer,
    PreparedScorer,
    ScorePart,
    pair_scorers,
    require_vectors,
)
from core.pairs.selection import Selection
from core.runtime import Runtime

WORDLLAMA = "wordllama"
"""The package whose embeddings `static_embeddings` reads."""

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WEIGHTS = "l2_supercat_256.safetensors"


def cosine(vectors: Float32Array) -> Callable[[Selection], Float32Array]:
    """Cosines of pairs of unit vectors, float32 [n, d], negative ones counted as 0."""

    def score(at: Selection) -> Float32Array:
        scores = at.inner(vectors)
        return np.clip(scores, 0.0, 1.0, out=scores)

    return score


@pair_scorers.register("cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Cosine(PairScorer):
    """Cosine of the encoder's vectors, negative values counted as 0; dates are ignored."""

    summary: ClassVar[str] = "How close the meanings of two headlines are; dates play no part"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    threshold: ClassVar[float] = 0.36
    part: ClassVar[str] = "meaning"

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        return Formula(cosine(context.vectors))


@pair_scorers.register("cosine_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CosineTime(PairScorer):
    """Cosine of the encoder's vectors times exp(-|days apart| / tau_days).

    Where either date is missing the time factor is exactly 1 and the window does not apply.
    """

    summary: ClassVar[str] = "How close two headlines are in meaning and in time"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    threshold: ClassVar[float] = 0.32

    tau_days: float = field(default=8.0, metadata=TAU_DAYS)
    window_days: float = field(default=14.0, metadata=WINDOW_DAYS)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        meaning = cosine(context.vectors)

        def score(at: Selection) -> Float32Array:
            scores = meaning(at)
            scores *= time_factor(np.subtract(*at.sides(context.days)), self.tau_days)
            return scores

        return Formula(score)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        return time_factor(left - right, self.tau_days)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], 0.0, 1.0))
        return (
            ScorePart("meaning", meaning),
            time_part(context.days[left] - context.days[right], self.tau_days),
        )

    def variants(
        self, days_apart: npt.NDArray[np.float64], labels: npt.NDArray[np.int64]
    ) -> Sequence[PairScorer]:
        return tau_variants(self)


@pair_scorers.register("static_embeddings.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class StaticEmbeddings(PairScorer):
    """Cosine of the headlines' mean static embeddings (WordLlama, 256 numbers a word piece; English).

    No context changes an embedding: fast, and blind to word order. Negative cosines count as 0, and so
    does a text without a word piece. Weights and word pieces are read
    from the installed package, never from the network.

    Source: Miller (2024), WordLlama: token embeddings of large language models, distilled.
    """

    summary: ClassVar[str] = "How close the words of two headlines are in meaning, order left out; English"
    threshold: ClassVar[float] = 0.24
    part: ClassVar[str] = "meaning of the words"

    @property
    def weights(self) -> tuple[Path, ...]:
        return _files()

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return Formula(cosine(embed(context.texts)))


def embed(texts: Sequence[str]) -> Float32Array:
    """Mean embeddings of the word pieces, of length 1, float32 [n, 256]; 0 for a text that has none."""
    from scipy import sparse

    pieces, table = _model(fingerprint(*_files()))
    ids, ends = pieces.of(texts)
    held = sparse.csr_matrix((np.ones(len(ids), np.float32), ids, ends), shape=(len(texts), len(table)))
    means: Float32Array = held @ table
    means /= np.maximum(np.diff(ends), 1).astype(np.float32)[:, None]
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    np.divide(means, lengths, out=means, where=lengths > 0)
    return means


def _files() -> tuple[Path, Path]:
    folder = locate(WORDLLAMA)
    return folder / _WEIGHTS, folder.parent / _TOKENIZER


@lru_cache(maxsize=1)
def _model(_mark: str) -> tuple[WordPieces, Float32Array]:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights, pieces = _files()
    try:
        table = load_file(weights)["embedding.weight"].astype(np.float32)
        tokenizer = Tokenizer.from_file(str(pieces))
    except Exception as error:  # the libraries' errors share no base
        if isinstance(error, MemoryError):
            raise
        raise ModelUnavailableError(
            "The package wordllama is installed, but its weights or word pieces cannot be read.",
            hint="Run `pip install --force-reinstall wordllama==0.4.0.post1`.",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordPieces(tokenizer), table
