"""Teaches the language model to read claims once more."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core import files
from core.errors import InputError
from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter
from core.numerals.entailing.question import CLASSES, ClaimQuestion
from core.numerals.entailing.rereader import SCALE, log_odds_of, said_at_end, tokens_of
from core.numerals.entailing.rereading import HEAD
from core.tensor_files import write_tensors
from research.training.numerals.claim_examples import ClaimExample, ClaimWriter, WrittenQuestion
from research.training.numerals.claim_facts import ClaimFact

MADE_WEIGHT: Final = 0.5
"""Weight of the made-up examples in the loss."""
EXAMPLES: Final = 3
"""Examples that are made of a fact at least, nearly always."""
_AT_ONCE: Final = 16
_NUMBER: Final = {one: at for at, one in enumerate(CLASSES)}
_NEAR_ONE: Final = -1e-4
"""Log-probabilities above this count as this, so that the logarithm of the rest stays finite."""


class RereaderNetwork(nn.Module):
    """A causal model with low-rank updates in all blocks, and a layer over its last token."""

    def __init__(self, model: Any, tokenizer: Any, *, rank: int, seed: int) -> None:
        super().__init__()
        self.model = copy.deepcopy(model)
        self._tokenizer = tokenizer
        add_low_rank(self.model, llama_layers(self.model, 0), rank=rank, scale=SCALE, seed=seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.head = nn.Linear(int(self.model.config.hidden_size), len(CLASSES))
        self.head.to(self.model.device)

    def forward(self, questions: Sequence[ClaimQuestion]) -> Tensor:
        """Logits of `CLASSES`, float32 [n, 7]."""
        rows = [tokens_of(self._tokenizer, question) for question in questions]
        return said_at_end(self.model, self.head, rows)

    def write(self, folder: Path) -> None:
        """Writes what was trained, as `claim_smollm2.v1` reads it."""
        files.make_folder(folder)
        write_adapter(self.model, folder, small=True)
        write_tensors(folder / HEAD, self.head.state_dict())


TWICE: Final = 0.4055
"""Log-odds of .6, from which a written headline counts as upheld in the figures."""


@dataclass(frozen=True, slots=True, eq=False)
class RereaderStep:
    written: Sequence[WrittenQuestion]
    made: Sequence[ClaimExample]


def steps_of(
    written: Sequence[WrittenQuestion],
    facts: Sequence[ClaimFact],
    writer: ClaimWriter,
    *,
    batch: int,
    made: int,
    seed: int,
) -> list[RereaderStep]:
    """The steps of an epoch: every written headline once, beside each batch other made-up examples."""
    if not written or (made and not facts):
        raise InputError(
            "There is no written headline, or no annotated row, to train on.", hint="Name numhg."
        )
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(written))
    batches = [order[start : start + batch] for start in range(0, len(order), batch)]
    wanted = made * len(batches)
    drawn: list[int] = []
    if wanted:
        drawn = np.resize(draw.permutation(len(facts)), -(-wanted // EXAMPLES)).tolist()
    # A fact that is drawn twice makes other examples the second time.
    examples = [
        example
        for k, at in enumerate(drawn)
        for example in writer.examples(facts[at], seed + k // len(facts))
    ]
    kept = np.resize(draw.permutation(len(examples)), wanted) if wanted else np.zeros(0, dtype=np.int64)
    return [
        RereaderStep(
            [written[row] for row in rows],
            [examples[row] for row in kept[k * made : (k + 1) * made]],
        )
        for k, rows in enumerate(batches)
    ]


def loss_of(network: RereaderNetwork, step: RereaderStep) -> Tensor:
    """Cross-entropy of true and false for what was written, and half of that of the classes for the rest."""
    told = torch.log_softmax(network([one.question for one in step.written]), dim=1)[:, 0]
    true = torch.tensor([one.true for one in step.written], device=told.device)
    loss = -torch.where(true, told, torch.log(-torch.expm1(told.clamp(max=_NEAR_ONE)))).mean()
    if step.made:
        logits = network([one.question for one in step.made])
        answers = torch.tensor([_NUMBER[one.answer] for one in step.made], device=logits.device)
        loss = loss + MADE_WEIGHT * nn.functional.cross_entropy(logits, answers)
    return loss


def measures(network: RereaderNetwork, watched: Sequence[WrittenQuestion]) -> Mapping[str, float | None]:
    """How well it tells true written headlines from false ones; empty where there are none."""
    if not watched:
        return {}
    parts = [watched[start : start + _AT_ONCE] for start in range(0, len(watched), _AT_ONCE)]
    with torch.no_grad():
        odds = np.concatenate([log_odds_of(network([one.question for one in part])) for part in parts])
    true = np.array([question.true for question in watched])
    right, wrong = odds[true], odds[~true]
    if not len(right) or not len(wrong):
        return {"area": None, "kept": None, "left": None}
    above = (right[:, None] > wrong).mean() + (right[:, None] == wrong).mean() / 2
    return {
        "area": float(above),
        "kept": float((right >= TWICE).mean()),
        "left": float((wrong >= TWICE).mean()),
    }
