"""BERTScore and MoverScore on a named encoder."""

from __future__ import annotations

import math
import re
import string
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.errors import InputError, ModelUnavailableError
from core.extras import extras
from core.headlines.metrics import (
    Column,
    HeadlineMetric,
    MetricInput,
    given_references,
    headline_metrics,
    mean_statistics,
)
from core.models.cards import cards
from core.models.loaded import loaded
from core.models.model_settings import read_settings
from core.models.weights import fingerprint, folder_named, hub_allowed, locate, prepare_hub_libraries
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.models.networks.pretrained import Tokens, TokenStates

AT_ONCE: Final = 200  # headlines whose token vectors are held at once

LAYERS: Final[dict[str, int]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The layer that bert-score 0.3.13 takes of each model."""

_OWNERS: Final = ("facebookai/", "google-bert/", "distilbert/")

Weights = Mapping[int, float]
Pair = tuple["Tokens", Float32Array, "Tokens", Float32Array]  # of a headline and a reference
_PUNCTUATION: Final = frozenset(string.punctuation)
_SPACE: Final = "Ġ▁"  # how byte-level and SentencePiece vocabularies write a space before a token


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextualMetric(HeadlineMetric):
    """A metric over the vectors of words in context; of several references the best counts, by column."""

    needs: ClassVar = "references"
    quick: ClassVar[bool] = False

    encoder: str = field(
        default="minilm", metadata={"help": "a model's name, a folder or a hub id such as roberta-large"}
    )
    layer: int = field(default=0, metadata={"help": "which layer's vectors; 0 for the last", "low": 0})

    def __post_init__(self) -> None:
        if not self.encoder.strip() or "|" in self.encoder:
            raise InputError(
                "The encoder must be a model's name, a folder or a hub id, without '|'.", hint="Give minilm."
            )
        if self.layer < 0:
            raise InputError(
                f"The layer cannot be {self.layer}.", hint="Give 1 or more, or 0 for the usual one."
            )

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.encoder),)

    @property
    def used_layer(self) -> int:
        """The layer whose vectors are taken, 0 for the last."""
        return self.layer

    def comparing(
        self, encoder: TokenStates, headlines: Sequence[str], references: Sequence[str]
    ) -> Callable[[Pair], FloatArray | float]:
        raise NotImplementedError

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        values = np.full((len(written.headlines), len(self.columns)), np.nan)
        references = given_references(written)
        scored = [row for row, given in enumerate(references) if given]
        if not scored:
            return mean_statistics(values)
        folder = locate(self.encoder, allow_network=hub_allowed())
        encoder = _open(folder, fingerprint(folder), self.used_layer, runtime.device)
        compare = self.comparing(
            encoder,
            [written.headlines[row] for row in scored],
            [reference for row in scored for reference in references[row]],
        )
        quiet = runtime.quietly()
        for start in runtime.track(range(0, len(scored), AT_ONCE), self.step):
            some = scored[start : start + AT_ONCE]
            tokens = encoder.tokenise(
                [text for row in some for text in (written.headlines[row], *references[row])]
            )
            vectors = encoder.vectors(tokens, quiet, step=self.step)
            place = 0
            for row in some:
                for other in range(place + 1, place + 1 + len(references[row])):
                    pair = (tokens[place], vectors[place], tokens[other], vectors[other])
                    values[row] = np.fmax(values[row], compare(pair))
                place += 1 + len(references[row])
        return mean_statistics(values)


def title(encoder: str) -> str:
    """What people call the encoder, for labels: a folder is called one, whatever its name."""
    for card in cards():
        if card.name == encoder:
            return card.title
    path = folder_named(encoder)
    return f"folder {path.name}" if path.is_dir() else encoder


def name_part(encoder: str) -> str:
    """The encoder in lower-case letters, digits and underscores, for the names of columns."""
    last = folder_named(encoder).name if folder_named(encoder).is_dir() else encoder
    return re.sub(r"[^a-z0-9]+", "_", last.lower()).strip("_")


def described(encoder: str, layer: int) -> str:
    """Encoder, weights and layer (0 for the last) in words; missing weights are not told."""
    try:
        folder = locate(encoder)
        weights = f"weights:{fingerprint(folder)}"
        depths = map(read_settings(folder).get, ("num_hidden_layers", "n_layers", "n_layer"))
        number = layer or next((int(depth) for depth in depths if isinstance(depth, int)), 0)
    except ModelUnavailableError:
        weights, number = "weights not on this machine", layer
    return f"{title(encoder)} ({weights}), " + (f"layer {number}" if number else "last layer")


def document_frequencies(encoder: TokenStates, texts: Sequence[str]) -> Weights:
    """Inverse document frequency of every token id: ln((texts + 1) / (texts with it + 1)).

    Source: Zhang et al. 2020, section 3 (with plus-one smoothing); the same in MoverScore's script.
    """
    counts = Counter(key for tokens in encoder.tokenise(texts) for key in set(tokens.ids))
    n = len(texts)
    weights: dict[int, float] = defaultdict(lambda: math.log(n + 1))
    weights.update({token: math.log((n + 1) / (count + 1)) for token, count in counts.items()})
    return weights


@loaded(1)
def _open(folder: Path, _weights: str, layer: int, device: str) -> TokenStates:
    prepare_hub_libraries()
    from core.models.networks.pretrained import TokenStates

    return TokenStates(folder, layers=layer, device=device)


@headline_metrics.register("bert_score.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class BertScore(ContextualMetric):
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
        end, model = name_part(self.encoder), title(self.encoder)
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
        model = described(self.encoder, self.used_layer)
        return (
            f"BERTScore, {model}, float32, {weighting}, not rescaled, maximum over references, "
            "as bert-score 0.3.13"
        )

    @property
    def used_layer(self) -> int:
        bare = self.encoder.lower()
        for owner in _OWNERS:
            bare = bare.removeprefix(owner)
        return self.layer or LAYERS.get(bare, 0)

    def comparing(
        self, encoder: TokenStates, headlines: Sequence[str], references: Sequence[str]
    ) -> Callable[[Pair], FloatArray]:
        weights: Weights = defaultdict(lambda: 1.0, dict.fromkeys(encoder.framing, 0.0))
        if self.idf:
            weights = document_frequencies(encoder, references)
        return lambda pair: match(pair, weights)


def match(pair: Pair, weights: Weights) -> FloatArray:
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


@headline_metrics.register("mover_score.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MoverScore(ContextualMetric):
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
        model = title(self.encoder)
        return (
            Column(
                f"mover_score_{name_part(self.encoder)}",
                f"MoverScore ({model})",
                f"1 / (1 + word mover's distance) over token vectors of {model}",
                True,
            ),
        )

    def signature_text(self, written: MetricInput | None = None) -> str:
        weighting = "idf of headlines and of references" if self.idf else "no idf"
        return (
            f"MoverScore-1, {described(self.encoder, self.layer)}, float32, {weighting}, 1 / (1 + distance), "
            f"maximum over references, POT {version('POT')}"
        )

    def comparing(
        self, encoder: TokenStates, headlines: Sequence[str], references: Sequence[str]
    ) -> Callable[[Pair], float]:
        ours: Weights = {}
        theirs: Weights = {}
        if self.idf:
            ours = document_frequencies(encoder, headlines)
            theirs = document_frequencies(encoder, references)
        return lambda pair: likeness(pair, ours, theirs)


def likeness(pair: Pair, ours: Weights, theirs: Weights) -> float:
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
