"""BERTScore on a named encoder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.files import read_tables
from core.headlines.metrics import Column, MetricInput, contextual, headline_metrics

if TYPE_CHECKING:
    from core.models.networks.pretrained import TokenStates

LAYERS: Final[dict[str, int]] = read_tables(__file__)
"""The layer that bert-score 0.3.13 takes of each model."""
_OWNERS: Final = ("facebookai/", "google-bert/", "distilbert/")


@headline_metrics.register("bert_score.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class BertScore(contextual.ContextualMetric):
    """How well each token of the headline is matched by one of a reference, and the reverse.

    Cosines of token vectors in context, the best match of each token, averaged. Precision asks whether the
    headline's tokens are in the reference, recall whether the reference's are in the headline; of several
    references the best counts, for each column by itself. Never rescaled with a baseline: values lie in a
    narrow band that differs from encoder to encoder.

    Source: Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT".
    """

    summary: ClassVar[str] = "Likeness of words in context to people's headlines, on a named encoder"
    rank: ClassVar[int] = 5
    step: ClassVar[str] = "BERTScore"

    layer: int = field(
        default=0,
        metadata={"help": "which layer's vectors; 0 for bert-score's choice, else the last", "low": 0},
    )
    idf: bool = field(
        default=False, metadata={"help": "rare tokens of the references weigh more", "label": "IDF weights"}
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        end, model = contextual.name_part(self.encoder), contextual.title(self.encoder)
        return tuple(
            Column(
                f"bert_score_{short}_{end}",
                f"BERTScore {word} ({model})",
                f"{meaning}, cosine of token vectors of {model}, not rescaled",
                True,
                low=-1.0,
            )
            for short, word, meaning in (
                ("p", "precision", "the headline's tokens against the reference's"),
                ("r", "recall", "the reference's tokens against the headline's"),
                ("f1", "F1", "harmonic mean of precision and recall"),
            )
        )

    def signature_text(self, written: MetricInput | None = None) -> str:
        weighting = "idf of the references" if self.idf else "no idf"
        model = contextual.described(self.encoder, self.used_layer)
        how = "not rescaled, maximum over references, as bert-score 0.3.13"
        return f"BERTScore, {model}, float32, {weighting}, {how}"

    @property
    def used_layer(self) -> int:
        bare = self.encoder.lower()
        for owner in _OWNERS:
            bare = bare.removeprefix(owner)
        return self.layer or LAYERS.get(bare, 0)

    def comparing(
        self, encoder: TokenStates, headlines: Sequence[str], references: Sequence[str]
    ) -> Callable[[contextual.Pair], FloatArray]:
        weights: contextual.Weights = defaultdict(lambda: 1.0, dict.fromkeys(encoder.framing, 0.0))
        if self.idf:
            weights = contextual.document_frequencies(encoder, references)
        return lambda pair: match(pair, weights)


def match(pair: contextual.Pair, weights: contextual.Weights) -> FloatArray:
    """Precision, recall and F1 of two texts, float64 [3]: 0 without tokens, NaN where none weighs."""
    ours, our_vectors, theirs, their_vectors = pair
    if all(word is None for word in ours.words):
        return np.zeros(3)
    likeness = np.clip(our_vectors @ their_vectors.T, -1.0, 1.0)
    precision = _weighted(likeness.max(axis=1), [weights[key] for key in ours.ids])
    recall = _weighted(likeness.max(axis=0), [weights[key] for key in theirs.ids])
    both = precision + recall
    return np.array([precision, recall, 2 * precision * recall / both if both else 0.0])


def _weighted(values: np.ndarray[tuple[int], np.dtype[np.float32]], weights: list[float]) -> float:
    return float(np.average(values, weights=weights)) if sum(weights) else float("nan")
