"""BERTScore on a named encoder."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.headlines.metrics.averages import MeanMetric, given_references, mean_statistics
from core.headlines.metrics.contextual import (
    Pair,
    Weights,
    check,
    described,
    document_frequencies,
    layer_of,
    name_part,
    open_encoder,
    score_pairs,
    title,
)
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.models.weights import locate
from core.runtime import Runtime

STEP: Final = "BERTScore"


@headline_metrics.register("bert_score.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class BertScore(MeanMetric):
    """How well each token of the headline is matched by one of a reference, and the reverse.

    Cosines of token vectors in context, the best match of each token, averaged. Precision asks whether the
    headline's tokens are in the reference, recall whether the reference's are in the headline; of several
    references the best counts, for each column by itself. Never rescaled with a baseline: values lie in a
    narrow band that differs from encoder to encoder.

    Source: Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT".
    """

    summary: ClassVar[str] = "Likeness of words in context to people's headlines, on a named encoder"
    compared_with: ClassVar[str] = "references"

    encoder: str = field(
        default="minilm", metadata={"help": "a model's name, a folder or a hub id such as roberta-large"}
    )
    layer: int = field(
        default=0,
        metadata={"help": "which layer's vectors; 0 for bert-score's choice, else the last", "low": 0},
    )
    idf: bool = field(
        default=False, metadata={"help": "rare tokens of the references weigh more", "label": "IDF weights"}
    )

    def __post_init__(self) -> None:
        """Checks what cannot be checked by type; see `check`."""
        check(self.encoder, self.layer)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Precision, recall and F1; every name and label says which encoder computed it."""
        end, model = name_part(self.encoder), title(self.encoder)
        return tuple(
            Column(
                name=f"bert_score_{short}_{end}",
                label=f"BERTScore {word} ({model})",
                help=f"{meaning}, cosine of token vectors of {model}, not rescaled",
                higher_is_better=True,
                low=-1.0,
            )
            for short, word, meaning in (
                ("p", "precision", "the headline's tokens against the reference's"),
                ("r", "recall", "the reference's tokens against the headline's"),
                ("f1", "F1", "harmonic mean of precision and recall"),
            )
        )

    @property
    def weights(self) -> tuple[Path, ...]:
        """The encoder's folder; see `core.models.weights.taking_part`."""
        return (locate(self.encoder),)

    def signature_text(self, written: Written | None = None) -> str:
        """Encoder, weights, layer and weighting."""
        weighting = "idf of the references" if self.idf else "no idf"
        model = described(self.encoder, layer_of(self.encoder, self.layer))
        return (
            f"BERTScore, {model}, float32, {weighting}, not rescaled, maximum over references, "
            "as bert-score 0.3.13"
        )

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether each column is defined, and precision, recall, F1, float64 [n, 6].

        Raises:
            Cancelled: The runtime's stop was set.
            ModelUnavailableError: The encoder is not on this machine, or is no encoder.
        """
        found = np.full((len(written.headlines), 3), np.nan)
        references = [one for given in given_references(written) for one in given]
        if references:
            opened = open_encoder(self.encoder, layer_of(self.encoder, self.layer), runtime)
            weights: Weights = defaultdict(lambda: 1.0, dict.fromkeys(opened.framing, 0.0))
            if self.idf:
                weights = document_frequencies(opened, references)

            def keep(row: int, pair: Pair) -> None:
                found[row] = np.fmax(found[row], match(pair, weights))

            score_pairs(opened, written, runtime, keep, step=STEP)
        return mean_statistics(found)


def match(pair: Pair, weights: Weights) -> FloatArray:
    """Precision, recall and F1 of a headline and a reference, float64 [3].

    Zeros for a headline without tokens, as in bert-score; NaN where all tokens of one weigh nothing.
    """
    ours, our_vectors, theirs, their_vectors = pair
    if all(word is None for word in ours.words):
        return np.zeros(3)
    likeness = np.clip(our_vectors @ their_vectors.T, -1.0, 1.0)
    precision = _weighted(likeness.max(axis=1), [weights[one] for one in ours.ids])
    recall = _weighted(likeness.max(axis=0), [weights[one] for one in theirs.ids])
    both = precision + recall
    return np.array([precision, recall, 2 * precision * recall / both if both else 0.0])


def _weighted(values: np.ndarray[tuple[int], np.dtype[np.float32]], weights: list[float]) -> float:
    return float(np.average(values, weights=weights)) if sum(weights) else float("nan")
