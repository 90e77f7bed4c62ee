"""Cosine of mean word-piece embeddings that no context changes: fast, and blind to word order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.errors import ModelUnavailableError
from core.models.weights import fingerprint, locate
from core.pairs.cosine import PreparedCosine
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = "wordllama"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WEIGHTS = "l2_supercat_256.safetensors"
_TEXTS_AT_ONCE = 4_096


@pair_scorers.register("static_embeddings.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class StaticEmbeddings(Timeless):
    """Cosine of the headlines' mean static embeddings (WordLlama, 256 numbers a word piece; English).

    Negative cosines count as 0, and so does a text without a word piece. Weights and word pieces are read
    from the installed package, never from the network.

    Source: Miller (2024), WordLlama: token embeddings of large language models, distilled.
    """

    summary: ClassVar[str] = "How close the words of two headlines are in meaning, order left out; English"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.24

    @property
    def weights(self) -> tuple[Path, ...]:
        """Embeddings and word pieces; see `core.models.weights.taking_part`."""
        return _files()

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Embeds the headlines.

        Raises:
            ModelUnavailableError: The package with the weights is not installed or incomplete.
        """
        return PreparedCosine(embed(context.texts))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The words' meaning alone."""
        return (Part("meaning of the words", score),)


def embed(texts: Sequence[str]) -> Float32Array:
    """Mean embeddings of the word pieces, of length 1, float32 [n, 256]; 0 for a text that has none.

    Raises:
        ModelUnavailableError: The package with the weights is not installed or incomplete.
    """
    tokenizer, table = _model(fingerprint(*_files()))
    means = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        part = list(texts[start : start + _TEXTS_AT_ONCE])
        for row, pieces in enumerate(tokenizer.encode_batch(part, add_special_tokens=False), start):
            if pieces.ids:
                means[row] = table[pieces.ids].mean(axis=0)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    np.divide(means, lengths, out=means, where=lengths > 0)
    return means


def _files() -> tuple[Path, Path]:
    folder = locate(MODEL)
    return folder / _WEIGHTS, folder.parent / _TOKENIZER


@lru_cache(maxsize=1)
def _model(_mark: str) -> tuple[Tokenizer, Float32Array]:
    """Word pieces, and their embeddings as float32 [pieces, 256]; 33 MB, read once."""
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
    return tokenizer, table
