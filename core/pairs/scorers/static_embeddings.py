"""Cosine of the mean static embeddings of word pieces (WordLlama)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.arrays import Float32Array
from core.errors import ModelUnavailableError
from core.models.loaded import loaded
from core.models.weights import fingerprint, locate
from core.pairs.context import PairContext
from core.pairs.features.word_pieces import WordPieces
from core.pairs.scorer import Formula, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.runtime import Runtime

WORDLLAMA = "wordllama"  # the package whose embeddings `static_embeddings` reads

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WEIGHTS = "l2_supercat_256.safetensors"


@pair_scorers.register("static_embeddings.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class StaticEmbeddings(PairScorer):
    """Cosine of the headlines' mean static embeddings (WordLlama, 256 numbers a word piece; English).

    Fast, and blind to word order; negative cosines, and texts without a word piece, count as 0. It reads the
    installed package, never the network.

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


@loaded(1)
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
        message = "The package wordllama is installed, but its weights or word pieces cannot be read."
        hint = "Run `pip install --force-reinstall wordllama==0.4.0.post1`."
        raise ModelUnavailableError(message, hint=hint) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordPieces(tokenizer), table
