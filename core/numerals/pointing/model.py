"""A trained pointer network in memory: low-rank updates merged, many questions at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import torch

from core.models.networks.adapted_bert import open_adapted
from core.models.networks.batches import each_batch, plan
from core.models.networks.precision import NetworkNumbers, quickest
from core.models.weights import fingerprint, locate
from core.numerals.attachment import Attachment
from core.numerals.pointing.network import ALPHA, PointerHead
from core.numerals.pointing.tokens import BASE, WEIGHTS, QuestionRow, QuestionTokenizer
from core.numerals.question import NumeralQuestion
from core.runtime import Runtime
from core.similarities import IntArray

STEP: Final = "Reading what numbers belong to"


class PointerModel:
    """An `Attacher`; threads may share it.

    Args:
        folder: Holds `WEIGHTS`.
        device: "cuda", "mps" or "cpu".
        numbers: What the encoder computes in.

    Raises:
        ModelUnavailableError: The weights are damaged, of another program, or the base is missing.
    """

    def __init__(self, folder: Path, *, device: str, numbers: NetworkNumbers) -> None:
        base = locate(BASE)
        self._bert, self._head = open_adapted(
            folder / WEIGHTS,
            base,
            PointerHead,
            scale=ALPHA,
            device=device,
            numbers=numbers,
            called="pointer network",
        )
        self._tokenizer = QuestionTokenizer(base)
        self._device = device

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        return self.attach_within(questions, None, runtime)

    def attach_within(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None, runtime: Runtime
    ) -> list[Attachment]:
        """`attach` of what stands in some sentences."""
        rows = self._tokenizer.rows(questions, within)
        found: list[Attachment | None] = [None] * len(rows)
        # None is padded, and on a processor none depends on the others to the bit.
        batches = plan([len(row.ids) for row in rows], self._bert.tokens_at_once)

        def work(batch: IntArray) -> None:
            for at, one in zip(batch, self._batch([rows[k] for k in batch]), strict=True):
                found[at] = one

        each_batch(batches, work, self._device, runtime, step=STEP)
        return [one for one in found if one is not None]

    def _batch(self, rows: Sequence[QuestionRow]) -> list[Attachment]:
        firsts = np.array([row.first for row in rows], dtype=np.int64)
        with torch.inference_mode():
            hidden = self._bert.vectors([row.ids for row in rows], firsts, [_looked_at(row) for row in rows])
            return [self._attachment(*both) for both in zip(hidden, rows, strict=True)]

    def _attachment(self, hidden: torch.Tensor, row: QuestionRow) -> Attachment:
        ends = np.where(row.ends > 0, 1 + np.cumsum(row.ends - row.starts), 0)
        starts = np.where(row.ends > 0, ends - (row.ends - row.starts), 0)
        places = (torch.from_numpy(part).to(self._device) for part in (starts, ends))
        scores, ways = self._head(hidden.float(), 0, *places)
        return Attachment(
            scores.double().cpu().numpy(), torch.log_softmax(ways, dim=0).double().cpu().numpy()
        )


def _looked_at(row: QuestionRow) -> list[int]:
    spans = zip(row.starts.tolist(), row.ends.tolist(), strict=True)
    return [row.blank, *(place for start, end in spans for place in range(start, end))]


def open_pointer(folder: Path, runtime: Runtime) -> PointerModel:
    """The model of a folder; of files that have not changed it is read once."""
    return _open(folder, fingerprint(folder, locate(BASE)), runtime.device, quickest(runtime))


@lru_cache(maxsize=2)
def _open(folder: Path, mark: str, device: str, numbers: NetworkNumbers) -> PointerModel:
    return PointerModel(folder, device=device, numbers=numbers)
