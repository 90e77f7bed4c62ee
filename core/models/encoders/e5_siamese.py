"""The encoder e5-small trained so that headlines of one event lie together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.encoders import e5_file, network_encoder
from core.models.encoders.e5_small import CENTRE, centred, open_e5
from core.models.encoders.encoder import Encoder, KnownEncoder, encoders
from core.models.networks.precision import half_or_whole
from core.models.weights import load_state, locate, shipped_or_own
from core.registry import told
from core.runtime import Runtime
from core.tensor_files import read_arrays

if TYPE_CHECKING:
    from torch import Tensor

TRAINED: Final = "model.safetensors"
SCALE: Final = 2.0  # factor of the low-rank updates
PARTS: Final = ("up.weight", "up.bias", "down.weight", "down.bias")


@encoders.register("e5_siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class E5Siamese(KnownEncoder):
    """multilingual-e5-small, trained so that headlines of one event lie together; a hundred languages.

    Source: Dialogue 2021 (Gusev and Smurov), SBERT with a contrastive loss; Chen et al. 2018, "Enhancing
    Sentence Embedding with Generalized Pooling". models/e5_siamese/README.md says what it learned from.
    """

    known: ClassVar[str] = "e5_small"
    numbers = staticmethod(half_or_whole)

    model: str = told("e5_siamese", "a trained model: a name under models/, or a folder")

    @property
    def weights(self) -> tuple[Path, ...]:
        return locate(self.known) / e5_file.FILE, CENTRE, self.folder

    @property
    def folder(self) -> Path:
        trained = shipped_or_own(self.model, TRAINED)
        if trained is None:
            message = f"There is no trained encoder {self.model!r}."
            raise ModelUnavailableError(message, hint=f"Give a folder with `{TRAINED}`.")
        return trained

    def build(self, runtime: Runtime) -> Encoder:
        return trained_encoder(load_state(self.folder), runtime)


def trained_encoder(own: dict[str, Tensor], runtime: Runtime) -> network_encoder.NetworkEncoder:
    """The encoder with low-rank updates by transformers' names, and what `pool` reads as `pooling.NAME`."""
    import torch

    pooling = {name: part.float() for name, part in own.items() if name.startswith("pooling.")}
    updates = {name: part for name, part in own.items() if name not in pooling}
    if not updates or {f"pooling.{name}" for name in PARTS} != pooling.keys():
        message = "The weights are not those of a trained e5-small encoder."
        raise ModelUnavailableError(message, hint="Copy the model again.")
    bert, encoder = open_e5(runtime, updates, scale=SCALE)
    mean, languages = read_arrays(CENTRE, "mean", "languages")
    moved = {name.removeprefix("pooling."): part.to(runtime.device) for name, part in pooling.items()}

    def embed(ids: IntArray, lengths: IntArray) -> Float32Array:
        with torch.inference_mode():
            hidden = bert.hidden(ids, lengths).float()
            present = torch.from_numpy(np.arange(ids.shape[1])[None, :] < lengths[:, None])
            vectors = pool(hidden, present.to(hidden.device), moved).cpu().numpy()
        return centred(vectors, mean, languages)

    return replace(encoder, embed=embed)


def pool(hidden: Tensor, present: Tensor, parts: dict[str, Tensor]) -> Tensor:
    """Unit vectors, float32 [b, d]: each head weighs each dimension of each token; the mean over heads."""
    import torch
    import torch.nn.functional as F  # noqa: N812

    heads = len(parts["down.bias"])
    raised = F.relu(F.linear(hidden, parts["up.weight"], parts["up.bias"]))
    raised = raised.view(*hidden.shape[:2], heads, -1)
    weights = torch.einsum("bthw,hdw->bthd", raised, parts["down.weight"]) + parts["down.bias"]
    weights = weights.masked_fill(~present[:, :, None, None], float("-inf")).softmax(dim=1).mean(dim=2)
    return F.normalize((weights * hidden).sum(dim=1), dim=1)
