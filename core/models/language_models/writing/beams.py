"""Beam search: the likeliest texts among several that are followed side by side.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.models.language_models.language_model import Decoding
from core.models.language_models.writing.choices import Rules, with_one_end
from core.models.language_models.writing.search import Found, Move, all_of, distinct, nothing, score
from core.similarities import IntArray


class Beams:
    """Beam search as transformers does it; see `Search`.

    Of the 2k likeliest ways to go on, those among the first k that end are finished texts and the first k
    that do not are followed. A prefix is left when it has k finished texts and the best of the others, were
    it to end now, is no better than the worst of them.

    Args:
        decoding: Of `beams` and `results` the larger number is followed.
        ends: Ids of the tokens that end a text, int64 [e].
        rules: What is forbidden.
        prefixes: How many there are.
    """

    def __init__(self, decoding: Decoding, ends: Tensor, rules: Rules, prefixes: int) -> None:
        self._decoding = decoding
        self._ends = ends
        self._rules = rules
        self._width = max(decoding.beams, decoding.results)
        self._finished: list[list[Found]] = [[] for _ in range(prefixes)]
        self._rows = all_of(prefixes)
        self._tokens: IntArray = np.zeros((prefixes, 1, 0), dtype=np.int64)
        self._sums = np.zeros((prefixes, 1), dtype=np.float32)

    def advance(self, logits: Tensor) -> Move:
        """See `Search.advance`."""
        best, parents, tokens = self._candidates(logits)
        written = np.take_along_axis(self._tokens, parents[..., None], axis=1)
        over = tokens == int(self._ends[0])
        last = self._tokens.shape[2] + 1 == self._decoding.tokens
        for row, place in np.argwhere((over | last)[:, : self._width]).tolist():
            self._finish(
                row, written[row, place], best[row, place], tokens[row, place], ended=over[row, place]
            )
        if last:
            return nothing()
        followed = np.argsort(over, axis=1, kind="stable")[:, : self._width]
        best = np.take_along_axis(best, followed, axis=1)
        parents = np.take_along_axis(parents, followed, axis=1)
        tokens = np.take_along_axis(tokens, followed, axis=1)
        written = np.take_along_axis(written, followed[..., None], axis=1)
        keep = np.array([row for row, sums in enumerate(best) if self._goes_on(row, sums)], dtype=np.int64)
        self._rows = self._rows[keep]
        self._sums = best[keep]
        self._tokens = np.concatenate([written, tokens[..., None]], axis=2)[keep]
        return Move(keep, parents[keep], tokens[keep])

    def found(self) -> list[list[Found]]:
        """See `Search.found`."""
        return [distinct(texts, self._decoding.results) for texts in self._finished]

    def _candidates(self, logits: Tensor) -> tuple[npt.NDArray[np.float32], IntArray, IntArray]:
        """The likeliest ways to go on: log-likelihoods, texts that they go on, tokens, each [a, 2k]."""
        scores = with_one_end(logits, self._ends)
        rows, beams, words = scores.shape
        self._rules.forbid(
            scores.view(-1, words), self._tokens.reshape(rows * beams, -1), np.repeat(self._rows, beams)
        )
        scores += torch.from_numpy(self._sums).to(scores.device)[..., None]
        best, places = scores.flatten(1).topk(min(2 * self._width, beams * words), dim=1)
        found: IntArray = places.cpu().numpy()
        return best.cpu().numpy(), found // words, found % words

    def _finish(self, row: int, before: IntArray, total: float, token: int, *, ended: bool) -> None:
        if total == -np.inf:
            return
        tokens = tuple(before.tolist()) if ended else (*before.tolist(), int(token))
        length = len(before) + 1
        texts = self._finished[self._rows[row]]
        texts.append(Found(tokens, score(float(total), length, self._decoding.length_penalty), bool(ended)))
        texts.sort(key=lambda one: -one.score)
        del texts[self._width :]

    def _goes_on(self, row: int, sums: npt.NDArray[np.float32]) -> bool:
        texts = self._finished[self._rows[row]]
        if sums[0] == -np.inf:
            return False
        now = score(float(sums[0]), self._tokens.shape[2] + 1, self._decoding.length_penalty)
        return len(texts) < self._width or now > texts[-1].score
