"""Batches of pairs that a classifier reads, and its losses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from core.arrays import BoolArray, Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.pairs.cross_encoder.model import PairModel
from core.pairs.cross_encoder.tokens import input_texts
from core.pairs.metrics import best_threshold, pair_quality
from research.training.pairs.data import used_headlines

WATCHED_AT_ONCE = 64
SORTED_BATCHES = 16  # batches whose pairs are sorted by length together, so that little padding is computed
TRIANGLES: Final = 8  # triangles of a batch: each has three pairs more to read
Chosen = tuple[IntArray, BoolArray, IntArray]
"""Places of the pairs of a batch, whether the two headlines of each change places, and the rows of the
headlines of some triangles, [t, 3]."""


@dataclass(frozen=True, slots=True, eq=False)
class PairBatches:
    model: PairModel
    pairs: PairSet
    tokens: Sequence[list[int]]
    device: str
    near: IntArray  # what `chains` has of each headline; without columns where no triangles are drawn

    @classmethod
    def of(cls, model: PairModel, pairs: PairSet, device: str, *, triangles: bool = False) -> "PairBatches":
        used = used_headlines(pairs)
        tokens = model.tokenizer.tokenise(input_texts(model.config, used.texts, used.bodies))
        near = chains(used.texts) if triangles else np.empty((len(used.texts), 0), dtype=np.int64)
        return cls(model, used, tokens, device, near)

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
        return [
            (batches[place], swapped[batches[place]], self.triangles(random))
            for place in random.permutation(len(batches)).tolist()
        ]

    def triangles(self, random: np.random.Generator) -> IntArray:
        """Some triplets of different headlines, each near the one before, in random order, [t, 3]."""
        count, width = self.near.shape
        if not width:
            return np.empty((0, 3), dtype=np.int64)
        rows = [random.integers(count, size=TRIANGLES)]
        for _ in range(2):
            rows.append(self.near[rows[-1], random.integers(width, size=TRIANGLES)])
        closed = np.stack(rows, axis=1)
        return random.permuted(closed[closed[:, 0] != closed[:, 2]], axis=1)

    def loss(self, chosen: Chosen, *, symmetry: float = 0.0, triples: float = 0.0) -> Tensor:
        """Cross-entropy, with weighted distances of both orders and of open triangles (Li et al. 2019)."""
        # The last two, in log probabilities: their distance, and how far A = B and B = C together pass A = C.
        rows, swapped, closed = chosen
        labels = self.pairs.labels[rows]
        if self.model.config.same_label == 0:
            labels = 1 - labels
        target = torch.from_numpy(labels).to(self.device)
        left, right = self.pairs.left[rows], self.pairs.right[rows]
        first, second = np.where(swapped, right, left), np.where(swapped, left, right)
        logits = self._logits(first, second)
        loss = nn.functional.cross_entropy(logits, target)
        if symmetry:
            turned = self._logits(second, first)
            loss = (loss + nn.functional.cross_entropy(turned, target)) / 2
            loss = loss + symmetry * (logits.log_softmax(1) - turned.log_softmax(1)).abs().mean()
        if triples and len(closed):
            same = self.sides(closed)
            short = [same.sum(dim=1) - 2 * same[:, side] for side in range(3)]
            loss = loss + triples * torch.relu(torch.stack(short)).sum(dim=0).mean()
        return loss

    def sides(self, closed: IntArray) -> Tensor:
        """Log probabilities that A = B, B = C and A = C, of triangles [t, 3]."""
        logits = self._logits(closed[:, [0, 1, 0]].ravel(), closed[:, [1, 2, 2]].ravel())
        return logits.log_softmax(1)[:, self.model.config.same_label].reshape(-1, 3)

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
        for start in range(0, len(order), WATCHED_AT_ONCE):
            rows = order[start : start + WATCHED_AT_ONCE]
            chances = torch.softmax(self._logits(self.pairs.left[rows], self.pairs.right[rows]), dim=1)
            scores[rows] = chances[:, self.model.config.same_label].cpu().numpy()
        return scores

    def _lengths(self) -> IntArray:
        counts = np.array([len(ids) for ids in self.tokens], dtype=np.int64)
        return counts[self.pairs.left] + counts[self.pairs.right]

    def _logits(self, left: IntArray, right: IntArray) -> Tensor:
        first, second = ([self.tokens[row] for row in side.tolist()] for side in (left, right))
        days = np.floor(self.pairs.days)
        logits: Tensor = self.model(*self.model.collate(first, second, np.abs(days[left] - days[right])))
        return logits.float()


def chains(texts: Sequence[str], *, nearest: int = 30) -> IntArray:
    """Rows of the headlines that share the most rare words with each, int64 [n, k], k at most `nearest`."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    words = TfidfVectorizer(analyzer=lambda text: text.lower().split()).fit_transform(texts)
    search = NearestNeighbors(n_neighbors=min(nearest, len(texts) - 1), metric="cosine").fit(words)
    return np.asarray(search.kneighbors(return_distance=False), dtype=np.int64)
