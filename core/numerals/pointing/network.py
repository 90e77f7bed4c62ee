"""The network as it is trained: an encoder of transformers with low-rank updates, and the head.

Imports torch; the attacher imports it inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from core.models.networks.batches import padded
from core.numerals.pointing.head import ALPHA, PointerHead
from core.numerals.pointing.tokens import QuestionTokenizer, Row


class PointerNetwork(nn.Module):
    """Encoder and head.

    Args:
        folder: A BERT in the transformers format.
        rank: Width of the low-rank updates of all linear layers.
        seed: Of the new weights.
    """

    def __init__(self, folder: Path, *, rank: int, seed: int) -> None:
        super().__init__()
        from peft import LoraConfig, inject_adapter_in_model

        from core.models.networks.pretrained import load_pretrained

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.encoder: Any = load_pretrained(folder, device="cpu", half=False).model
            layers = [name for name, part in self.encoder.named_modules() if isinstance(part, nn.Linear)]
            wanted = [name for name in layers if "pooler" not in name]
            updates = LoraConfig(
                r=rank, lora_alpha=int(ALPHA * rank), lora_dropout=0.0, target_modules=wanted
            )
            inject_adapter_in_model(updates, self.encoder)
            self.head = PointerHead(int(self.encoder.config.hidden_size))
        for part in self.encoder.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        self.tokenizer = QuestionTokenizer(folder)
        for name, part in self.encoder.named_parameters():
            part.requires_grad_(".lora_" in name)

    def forward(self, rows: Sequence[Row]) -> list[tuple[Tensor, Tensor]]:
        """Scores of the numerals and logits of the ways, float32, for each row."""
        ids, lengths = padded([row.ids.tolist() for row in rows], self.tokenizer.pad)
        places = torch.arange(ids.shape[1])[None, :]
        firsts = torch.tensor([row.first for row in rows])
        mask = places < torch.from_numpy(lengths)[:, None]
        hidden = self.encoder(
            input_ids=torch.from_numpy(ids),
            attention_mask=mask.long(),
            token_type_ids=(mask & (places >= firsts[:, None])).long(),
        ).last_hidden_state.float()
        return [
            self.head(hidden[at], row.blank, torch.from_numpy(row.starts), torch.from_numpy(row.ends))
            for at, row in enumerate(rows)
        ]

    def trained(self) -> dict[str, Tensor]:
        """What training changed, by the names that a model folder has."""
        kept = {name: part.detach() for name, part in self.named_parameters() if part.requires_grad}
        return {name.replace(".default.weight", ".weight"): part for name, part in kept.items()}
