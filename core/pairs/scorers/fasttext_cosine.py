"""FastText and Text2Title: two baselines of Dialogue 2021 on word vectors that are trained on the spot."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core import files
from core.arrays import Float32Array
from core.errors import ModelUnavailableError
from core.maps.direct_layout import unit_rows
from core.pairs.features.text2title import CHARACTERS, documents, linear_map, reads
from core.pairs.scorer import Formula, Need, PairContext, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.runtime import Runtime
from core.text.tokens import tokenize

_RARE: Final = 2
"""A word that occurs less often in the texts gets no vector of its own, only those of its letters."""
_BUCKETS: Final = 200_000
_DIMENSIONS: Final = {"help": "length of a word's vector", "low": 2, "high": 1_000}
_EPOCHS: Final = {"help": "times that the texts are read", "low": 1, "high": 1_000}


@pair_scorers.register("fasttext.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FastText(PairScorer):
    """Cosine of texts as FastText sees them: average, maximum and minimum of the words' vectors.

    The vectors are trained on the timeline's own texts, by skip-grams over words and their letters.
    Negative cosines count as 0.

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

    Vectors and map are trained on the timeline's own articles; see `linear_map`. Negative cosines count
    as 0.

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
    try:
        import floret
    except ImportError as error:
        raise ModelUnavailableError(
            "The library floret is not installed.",
            hint="Run `pip install floret==0.10.5` with Python 3.12 or older: newer ones have no build.",
        ) from error
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
