"""Baselines: characters, words and topics in common, and days between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.features.documents import CHARACTERS, documents, reads
from core.pairs.features.overlap import dice, jaccard, overlap
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, ScorePart, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.pairs.selection import Selection
from core.registry import number
from core.runtime import Runtime
from core.statistics.logistic import fit_logistic, logistic
from core.text.tokens import content, tokenize
from core.text.word_vectors import word_vectors

if TYPE_CHECKING:
    from scipy import sparse


_NOTHING_LEFT = 1e-6  # length below which a projected headline is rounding noise and has no direction
STEEPEST = 100.0  # of slope and intercept: they stay finite where labels part the pairs
FEWEST = 5  # training pairs of each label without which the curve is not fitted


@dataclass(frozen=True, slots=True, eq=False)
class PreparedLevenshtein:
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

    ratios = distances(first, second, scorer=Indel.normalized_similarity, dtype=np.float32, **options)
    return np.asarray(ratios, dtype=np.float32)


@pair_scorers.register("levenshtein.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Levenshtein(PairScorer):
    """Levenshtein ratio at character level; the lexical baseline of the HLGD paper.

    1 - distance / (both lengths added), where a replaced character costs 2; 1 for two empty texts.

    Source: HLGD (Laban et al. 2021), eq. 1.
    """

    summary: ClassVar[str] = "How many characters two headlines share in the same order"
    threshold: ClassVar[float] = 0.40
    part: ClassVar[str] = "shared characters in order"

    case_sensitive: bool = field(default=True, metadata={"help": "treat A and a as different"})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return PreparedLevenshtein(
            [text if self.case_sensitive else text.casefold() for text in context.texts]
        )


@pair_scorers.register("char_overlap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CharOverlap(PairScorer):
    """Dice coefficient of the headlines' sets of character trigrams, without case and extra white space.

    A headline shorter than a trigram is one piece of its own.

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
    """Jaccard coefficient of the headlines' sets of words; 0 where neither has a word.

    Words count in their light normal form, so that "returns" meets "returned".

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

    See `word_vectors`. 0 where either headline has no content word.

    Source: Salton and Buckley (1988), "Term-weighting approaches in automatic text retrieval".
    """

    summary: ClassVar[str] = "Shared words, weighted by how rare they are in the timeline"
    threshold: ClassVar[float] = 0.04
    part: ClassVar[str] = "shared words"

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return _sparse_cosine(context.words)


@pair_scorers.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LsaCosine(PairScorer):
    """Cosine after a truncated singular value decomposition of the timeline's TF-IDF matrix.

    Words that occur together in the timeline stand for each other. Negative cosines count as 0, and so does a
    headline of which no kept dimension tells anything; with few headlines or words nothing is cut off.

    Source: Deerwester et al. (1990), "Indexing by latent semantic analysis".
    """

    summary: ClassVar[str] = "Shared topics: words that occur together in the timeline stand for each other"
    threshold: ClassVar[float] = 0.17
    part: ClassVar[str] = "shared topics"

    dimensions: int = number(100, 1, 2_000, "topics that are kept of the timeline")
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


@pair_scorers.register("time_only.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOnly(PairScorer):
    """Logistic regression on the whole days between two headlines; what they say is ignored.

    P(same event) = 1 / (1 + exp(-(intercept + slope x days))). Where grouping meets a headline without a
    date, its score with any other is 0: there is nothing that would join them.

    Source: HLGD (Laban et al. 2021), section 4, "Time only".
    """

    summary: ClassVar[str] = "How many days lie between two headlines, whatever they say"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DATES})
    threshold: ClassVar[float] = 0.25

    # Fitted on the train parts of UCI and AllSides with the delays of benchmarks/thresholds.py.
    intercept: float = number(-0.60, -STEEPEST, STEEPEST, "log-odds on the same day")
    slope: float = number(-1.15, -STEEPEST, 0.0, "change of the log-odds with each day between")

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        days = np.floor(context.days)

        def score(at: Selection) -> Float32Array:
            apart = np.abs(np.subtract(*at.sides(days)))
            scores = logistic(self.intercept + self.slope * apart).astype(np.float32)
            return np.nan_to_num(scores, copy=False, nan=0.0)

        return Formula(score)

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        apart = np.abs(np.floor(left) - np.floor(right))
        share = logistic(self.intercept + self.slope * apart) / logistic(np.array(self.intercept))
        return np.nan_to_num(share.astype(np.float32), nan=1.0)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        apart = abs(float(np.floor(context.days[left]) - np.floor(context.days[right])))
        if np.isnan(apart):
            return (ScorePart("a date is missing", score),)
        days = round(apart)
        return (
            ScorePart("the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart", score),
        )

    def variants(self, days_apart: FloatArray, labels: IntArray) -> Sequence[PairScorer]:
        dated = ~np.isnan(days_apart)
        same = int(labels[dated].sum())
        enough = min(same, int(dated.sum()) - same) >= FEWEST
        return (fit(days_apart[dated], labels[dated]) if enough else self,)


def fit(days_apart: npt.ArrayLike, labels: npt.ArrayLike) -> TimeOnly:
    """The scorer whose curve fits labelled pairs; of slope 0 where nearer pairs are not likelier the same."""
    apart = np.asarray(days_apart, dtype=np.float64)
    if np.isnan(apart).any():
        raise InputError("A pair lacks a date.", hint="Fit the curve on pairs with both dates.")
    # One softened pair years apart would outweigh hundreds of a few days.
    slope, intercept = fit_logistic(apart, labels, softened=False, slopes=(-STEEPEST, 0.0), furthest=STEEPEST)
    return TimeOnly(intercept=intercept, slope=slope)
