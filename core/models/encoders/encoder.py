"""What an encoder is, the list of all of them, and which one a language gets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core.models.weights import card, fingerprint, locate
from core.registry import Registry
from core.runtime import Runtime
from core.similarities import Float32Array


class Encoder(Protocol):
    """A loaded model that turns texts into vectors."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

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
        """Files and folders that it reads; see `core.models.weights.files`.

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
    """Name in `core.models.weights.cards`."""

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
    return "minilm.v1" if language == "en" else "use_multilingual.v1"
