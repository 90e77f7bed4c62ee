"""MoverScore on a named encoder."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.extras import extras
from core.headlines.metrics import Column, MetricInput, contextual, headline_metrics

if TYPE_CHECKING:
    from core.models.networks.pretrained import Tokens, TokenStates

_PUNCTUATION: Final = frozenset(string.punctuation)
_SPACE: Final = "Ġ▁"  # how byte-level and SentencePiece vocabularies write a space before a token


@headline_metrics.register("mover_score.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MoverScore(contextual.ContextualMetric):
    """One over one plus the word mover's distance between headline and reference, single words.

    Each word is the vector of its first token in context; punctuation is left out; a rare word weighs more,
    counted among the headlines and among the references. The distance is the least cost of carrying the
    headline's weights to the reference's, a step costing the Euclidean distance of unit vectors. Of several
    references the best counts. Weights depend on the other headlines of the file.

    Source: Zhao et al. 2019, "MoverScore: Text Generation Evaluating with Contextualized Embeddings and Earth
    Mover Distance"; steps and formula as the authors' second script (`moverscore_v2`, n-grams of one word).
    """

    summary: ClassVar[str] = "Least way from the headline's words to people's, on a named encoder"
    rank: ClassVar[int] = 6
    step: ClassVar[str] = "MoverScore"

    idf: bool = field(
        default=True, metadata={"help": "rare words weigh more; else all the same", "label": "IDF weights"}
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        model = contextual.title(self.encoder)
        name = f"mover_score_{contextual.name_part(self.encoder)}"
        said = f"1 / (1 + word mover's distance) over token vectors of {model}"
        return (Column(name, f"MoverScore ({model})", said, True),)

    def signature_text(self, written: MetricInput | None = None) -> str:
        weighting = "idf of headlines and of references" if self.idf else "no idf"
        return (
            f"MoverScore-1, {contextual.described(self.encoder, self.layer)}, float32, {weighting}, "
            f"1 / (1 + distance), maximum over references, POT {version('POT')}"
        )

    def comparing(
        self, encoder: TokenStates, headlines: Sequence[str], references: Sequence[str]
    ) -> Callable[[contextual.Pair], float]:
        ours: contextual.Weights = {}
        theirs: contextual.Weights = {}
        if self.idf:
            ours = contextual.document_frequencies(encoder, headlines)
            theirs = contextual.document_frequencies(encoder, references)
        return lambda pair: likeness(pair, ours, theirs)


def likeness(pair: contextual.Pair, ours: contextual.Weights, theirs: contextual.Weights) -> float:
    """1 / (1 + distance) of two texts, 1/3 to 1; 0 for a headline without words, NaN for such a reference."""
    headline, headline_vectors, reference, reference_vectors = pair
    left, right = _word_weights(headline, ours), _word_weights(reference, theirs)
    if not right.any():
        return float("nan")
    if not left.any():
        return 0.0
    apart = np.sqrt(np.maximum(2 - 2 * (headline_vectors @ reference_vectors.T).astype(np.float64), 0.0))
    return 1 / (1 + distance(left, right, apart))


def distance(left: FloatArray, right: FloatArray, apart: FloatArray) -> float:
    """The least cost of carrying weights [a] to weights [b], neither all 0; a step costs `apart` [a, b]."""
    with extras():
        import ot

    here, there = np.flatnonzero(left), np.flatnonzero(right)
    cost = np.ascontiguousarray(apart[np.ix_(here, there)])
    return float(ot.emd2(left[here] / left.sum(), right[there] / right.sum(), cost))


def _word_weights(tokens: Tokens, weights: Mapping[int, float]) -> FloatArray:
    before = (None, *tokens.words[:-1])
    starts = [
        word is not None and word != previous and piece.lstrip(_SPACE) not in _PUNCTUATION
        for word, previous, piece in zip(tokens.words, before, tokens.pieces, strict=True)
    ]
    even = np.array(starts, dtype=np.float64)
    if not weights:
        return even
    weighed: FloatArray = even * np.array([weights[key] for key in tokens.ids])
    return weighed if weighed.any() else even
