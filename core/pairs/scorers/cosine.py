"""Cosines of vectors: of an encoder (headlines and whole texts), of static word pieces, and of FastText."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core import files
from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import ModelUnavailableError
from core.extras import extras
from core.maps.direct_layout import unit_rows
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.loaded import loaded
from core.models.weights import fingerprint, locate
from core.pairs.features.overlap import WordPieces
from core.pairs.scorer import (
    TAU_DAYS,
    WINDOW_DAYS,
    Formula,
    Need,
    PairContext,
    PairScorer,
    PreparedScorer,
    ScorePart,
    Selection,
    pair_scorers,
    require_vectors,
    tau_variants,
    time_factor,
    time_part,
)
from core.runtime import Runtime
from core.text.tokens import tokenize

WORDLLAMA = "wordllama"  # the package whose embeddings `static_embeddings` reads

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


@pair_scorers.register("siamese_pooled.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SiamesePooled(Cosine):
    """Cosine of `e5_siamese.v1`: a siamese network with global multihead pooling and a contrastive loss.

    Source: Dialogue 2021 (Gusev and Smurov), section 3, SBERT; there over a Russian BERT.
    """

    summary: ClassVar[str] = "How close two headlines are to a siamese network trained on pairs (SBERT)"
    encoder: ClassVar[str] = "e5_siamese.v1"
    threshold: ClassVar[float] = 0.54


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

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        return time_factor(left - right, self.tau_days)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], 0.0, 1.0))
        return (
            ScorePart("meaning", meaning),
            time_part(context.days[left] - context.days[right], self.tau_days),
        )

    def variants(self, days_apart: FloatArray, labels: IntArray) -> Sequence[PairScorer]:
        return tau_variants(self)


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
        raise ModelUnavailableError(
            "The package wordllama is installed, but its weights or word pieces cannot be read.",
            hint="Run `pip install --force-reinstall wordllama==0.4.0.post1`.",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordPieces(tokenizer), table


CHARACTERS: Final = {
    "help": "characters of each article that are read after its headline",
    "low": 0,
    "high": 20_000,
}


def documents(context: PairContext, characters: int) -> list[str]:
    """Each headline, followed by the first characters of its article."""
    if characters == 0:
        return list(context.texts)
    return [
        f"{text}. {body[:characters]}" if body else text
        for text, body in zip(context.texts, context.bodies or [""] * len(context), strict=True)
    ]


def reads(characters: int) -> frozenset[Need]:
    """Articles, if any of their characters are read."""
    return frozenset({Need.BODIES}) if characters else frozenset()


@pair_scorers.register("text_cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextCosine(PairScorer):
    """Cosine of the vectors of headline and article, negative values counted as 0; dates are ignored.

    Source: Gusev and Smurov 2021, section 3.2, there with the Universal Sentence Encoder.
    """

    summary: ClassVar[str] = "How close the meanings of two articles are, headline and beginning"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})
    threshold: ClassVar[float] = 0.54
    part: ClassVar[str] = "meaning of the article"

    encoder: str = field(default="e5_small.v1", metadata={"help": "the encoder: its name, or its signature"})
    characters: int = field(default=2_000, metadata={**CHARACTERS, "low": 1})

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    @property
    def inside(self) -> tuple[object, ...]:
        return (encoders.parse(self.encoder),)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        texts = documents(context, self.characters)
        return Formula(cosine(encode_cached(texts, encoders.parse(self.encoder), runtime)))


_RARE: Final = 2  # a rarer word in the texts gets no vector of its own, only those of its letters
_BUCKETS: Final = 200_000
_DIMENSIONS: Final = {"help": "length of a word's vector", "low": 2, "high": 1_000}
_EPOCHS: Final = {"help": "times that the texts are read", "low": 1, "high": 1_000}


@pair_scorers.register("fasttext.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FastText(PairScorer):
    """Cosine of texts as FastText sees them: average, maximum and minimum of the words' vectors.

    Trained on the timeline's own texts, by skip-grams over words and their letters; negative cosines count as
    0.

    Source: Gusev and Smurov 2021, section 3.2; Bojanowski et al. 2017.
    """

    summary: ClassVar[str] = "Words by their letters and neighbours in the timeline (FastText)"
    threshold: ClassVar[float] = 0.9
    part: ClassVar[str] = "words and letters"

    characters: int = field(default=0, metadata=CHARACTERS)
    dimensions: int = field(default=100, metadata=_DIMENSIONS)
    epochs: int = field(default=100, metadata=_EPOCHS)

    @property
    def needs(self) -> frozenset[Need]:
        return reads(self.characters)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        texts = documents(context, self.characters)
        return Formula(cosine(unit_rows(_pooled(texts, texts, self.dimensions, self.epochs))))


@pair_scorers.register("text2title.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Text2Title(PairScorer):
    """Cosine of FastText's vectors after one linear map that tells which headline an article has.

    Trained on the timeline's own articles; see `linear_map`. Negative cosines count as 0.

    Source: Gusev and Smurov 2021, section 3.2.
    """

    summary: ClassVar[str] = "Articles by a linear map that was trained to find their headlines (Text2Title)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})
    threshold: ClassVar[float] = 0.5
    part: ClassVar[str] = "subject of the article"

    characters: int = field(default=2_000, metadata={**CHARACTERS, "low": 1})
    dimensions: int = field(default=100, metadata=_DIMENSIONS)
    epochs: int = field(default=30, metadata=_EPOCHS)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        texts = documents(context, self.characters)
        # In an order of their own: the map must not depend on that of the rows.
        order = sorted(range(len(texts)), key=texts.__getitem__)
        titles = [context.texts[row] for row in order if context.bodies[row]]
        articles = [context.bodies[row][: self.characters] for row in order if context.bodies[row]]
        vectors = [
            unit_rows(_pooled(some, texts, self.dimensions, self.epochs))
            for some in (titles, articles, texts)
        ]
        learned = linear_map(vectors[0], vectors[1], runtime)
        return Formula(cosine(unit_rows(vectors[2] @ learned)))


_MARGIN: Final = 0.3
_RATE: Final = 3e-3
_STEPS: Final = 500
_BATCH: Final = 256
_NEAREST: Final = 10  # the wrong article of a triple is drawn from so many that are nearest to the right one
_ROWS_AT_ONCE: Final = 1_024


def linear_map(titles: Float32Array, articles: Float32Array, runtime: Runtime) -> Float32Array:
    """A square matrix, float32 [d, d], learned from n articles with their headlines; the identity for n < 2.

    Minimises max(0, margin - cos(tW, aW) + cos(tW, a'W)) over headlines t, articles a, and near wrong ones
    a'.
    """
    size = titles.shape[1]
    if len(titles) < 2:
        return np.eye(size, dtype=np.float32)
    import torch
    from torch.nn.functional import cosine_similarity

    near = _nearest(articles)
    rng = np.random.default_rng(runtime.seed)
    weights = torch.eye(size, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=_RATE)
    sides = [torch.from_numpy(side) for side in (titles, articles)]
    for _ in runtime.track(range(_STEPS), "Learning headlines of articles"):
        rows = rng.integers(len(titles), size=min(_BATCH, len(titles)))
        wrong = near[rows, rng.integers(near.shape[1], size=len(rows))]
        title, right, other = (side @ weights for side in (sides[0][rows], sides[1][rows], sides[1][wrong]))
        loss = _MARGIN - cosine_similarity(title, right) + cosine_similarity(title, other)
        optimizer.zero_grad()
        loss.clamp(min=0).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    learned: Float32Array = weights.detach().numpy()
    return learned


def _nearest(vectors: Float32Array) -> IntArray:
    count = min(_NEAREST, len(vectors) - 1)
    nearest = np.empty((len(vectors), count), dtype=np.int64)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        block = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -np.inf
        nearest[start : start + len(block)] = np.argpartition(-block, count - 1, axis=1)[:, :count]
    return nearest


def _pooled(texts: Sequence[str], trained_on: Sequence[str], dimensions: int, epochs: int) -> Float32Array:
    words = [_words(text) for text in texts]
    known = _word_vectors(tuple(sorted(set(trained_on))), dimensions, epochs)
    pooled = np.zeros((len(texts), 3 * dimensions), dtype=np.float32)
    for row, of_text in enumerate(words):
        if of_text:
            each = np.stack([known[word] for word in of_text])
            pooled[row] = np.concatenate([each.mean(0), each.max(0), each.min(0)])
    return pooled


@lru_cache(maxsize=2)
def _word_vectors(texts: tuple[str, ...], dimensions: int, epochs: int) -> dict[str, Float32Array]:
    with extras():
        import floret
    words = [_words(text) for text in texts]
    different, counts = np.unique([word for line in words for word in line], return_counts=True)
    if not len(different):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.txt"
        files.write(file, "".join(" ".join(line) + "\n" for line in words).encode())
        model = floret.train_unsupervised(
            str(file),
            dim=dimensions,
            epoch=epochs,
            minCount=_RARE if (counts >= _RARE).any() else 1,
            bucket=_BUCKETS,
            thread=1,
            verbose=0,
        )
    return {word: model.get_word_vector(word).astype(np.float32) for word in different.tolist()}


def _words(text: str) -> list[str]:
    return ["_".join(token.form.split()) for token in tokenize(text)]
