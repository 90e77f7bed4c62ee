"""What an encoder is, the list of all of them, and which one a language gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

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


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known of an encoder without loading it.

    Attributes:
        fingerprint: Changes when the weights change.
        dimensions: Length of a vector.
    """

    fingerprint: str
    dimensions: int


class EncoderRecipe(Protocol):
    """How to load an encoder: a frozen dataclass."""

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights.files`.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """
        ...

    def identify(self) -> Identity:
        """Its weights and its width, in milliseconds and without importing torch.

        Raises:
            ModelUnavailableError: Its weights are not on this machine.
        """
        ...

    def build(self, runtime: Runtime) -> Encoder:
        """Loads it.

        Raises:
            ModelUnavailableError: Its weights are not on this machine.
        """
        ...


encoders: Registry[EncoderRecipe] = Registry("encoder", "core.models.encoders")


AUTOMATIC: Final = "auto"
"""The encoder that fits the language of the timeline."""


def default_encoder(language: str) -> str:
    """The qualified name of the default encoder for a language.

    Args:
        language: ISO 639-1 code of the timeline, or "mixed".
    """
    return "minilm.v1" if language == "en" else "use_multilingual.v1"
