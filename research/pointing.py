"""The network that points from a blank of a headline to the article's numerals."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.arrays import IntArray
from core.models.loaded import loaded
from core.models.networks.batches import each_batch, padded
from core.models.networks.low_rank import open_adapted
from core.models.networks.precision import NetworkNumbers, quickest
from core.models.weights import fingerprint
from core.numerals.question import WAYS, Alignment, NumeralQuestion
from core.runtime import Runtime
from research.pointing_rows import QuestionRow, QuestionTokenizer

ALPHA: Final = 2.0  # the encoder's low-rank updates are scaled by this (alpha / rank)
WIDTH: Final = 192  # units of the hidden layers; chosen small beside the encoder's 384
STEP: Final = "Reading what numbers belong to"


class PointerHead(nn.Module):
    """Scores each numeral of the article, and each way from numerals to a blank."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.numeral = nn.Sequential(nn.Linear(3 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, 1))
        self.way = nn.Sequential(nn.Linear(size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(WAYS)))
        self.unseen = nn.Parameter(torch.zeros(1))  # score of a numeral beyond the tokens that are read

    def forward(self, hidden: Tensor, blank: int, starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        """The numerals' scores, float [n], and the ways', float [len(WAYS)], of one row."""
        asked = hidden[blank]
        if not len(starts):
            return hidden.new_zeros(0), self.way(asked)
        # Differences of running sums are the sums of the numerals' tokens.
        sums = torch.cat([hidden.new_zeros(1, hidden.shape[1]), hidden.cumsum(dim=0)])
        means = (sums[ends] - sums[starts]) / (ends - starts).clamp(min=1)[:, None]
        blanks = asked.expand_as(means)
        scores = self.numeral(torch.cat([means, blanks, means * blanks], dim=1)).squeeze(1)
        return torch.where(ends > 0, scores, self.unseen), self.way(asked)


class PointerNetwork(nn.Module):
    def __init__(self, folder: Path, *, rank: int, seed: int) -> None:
        super().__init__()
        from peft import LoraConfig, inject_adapter_in_model

        from core.models.networks.pretrained import load_pretrained

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.encoder: Any = load_pretrained(folder, device="cpu", half=False).model
            layers = [name for name, part in self.encoder.named_modules() if isinstance(part, nn.Linear)]
            wanted = [name for name in layers if "pooler" not in name]
            updates = LoraConfig(r=rank, lora_alpha=int(ALPHA * rank), target_modules=wanted)
            inject_adapter_in_model(updates, self.encoder)
            self.head = PointerHead(int(self.encoder.config.hidden_size))
        for part in self.encoder.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        self.tokenizer = QuestionTokenizer(folder)
        for name, part in self.encoder.named_parameters():
            part.requires_grad_(".lora_" in name)

    def forward(self, rows: Sequence[QuestionRow]) -> list[tuple[Tensor, Tensor]]:
        ids, lengths = padded([row.ids.tolist() for row in rows], self.tokenizer.pad)
        places = torch.arange(ids.shape[1])[None, :]
        headline_lengths = torch.tensor([row.headline_length for row in rows])
        mask = places < torch.from_numpy(lengths)[:, None]
        hidden = self.encoder(
            input_ids=torch.from_numpy(ids),
            attention_mask=mask.long(),
            token_type_ids=(mask & (places >= headline_lengths[:, None])).long(),
        ).last_hidden_state.float()
        return [
            self.head(hidden[at], row.blank, torch.from_numpy(row.starts), torch.from_numpy(row.ends))
            for at, row in enumerate(rows)
        ]

    def trained(self) -> dict[str, Tensor]:
        parameters = {name: part.detach() for name, part in self.named_parameters() if part.requires_grad}
        return {name.replace(".default.weight", ".weight"): part for name, part in parameters.items()}


class PointerModel:
    """What is served: an `Aligner` of trained weights; threads may share it."""

    def __init__(self, path: Path, base: Path, *, device: str, numbers: NetworkNumbers) -> None:
        how: dict[str, Any] = {"scale": ALPHA, "device": device, "numbers": numbers}
        self._bert, self._head = open_adapted(path, base, PointerHead, called="pointer network", **how)
        self._tokenizer = QuestionTokenizer(base)
        self._device = device

    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        return self.align_within(questions, None, runtime)

    def align_within(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None, runtime: Runtime
    ) -> list[Alignment]:
        """`align` that reads the sentences `within` alone; see `QuestionTokenizer.rows`."""
        rows = self._tokenizer.rows(questions, within)
        alignments: list[Alignment | None] = [None] * len(rows)
        # None is padded, and on a processor none depends on the others to the bit.
        batches = self._bert.planned([len(row.ids) for row in rows])

        def work(batch: IntArray) -> None:
            for at, alignment in zip(batch, self._batch([rows[k] for k in batch]), strict=True):
                alignments[at] = alignment

        each_batch(batches, work, self._device, runtime, step=STEP)
        return [alignment for alignment in alignments if alignment is not None]

    def _batch(self, rows: Sequence[QuestionRow]) -> list[Alignment]:
        headline_lengths = np.array([row.headline_length for row in rows], dtype=np.int64)
        spans = [zip(row.starts.tolist(), row.ends.tolist(), strict=True) for row in rows]
        kept_tokens = [
            [row.blank, *(place for start, end in own for place in range(start, end))]
            for row, own in zip(rows, spans, strict=True)
        ]
        with torch.inference_mode():
            hidden = self._bert.vectors([row.ids for row in rows], headline_lengths, kept_tokens)
            return [self._alignment(*both) for both in zip(hidden, rows, strict=True)]

    def _alignment(self, hidden: torch.Tensor, row: QuestionRow) -> Alignment:
        ends = np.where(row.ends > 0, 1 + np.cumsum(row.ends - row.starts), 0)
        starts = np.where(row.ends > 0, ends - (row.ends - row.starts), 0)
        places = (torch.from_numpy(part).to(self._device) for part in (starts, ends))
        scores, ways = self._head(hidden.float(), 0, *places)
        return Alignment(scores.double().cpu().numpy(), torch.log_softmax(ways, dim=0).double().cpu().numpy())


def open_pointer(path: Path, base: Path, runtime: Runtime) -> PointerModel:
    """The network of a file of low-rank updates and the folder of the encoder that they belong to."""
    return _open(path, base, fingerprint(path, base), runtime.device, quickest(runtime))


@loaded(2)
def _open(path: Path, base: Path, mark: str, device: str, numbers: NetworkNumbers) -> PointerModel:
    return PointerModel(path, base, device=device, numbers=numbers)
