"""A trained pointer network in memory: low-rank updates merged, many questions at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import torch

from core.models.networks.adapted_bert import open_adapted
from core.models.networks.batches import (
    CPU_TOKENS,
    GPU_TOKENS,
    bfloat16_pays,
    one_core_threads,
    padded,
    plan,
    spread,
    workers_for,
)
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
        half: Compute the encoder in bfloat16.

    Raises:
        ModelUnavailableError: The weights are damaged, of another program, or the base is missing.
    """

    def __init__(self, folder: Path, *, device: str, half: bool) -> None:
        base = locate(BASE)
        self._bert, self._head = open_adapted(
            folder / WEIGHTS,
            base,
            PointerHead,
            scale=ALPHA,
            device=device,
            half=half,
            called="pointer network",
        )
        self._tokenizer = QuestionTokenizer(base)
        self._device = device

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        """See `Attacher`."""
        rows = self._tokenizer.rows(questions)
        if len(rows) == 1:
            return self._batch(rows)
        found: list[Attachment | None] = [None] * len(rows)
        tokens = CPU_TOKENS if self._device == "cpu" else GPU_TOKENS
        batches = plan([len(row.ids) for row in rows], tokens)

        def work(batch: IntArray) -> None:
            for at, one in zip(batch, self._batch([rows[k] for k in batch]), strict=True):
                found[at] = one

        workers = workers_for(self._device)
        with one_core_threads(workers) as pool:
            spread(batches, work, pool, runtime, step=STEP, workers=workers)
        return [one for one in found if one is not None]

    def _batch(self, rows: Sequence[QuestionRow]) -> list[Attachment]:
        ids, lengths = padded([row.ids.tolist() for row in rows], self._tokenizer.pad)
        firsts = np.array([row.first for row in rows], dtype=np.int64)
        asked, _ = padded([_looked_at(row) for row in rows], 0)
        with torch.inference_mode():
            hidden = self._bert.hidden(ids, lengths, firsts, asked=asked).float()
            return [self._attachment(hidden[at], row) for at, row in enumerate(rows)]

    def _attachment(self, hidden: torch.Tensor, row: QuestionRow) -> Attachment:
        ends = np.where(row.ends > 0, 1 + np.cumsum(row.ends - row.starts), 0)
        starts = np.where(row.ends > 0, ends - (row.ends - row.starts), 0)
        places = (torch.from_numpy(part).to(self._device) for part in (starts, ends))
        scores, ways = self._head(hidden, 0, *places)
        return Attachment(
            scores.double().cpu().numpy(), torch.log_softmax(ways, dim=0).double().cpu().numpy()
        )


def _looked_at(row: QuestionRow) -> list[int]:
    """The mask, then the tokens of the numerals one after another."""
    spans = zip(row.starts.tolist(), row.ends.tolist(), strict=True)
    return [row.blank, *(place for start, end in spans for place in range(start, end))]


def open_pointer(folder: Path, runtime: Runtime) -> PointerModel:
    """The model of a folder; of files that have not changed it is read once.

    Raises:
        ModelUnavailableError: See `PointerModel`.
    """
    half = runtime.half and bfloat16_pays(runtime.device)
    return _open(folder, fingerprint(folder, locate(BASE)), runtime.device, half)


@lru_cache(maxsize=2)
def _open(folder: Path, mark: str, device: str, half: bool) -> PointerModel:
    return PointerModel(folder, device=device, half=half)
