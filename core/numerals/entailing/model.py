"""A trained claim model in memory: low-rank updates merged, many questions at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from core.models.networks.adapted_bert import open_adapted
from core.models.networks.batches import each_batch, plan
from core.models.networks.precision import NetworkNumbers, quickest
from core.models.weights import fingerprint, locate
from core.numerals.entailing.calibration import read_calibration
from core.numerals.entailing.network import ALPHA, ClaimHead
from core.numerals.entailing.question import CLASSES, ClaimQuestion
from core.numerals.entailing.tokens import BASE, WEIGHTS, ClaimRow, ClaimTokenizer
from core.runtime import Runtime
from core.similarities import IntArray

STEP: Final = "Reading what numbers are said of"
FloatArray = npt.NDArray[np.float64]


class ClaimModel:
    """Says whether sentences support what a headline says of a number; threads may share it.

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

        Args:
            questions: n questions.
            runtime: Progress, stop.

        Raises:
            Cancelled: The runtime's stop was set.
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
