"""The claim model as it is trained: an encoder with low-rank updates, and the head that tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import ModelUnavailableError
from core.models.networks.batches import padded
from core.models.networks.low_rank import LowRank
from core.models.weights import load_state
from core.numerals.entailing.question import CLASSES
from core.numerals.entailing.tokens import WEIGHTS, ClaimRow, ClaimTokenizer

ALPHA: Final = 2.0
"""The encoder's low-rank updates are scaled by this (alpha / rank)."""
FROZEN: Final = 2
"""Layers at the bottom that stay as they are: a quarter of a step is saved."""
WIDTH: Final = 128
"""Units of the head's hidden layer; chosen small beside the encoder's 384."""


class ClaimHead(nn.Module):
    """Tells the classes from three vectors: the whole, the headline's number, the first source.

    Args:
        size: Length of the encoder's vectors.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.told = nn.Sequential(nn.Linear(4 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(CLASSES)))

    def forward(self, vectors: Tensor) -> Tensor:
        """Logits of `CLASSES`, [b, 7], from vectors of `ClaimRow.looked_at`, [b, 3, d]."""
        whole, headline, source = vectors.unbind(dim=1)
        logits: Tensor = self.told(torch.cat([whole, headline, source, headline * source], dim=1))
        return logits


class ClaimNetwork(nn.Module):
    """Encoder and head.

    Args:
        folder: A BERT in the transformers format.
        rank: Width of the low-rank updates of the linear layers.
        seed: Of the new weights.
        half: Compute the encoder in bfloat16; what is trained stays in float32.
    """

    def __init__(self, folder: Path, *, rank: int, seed: int, half: bool = False) -> None:
        super().__init__()
        from core.models.networks.pretrained import load_pretrained

        generator = torch.Generator().manual_seed(seed)
        self.encoder: Any = load_pretrained(folder, device="cpu", half=half).model
        # Backward through PyTorch's fused attention takes a third of a step on a CPU.
        self.encoder.set_attn_implementation("eager")
        for part in self.encoder.parameters():
            part.requires_grad_(False)
        for part in self.encoder.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        for layer in self.encoder.encoder.layer[FROZEN:]:
            _add_updates(layer, rank, generator)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.head = ClaimHead(int(self.encoder.config.hidden_size))
        self.tokenizer = ClaimTokenizer(folder)

    def forward(self, rows: Sequence[ClaimRow]) -> Tensor:
        """Logits of the classes, float32 [b, 7]."""
        ids, lengths = padded([row.ids.tolist() for row in rows], self.tokenizer.pad)
        device = next(self.head.parameters()).device
        places = torch.arange(ids.shape[1], device=device)[None, :]
        firsts = torch.tensor([row.first for row in rows], device=device)
        mask = places < torch.from_numpy(lengths).to(device)[:, None]
        hidden = self.encoder(
            input_ids=torch.from_numpy(ids).to(device),
            attention_mask=mask.long(),
            token_type_ids=(mask & (places >= firsts[:, None])).long(),
        ).last_hidden_state.float()
        looked_at = torch.from_numpy(np.array([row.looked_at for row in rows], dtype=np.int64)).to(device)
        vectors = hidden.gather(1, looked_at[:, :, None].expand(-1, -1, hidden.shape[2]))
        logits: Tensor = self.head(vectors)
        return logits

    def trained(self) -> dict[str, Tensor]:
        """What training changed, by the names that a model folder has."""
        kept = {name: part.detach() for name, part in self.named_parameters() if part.requires_grad}
        return {_shipped(name): part for name, part in kept.items()}

    def start_from(self, folder: Path) -> None:
        """Takes the weights of a trained model, to go on from them."""
        given = load_state(folder / WEIGHTS)
        own = {_shipped(name): part for name, part in self.named_parameters() if part.requires_grad}
        if {name: part.shape for name, part in own.items()} != {k: v.shape for k, v in given.items()}:
            raise ModelUnavailableError(
                f"The weights in {folder} are no claim model of this rank.", hint="Give the rank that it has."
            )
        with torch.no_grad():
            for name, part in own.items():
                part.copy_(given[name])


def _add_updates(layer: nn.Module, rank: int, generator: torch.Generator) -> None:
    for parent in list(layer.modules()):
        for name, part in list(parent.named_children()):
            if isinstance(part, nn.Linear):
                setattr(parent, name, LowRank(part, rank=rank, scale=ALPHA, generator=generator))


def _shipped(name: str) -> str:
    return f"{name}.weight" if name.endswith((".lora_A", ".lora_B")) else name
