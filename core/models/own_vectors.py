"""Vectors that somebody brought, as the encoder of the texts that they are of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import Float32Array
from core.digests import digest
from core.errors import InputError
from core.models.encoders.encoder import Encoder, EncoderRecipe, encoders
from core.registry import number, told
from core.runtime import Runtime

MOST_DIMENSIONS: Final = 16_384
_MOST: Final = 8  # files whose vectors a process holds: those that came last
_GIVEN: Final[dict[EncoderRecipe, Mapping[str, Float32Array]]] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnVectors(EncoderRecipe):
    """Vectors of one's own, from a file; a text that has none there cannot be encoded."""

    brought: ClassVar[bool] = True  # no list offers it

    file: str = told("", "digest of the file")
    given_to: str = told("", "digest of the texts, each with its vector")
    width: int = number(1, 1, MOST_DIMENSIONS, "numbers of a vector")

    @property
    def weights(self) -> tuple[Path, ...]:
        return ()

    @property
    def dimensions(self) -> int:
        return self.width

    def build(self, runtime: Runtime) -> Encoder:
        return self

    def encode(self, texts: Sequence[str]) -> Float32Array:
        vectors = _GIVEN.get(self, {})
        for text in texts:
            if text not in vectors:
                message = f"The file of vectors has none for {text[:100]!r}."
                raise InputError(message, hint="Give a file with one for every headline (--vectors).")
        made = [vectors[text] for text in texts]
        return np.array(made, dtype=np.float32).reshape(len(texts), self.width)


def own_encoder(vectors: Mapping[str, Float32Array], file: str, width: int) -> str:
    """The signature by which this process finds the vectors, of unit length, from a file of a digest."""
    # Only from now on: without a file it is no method that a list could offer.
    encoders.register("own_vectors.v1")(OwnVectors)
    held = digest(*vectors, sha256(np.array(list(vectors.values())).tobytes()).hexdigest(), digits=16)
    recipe = OwnVectors(file=file, given_to=held, width=width)
    _GIVEN[recipe] = vectors
    for oldest in list(_GIVEN)[:-_MOST]:
        del _GIVEN[oldest]
    return encoders.signature(recipe)
