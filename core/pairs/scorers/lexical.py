"""Scorers that compare letters and words: shared characters, shared words, words weighted by their rarity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.arrays import Float32Array, IntArray
from core.pairs.features.handcrafted import CHARACTERS, documents, reads
from core.pairs.features.overlap import dice, jaccard, overlap, word_vectors
from core.pairs.scorer import Formula, Need, PairContext, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.pairs.selection import Selection
from core.runtime import Runtime
from core.text.tokens import content, tokenize

if TYPE_CHECKING:
    from scipy import sparse

_NOTHING_LEFT = 1e-6
"""Length below which a projected headline is rounding noise and has no direction."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedLevenshtein:
    """Levenshtein ratios between texts."""

    texts: Sequence[str]

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        from rapidfuzz.process import cpdist

        first, second = ([self.texts[row] for row in rows.tolist()] for rows in (left, right))
        return _ratios(cpdist, first, second).reshape(len(left))

    def block(self, rows: slice, columns: slice) -> Float32Array:
        from rapidfuzz.process import cdist

        first, second = self.texts[rows], self.texts[columns]
        return _ratios(cdist, first, second, workers=-1).reshape(len(first), len(second))


def _ratios(
    distances: Callable[..., Any], first: Sequence[str], second: Sequence[str], **options: Any
) -> Float32Array:
    from rapidfuzz.distance import Indel

    found = distances(first, second, scorer=Indel.normalized_similarity, dtype=np.float32, **options)
    return np.asarray(found, dtype=np.float32)


@pair_scorers.register("levenshtein.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Levenshtein(PairScorer):
    """Levenshtein ratio at character level; the lexical baseline of the HLGD paper.

    1 - distance / (both lengths added), where a replaced character costs 2: `Levenshtein.ratio`. Two
    empty texts have the ratio 1.

    Source: HLGD (Laban et al. 2021), eq. 1.
    """

    summary: ClassVar[str] = "How many characters two headlines share in the same order"
    threshold: ClassVar[float] = 0.40
    part: ClassVar[str] = "shared characters in order"

    case_sensitive: bool = field(default=True, metadata={"help": "treat A and a as different"})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        texts = context.texts if self.case_sensitive else [text.casefold() for text in context.texts]
        return PreparedLevenshtein(list(texts))


@pair_scorers.register("char_overlap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CharOverlap(PairScorer):
    """Dice coefficient of the headlines' sets of character trigrams.

    Twice the trigrams in common over those of both added; 0 where neither has any. Case and the amount
    of white space are ignored. A headline shorter than a trigram is one piece of its own.

    Source: Dice (1945), "Measures of the Amount of Ecologic Association Between Species".
    """

    summary: ClassVar[str] = "How many runs of three characters two headlines have in common"
    threshold: ClassVar[float] = 0.16
    part: ClassVar[str] = "shared runs of characters"

    size: int = field(default=3, metadata={"help": "characters in a run", "low": 1, "high": 10})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return Formula(overlap((self._runs(text) for text in context.texts), dice).score)

    def _runs(self, text: str) -> frozenset[str]:
        plain = " ".join(text.casefold().split())
        if not plain:
            return frozenset()
        last = max(len(plain) - self.size, 0)
        return frozenset(plain[start : start + self.size] for start in range(last + 1))


@pair_scorers.register("token_overlap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TokenOverlap(PairScorer):
    """Jaccard coefficient of the headlines' sets of words.

    Words that either headline has that both have; 0 where neither has a word. Words count in their light
    normal form, so that "returns" meets "returned".

    Source: Jaccard (1912), "The Distribution of the Flora in the Alpine Zone".
    """

    summary: ClassVar[str] = "The share of their words that two headlines have in common"
    threshold: ClassVar[float] = 0.07
    part: ClassVar[str] = "shared words"

    function_words: bool = field(default=False, metadata={"help": "count words such as the, of and is, too"})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        read = tokenize if self.function_words else lambda text: content(tokenize(text))
        words = (frozenset(token.form for token in read(text)) for text in context.texts)
        return Formula(overlap(words, jaccard).score)


@pair_scorers.register("tfidf.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Tfidf(PairScorer):
    """Cosine of TF-IDF vectors, fitted in the timeline; words that are common in it count for less.

    See `core.pairs.features.families`. 0 where either headline has no content word.

    Source: Salton and Buckley (1988), "Term-weighting approaches in automatic text retrieval".
    """

    summary: ClassVar[str] = "Shared words, weighted by how rare they are in the timeline"
    threshold: ClassVar[float] = 0.04
    part: ClassVar[str] = "shared words"

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return _sparse_cosine(word_vectors(context.texts))


@pair_scorers.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LsaCosine(PairScorer):
    """Cosine after a truncated singular value decomposition of the timeline's TF-IDF matrix.

    Words that occur together in the timeline stand for each other. Negative cosines count as 0, and so
    does a headline of which no kept dimension tells anything. Where
    the timeline has no more headlines or words than dimensions, nothing is cut off, and the cosines are
    those of TF-IDF. Where singular values are equal at the cut, which of them is kept is arbitrary.

    Source: Deerwester et al. (1990), "Indexing by latent semantic analysis".
    """

    summary: ClassVar[str] = "Shared topics: words that occur together in the timeline stand for each other"
    threshold: ClassVar[float] = 0.17
    part: ClassVar[str] = "shared topics"

    dimensions: int = field(
        default=100, metadata={"help": "topics that are kept of the timeline", "low": 1, "high": 2_000}
    )
    characters: int = field(default=0, metadata=CHARACTERS)

    @property
    def needs(self) -> frozenset[Need]:
        return reads(self.characters)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        words = word_vectors(documents(context, self.characters))
        if self.dimensions >= min(words.shape):
            return _sparse_cosine(words)
        from scipy.sparse.linalg import svds

        start = np.random.default_rng(runtime.seed).normal(size=min(words.shape))
        left, values, _ = svds(words.astype(np.float64), k=self.dimensions, v0=start)
        rows = left * values
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.where(lengths > _NOTHING_LEFT, rows / np.maximum(lengths, _NOTHING_LEFT), 0)
        return Formula(cosine(unit.astype(np.float32)))


def _sparse_cosine(words: sparse.csr_matrix) -> Formula:
    def score(at: Selection) -> Float32Array:
        shared = at.shared(words, words)
        return np.clip(shared, 0.0, 1.0, out=shared)

    return Formula(score)
