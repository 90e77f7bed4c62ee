"""Cosines of word vectors that FastText learns from the timeline, as they are or mapped to headlines."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core import files
from core.arrays import Float32Array, IntArray
from core.extras import extras
from core.maps.direct_layout import unit_rows
from core.pairs.context import PairContext
from core.pairs.features.documents import CHARACTERS, documents, reads
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.runtime import Runtime
from core.text.tokens import tokenize

_RARE: Final = 2  # a rarer word in the texts gets no vector of its own, only those of its letters
_BUCKETS: Final = 200_000
_DIMENSIONS: Final = {"help": "length of a word's vector", "low": 2, "high": 1_000}
_EPOCHS: Final = {"help": "times that the texts are read", "low": 1, "high": 1_000}
_MARGIN: Final = 0.3
_RATE: Final = 3e-3
_STEPS: Final = 500
_BATCH: Final = 256
_NEAREST: Final = 10  # the wrong article of a triple is drawn from so many that are nearest to the right one
_ROWS_AT_ONCE: Final = 1_024


@pair_scorers.register("fasttext.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FastText(PairScorer):
    """Cosine of texts as FastText sees them: average, maximum and minimum of the words' vectors.

    Trained on the timeline's own texts, by skip-grams over words and letters; negative cosines count as 0.

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
        words = _word_vectors(texts, self.dimensions, self.epochs)
        return Formula(cosine(unit_rows(_pooled(texts, words, self.dimensions))))


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
        words = _word_vectors(texts, self.dimensions, self.epochs)
        sides = [unit_rows(_pooled(some, words, self.dimensions)) for some in (titles, articles, texts)]
        learned = linear_map(sides[0], sides[1], runtime)
        return Formula(cosine(unit_rows(sides[2] @ learned)))


def linear_map(titles: Float32Array, articles: Float32Array, runtime: Runtime) -> Float32Array:
    """A square matrix that minimises max(0, margin - cos(tW, aW) + cos(tW, a'W)) over near wrong a'."""
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


def _pooled(texts: Sequence[str], vectors: dict[str, Float32Array], dimensions: int) -> Float32Array:
    pooled = np.zeros((len(texts), 3 * dimensions), dtype=np.float32)
    for row, text in enumerate(texts):
        if words := _words(text):
            each = np.stack([vectors[word] for word in words])
            pooled[row] = np.concatenate([each.mean(0), each.max(0), each.min(0)])
    return pooled


def _word_vectors(texts: Sequence[str], dimensions: int, epochs: int) -> dict[str, Float32Array]:
    with extras():
        import floret
    words = [_words(text) for text in sorted(set(texts))]
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
