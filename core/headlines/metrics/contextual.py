"""What metrics over the vectors of words in context share."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.errors import InputError, ModelUnavailableError
from core.headlines.metrics import HeadlineMetric, MetricInput, given_references, mean_statistics
from core.models.cards import cards
from core.models.loaded import loaded
from core.models.model_settings import read_settings
from core.models.weights import fingerprint, folder_named, hub_allowed, locate, prepare_hub_libraries
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.models.networks.pretrained import Tokens, TokenStates

AT_ONCE: Final = 200  # headlines whose token vectors are held at once
Weights = Mapping[int, float]
Pair = tuple["Tokens", Float32Array, "Tokens", Float32Array]  # of a headline and a reference


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
            message = "The encoder must be a model's name, a folder or a hub id, without '|'."
            raise InputError(message, hint="Give minilm.")
        if self.layer < 0:
            message = f"The layer cannot be {self.layer}."
            raise InputError(message, hint="Give 1 or more, or 0 for the usual one.")

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
        given = [reference for row in scored for reference in references[row]]
        compare = self.comparing(encoder, [written.headlines[row] for row in scored], given)
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
