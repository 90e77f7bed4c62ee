"""Pairs of a pair set as batches of a pair model that is being trained.

Imports torch; trainers import it inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.pairs.cross_encoder.model import PairModel
from core.pairs.cross_encoder.tokens import TokenRows, input_texts
from core.pairs.metrics import best_threshold, pair_quality
from research.training.pairs.data import used_headlines

SCORED_AT_ONCE = 64
SORTED_BATCHES = 16
"""Batches whose pairs are sorted by length together, so that little padding is computed."""

Chosen = tuple[IntArray, npt.NDArray[np.bool_]]
"""Places of the pairs of a batch, and whether the two headlines of each change places."""


@dataclass(frozen=True, slots=True, eq=False)
class PairBatches:
    model: PairModel
    pairs: PairSet
    tokens: Sequence[list[int]]
    device: str

    @classmethod
    def of(cls, model: PairModel, pairs: PairSet, device: str) -> PairBatches:
        kept = used_headlines(pairs)
        return cls(
            model, kept, model.tokenizer.tokenise(input_texts(model.config, kept.texts, kept.bodies)), device
        )

    def shuffled(self, size: int, *, seed: int, epoch: int) -> list[Chosen]:
        """The batches of an epoch: every pair once, headlines in random order."""
        random = np.random.default_rng([seed, epoch])
        order = random.permutation(len(self.pairs))
        swapped = random.random(len(self.pairs)) < 0.5
        lengths = self._lengths()
        batches: list[IntArray] = []
        for start in range(0, len(order), size * SORTED_BATCHES):
            rows = order[start : start + size * SORTED_BATCHES]
            rows = rows[np.argsort(lengths[rows], kind="stable")]
            batches += [rows[place : place + size] for place in range(0, len(rows), size)]
        return [(batches[place], swapped[batches[place]]) for place in random.permutation(len(batches))]

    def loss(self, chosen: Chosen) -> Tensor:
        rows, swapped = chosen
        labels = self.pairs.labels[rows]
        if self.model.config.same_label == 0:
            labels = 1 - labels
        logits = self.model(*self._batch(rows, swapped))
        return nn.functional.cross_entropy(logits.float(), torch.from_numpy(labels).to(self.device))

    def watch(self) -> dict[str, float | None]:
        """F1, precision and recall at the best threshold of these pairs, and their loss."""
        labels = self.pairs.labels
        if len(set(labels.tolist())) < 2:
            return {}
        scores = self._scores()
        threshold = best_threshold(labels, scores)
        quality = pair_quality(labels, scores, threshold)
        right = np.where(labels == 1, scores, 1 - scores).astype(np.float64)
        return {
            **{name: quality[name].value for name in ("f1", "precision", "recall")},
            "threshold": threshold,
            "loss": float(-np.log(np.maximum(right, 1e-7)).mean()),
        }

    def _scores(self) -> Float32Array:
        scores = np.empty(len(self.pairs), dtype=np.float32)
        order = np.argsort(self._lengths(), kind="stable")
        for start in range(0, len(order), SCORED_AT_ONCE):
            rows = order[start : start + SCORED_AT_ONCE]
            logits = self.model(*self._batch(rows, np.zeros(len(rows), dtype=np.bool_)))
            chances = torch.softmax(logits.float(), dim=1)
            scores[rows] = chances[:, self.model.config.same_label].cpu().numpy()
        return scores

    def _lengths(self) -> IntArray:
        counts = np.array([len(ids) for ids in self.tokens], dtype=np.int64)
        return counts[self.pairs.left] + counts[self.pairs.right]

    def _batch(
        self, rows: IntArray, swapped: npt.NDArray[np.bool_]
    ) -> tuple[TokenRows, npt.NDArray[np.float64]]:
        left, right = self.pairs.left[rows], self.pairs.right[rows]
        first, second = np.where(swapped, right, left), np.where(swapped, left, right)
        return self.model.collate(
            [self.tokens[row] for row in first.tolist()],
            [self.tokens[row] for row in second.tolist()],
            self.pairs.days_apart[rows],
        )
