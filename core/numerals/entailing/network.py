"""The claim model, trained and asked: an encoder with low-rank updates, and the head that tells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.arrays import FloatArray, IntArray
from core.errors import ModelUnavailableError
from core.models.networks.batches import each_batch, padded, plan
from core.models.networks.low_rank import LowRank, open_adapted
from core.models.networks.precision import NetworkNumbers, quickest
from core.models.weights import fingerprint, load_state, locate
from core.numerals.entailing.calibration import read_calibration
from core.numerals.entailing.question import CLASSES, ClaimQuestion
from core.numerals.entailing.tokens import BASE, WEIGHTS, ClaimRow, ClaimTokenizer
from core.runtime import Runtime

ALPHA: Final = 2.0  # the encoder's low-rank updates are scaled by this (alpha / rank)
FROZEN: Final = 2  # layers at the bottom that stay as they are: a quarter of a step is saved
WIDTH: Final = 128  # units of the head's hidden layer; chosen small beside the encoder's 384


class ClaimHead(nn.Module):
    """Tells the classes from three vectors: the whole, the headline's number, the first source."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.told = nn.Sequential(nn.Linear(4 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(CLASSES)))

    def forward(self, vectors: Tensor) -> Tensor:
        """Logits of `CLASSES`, [b, 7], from vectors of `ClaimRow.looked_at`, [b, 3, d]."""
        whole, headline, source = vectors.unbind(dim=1)
        logits: Tensor = self.told(torch.cat([whole, headline, source, headline * source], dim=1))
        return logits


class ClaimNetwork(nn.Module):
    """Encoder and head."""

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


STEP: Final = "Reading what numbers are said of"


class ClaimModel:
    """Says whether sentences support what a headline says of a number; threads may share it."""

    def __init__(self, folder: Path, *, device: str, numbers: NetworkNumbers) -> None:
        base = locate(BASE)
        self._bert, self._head = open_adapted(
            folder / WEIGHTS,
            base,
            ClaimHead,
            scale=ALPHA,
            device=device,
            numbers=numbers,
            called="claim model",
        )
        self._tokenizer = ClaimTokenizer(base)
        self._device = device
        self._calibration = read_calibration(folder)

    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Calibrated log-odds that the sentences support the claim, float64 [n].

        Over 0 they rather do than do not, where every second headline is right.
        """
        return self._calibration.log_odds(self.log_probabilities(questions, runtime))

    def gate_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Calibrated log-odds of support against each way to be wrong, float64 [n, 6].

        In the order of `core.numerals.entailing.calibration.WRONG`; infinite for a way that is not judged.
        """
        return self._calibration.gate_odds(self.log_probabilities(questions, runtime))

    def log_probabilities(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Logarithms of the probabilities of `CLASSES` as the network has them, float64 [n, 7]."""
        rows = self._tokenizer.rows(questions)
        found = np.zeros((len(rows), len(CLASSES)))
        # None is padded, and on a processor none depends on the others to the bit.
        batches = plan([len(row.ids) for row in rows], self._bert.tokens_at_once)

        def work(batch: IntArray) -> None:
            found[batch] = self._batch([rows[k] for k in batch])

        each_batch(batches, work, self._device, runtime, step=STEP)
        return found

    def _batch(self, rows: Sequence[ClaimRow]) -> FloatArray:
        firsts = np.array([row.first for row in rows], dtype=np.int64)
        with torch.inference_mode():
            hidden = self._bert.vectors([row.ids for row in rows], firsts, [row.looked_at for row in rows])
            # One at a time on a processor: a product of more rows has other sums to the last bit.
            at_once = 1 if self._device == "cpu" else len(rows)
            some = torch.split(torch.stack(hidden).float(), at_once)
            logits = torch.cat([self._head(each) for each in some])
            return np.asarray(torch.log_softmax(logits.double(), dim=1).cpu().numpy())


def open_claims(folder: Path, runtime: Runtime) -> ClaimModel:
    """The model of a folder; of files that have not changed it is read once."""
    return _open(folder, fingerprint(folder, locate(BASE)), runtime.device, quickest(runtime))


@lru_cache(maxsize=2)
def _open(folder: Path, mark: str, device: str, numbers: NetworkNumbers) -> ClaimModel:
    return ClaimModel(folder, device=device, numbers=numbers)
