"""The pointer network as it is trained: an encoder with low-rank updates, and the head that scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from core.models.networks.batches import padded
from core.numerals.attachment import WAYS
from core.numerals.pointing.tokens import QuestionRow, QuestionTokenizer

ALPHA: Final = 2.0
"""The encoder's low-rank updates are scaled by this (alpha / rank)."""
WIDTH: Final = 192
"""Units of the hidden layers; chosen small beside the encoder's 384."""


class PointerHead(nn.Module):
    """Scores each numeral by its own vector, the blank's and their product.

    Args:
        size: Length of the encoder's vectors.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.numeral = nn.Sequential(nn.Linear(3 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, 1))
        self.way = nn.Sequential(nn.Linear(size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(WAYS)))
        self.unseen = nn.Parameter(torch.zeros(1))
        """Score of a numeral beyond the tokens that are read."""

    def forward(self, hidden: Tensor, blank: int, starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of one question.

        Args:
            hidden: The encoder's vectors, [w, d].
            blank: Place of the mask.
            starts: First token of each numeral, int64 [n]; 0 where it was not read.
            ends: The token after its last, int64 [n].

        Returns:
            Scores of the numerals, [n], and logits of the ways, [7].
        """
        asked = hidden[blank]
        if not len(starts):
            return hidden.new_zeros(0), self.way(asked)
        # Differences of running sums are the sums of the numerals' tokens.
        sums = torch.cat([hidden.new_zeros(1, hidden.shape[1]), hidden.cumsum(dim=0)])
        lengths = (ends - starts).clamp(min=1)
        means = (sums[ends] - sums[starts]) / lengths[:, None]
        blanks = asked.expand_as(means)
        scores = self.numeral(torch.cat([means, blanks, means * blanks], dim=1)).squeeze(1)
        return torch.where(ends > 0, scores, self.unseen), self.way(asked)


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

    def forward(self, rows: Sequence[QuestionRow]) -> list[tuple[Tensor, Tensor]]:
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
