"""What BERTScore and MoverScore share: the encoder, its layer and name, and the pairs of texts."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.errors import InputError, ModelUnavailableError
from core.headlines.metrics.metric import HeadlineMetric, MetricInput, given_references, mean_statistics
from core.models.weights import (
    cards,
    fingerprint,
    folder_named,
    hub_allowed,
    locate,
    prepare_hub_libraries,
    read_settings,
)
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.models.networks.token_states import Tokens, TokenStates

AT_ONCE: Final = 200
"""Headlines whose token vectors are held at once."""

LAYERS: Final = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "distilroberta-base": 5,
    "distilbert-base-uncased": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge-mnli": 40,
    "microsoft/mpnet-base": 8,
}
"""The layer that bert-score 0.3.13 takes of each model, chosen by its authors on WMT16; facebookai's and
google-bert's names for the same models count as these."""

_OWNERS: Final = ("facebookai/", "google-bert/", "distilbert/")

Weights = Mapping[int, float]
Pair = tuple["Tokens", Float32Array, "Tokens", Float32Array]
"""Tokens and token vectors of a headline, then of a reference."""


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
        found = np.full((len(written.headlines), len(self.columns)), np.nan)
        references = given_references(written)
        scored = [row for row, given in enumerate(references) if given]
        if scored:
            opened = open_encoder(self.encoder, self.used_layer, runtime)
            compare = self.comparing(
                opened,
                [written.headlines[row] for row in scored],
                [one for row in scored for one in references[row]],
            )
            for row, pair in _pairs(opened, written, references, runtime, self.step):
                found[row] = np.fmax(found[row], compare(pair))
        return mean_statistics(found)


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


def layer_of(encoder: str, layer: int) -> int:
    """The layer asked for, or the one that bert-score takes of this model; 0 for the last."""
    bare = encoder.lower()
    for owner in _OWNERS:
        bare = bare.removeprefix(owner)
    return layer or LAYERS.get(bare, 0)


def described(encoder: str, layer: int) -> str:
    """Encoder, weights and layer (0 for the last) in words; missing weights are not told."""
    try:
        folder = locate(encoder)
        weights = f"weights:{fingerprint(folder)}"
        number = layer or _depth(folder)
    except ModelUnavailableError:
        weights, number = "weights not on this machine", layer
    return f"{title(encoder)} ({weights}), " + (f"layer {number}" if number else "last layer")


def open_encoder(encoder: str, layer: int, runtime: Runtime) -> TokenStates:
    """Loads the encoder up to a layer, 0 for the last; the last one loaded is remembered."""
    folder = locate(encoder, allow_network=hub_allowed())
    return _open(folder, fingerprint(folder), layer, runtime.device)


def _pairs(
    encoder: TokenStates,
    written: MetricInput,
    references: Sequence[Sequence[str]],
    runtime: Runtime,
    step: str,
) -> Iterator[tuple[int, Pair]]:
    scored = [row for row, given in enumerate(references) if given]
    quiet = runtime.quietly()
    for start in runtime.track(range(0, len(scored), AT_ONCE), step):
        some = scored[start : start + AT_ONCE]
        texts = [text for row in some for text in (written.headlines[row], *references[row])]
        tokens = encoder.tokenise(texts)
        vectors = encoder.vectors(tokens, quiet, step=step)
        place = 0
        for row in some:
            for other in range(place + 1, place + 1 + len(references[row])):
                yield row, (tokens[place], vectors[place], tokens[other], vectors[other])
            place += 1 + len(references[row])


def document_frequencies(encoder: TokenStates, texts: Sequence[str]) -> Weights:
    """Inverse document frequency of every token id: ln((texts + 1) / (texts with it + 1)).

    Source: Zhang et al. 2020, section 3 (with plus-one smoothing); the same in MoverScore's script.
    """
    counts = Counter(one for tokens in encoder.tokenise(texts) for one in set(tokens.ids))
    n = len(texts)
    weights: dict[int, float] = defaultdict(lambda: math.log(n + 1))
    weights.update({one: math.log((n + 1) / (count + 1)) for one, count in counts.items()})
    return weights


@lru_cache(maxsize=1)
def _open(folder: Path, _weights: str, layer: int, device: str) -> TokenStates:
    prepare_hub_libraries()
    from core.models.networks.token_states import TokenStates

    return TokenStates(folder, layers=layer, device=device)


def _depth(folder: Path) -> int:
    config = read_settings(folder)
    names = ("num_hidden_layers", "n_layers", "n_layer")
    return next((int(config[name]) for name in names if isinstance(config.get(name), int)), 0)
