"""Texts that grow on their own: greedy decoding, and drawing at random.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.models.language_models.language_model import Decoding
from core.models.language_models.writing.choices import Rules, drawn, with_one_end
from core.models.language_models.writing.search import Found, Move, all_of, distinct, nothing, score
from core.similarities import IntArray


class Draws:
    """`decoding.results` texts a prefix that do not compete; see `Search`.

    Args:
        decoding: `sample` draws; else the likeliest token is taken.
        ends: Ids of the tokens that end a text, int64 [e].
        rules: What is forbidden.
        draws: Numbers from 0 to 1 for each prefix, text and token, float64 [p, results, tokens]; their shape
            counts where nothing is drawn.
    """

    def __init__(
        self, decoding: Decoding, ends: Tensor, rules: Rules, draws: npt.NDArray[np.float64]
    ) -> None:
        self._decoding = decoding
        self._ends = ends
        self._rules = rules
        self._draws = draws
        prefixes, texts, most = draws.shape
        self._tokens: IntArray = np.zeros((prefixes, texts, most), dtype=np.int64)
        self._sums = np.zeros((prefixes, texts))
        self._lengths: IntArray = np.zeros((prefixes, texts), dtype=np.int64)
        self._open = np.ones((prefixes, texts), dtype=np.bool_)
        self._step = 0
        # The prefixes that go on, which of their texts stands at which place, and whether the place counts:
        # a prefix with fewer open texts than another one shows a text twice.
        self._rows = all_of(prefixes)
        self._order: IntArray = np.tile(all_of(texts), (prefixes, 1))
        self._live = np.ones((prefixes, texts), dtype=np.bool_)

    def advance(self, logits: Tensor) -> Move:
        """See `Search.advance`."""
        scores = with_one_end(logits, self._ends).expand(-1, self._order.shape[1], -1)
        chosen = self._chosen(scores).reshape(self._order.shape)
        gained = scores.gather(2, torch.from_numpy(chosen)[..., None].to(scores.device))[..., 0]
        rows, places = np.nonzero(self._live)
        at = (self._rows[rows], self._order[rows, places])
        over = chosen[rows, places] == int(self._ends[0])
        self._sums[at] += gained.double().cpu().numpy()[rows, places]
        self._tokens[(*at, self._step)] = chosen[rows, places]
        self._lengths[at] += ~over
        self._open[at] = ~over
        self._step += 1
        if self._step == self._tokens.shape[2]:
            return nothing()
        return self._next(chosen)

    def found(self) -> list[list[Found]]:
        """See `Search.found`."""
        return [
            distinct([self._text(row, text) for text in range(self._open.shape[1])], self._open.shape[1])
            for row in range(len(self._open))
        ]

    def _text(self, row: int, text: int) -> Found:
        length = int(self._lengths[row, text])
        ended = not self._open[row, text]
        total = score(float(self._sums[row, text]), length + ended, self._decoding.length_penalty)
        return Found(tuple(self._tokens[row, text, :length].tolist()), total, ended)

    def _chosen(self, scores: Tensor) -> IntArray:
        """A token for each place, int64 [a * k]."""
        order, step = self._order, self._step
        allowed = scores.flatten(0, 1).clone()
        written = self._tokens[self._rows[:, None], order, :step].reshape(order.size, step)
        self._rules.forbid(allowed, written, np.repeat(self._rows, order.shape[1]))
        if not self._decoding.sample:
            best: IntArray = allowed.argmax(dim=1).cpu().numpy()
            return best
        return drawn(
            allowed,
            self._draws[self._rows[:, None], order, step].reshape(-1),
            temperature=self._decoding.temperature,
            top_p=self._decoding.top_p,
        )

    def _next(self, chosen: IntArray) -> Move:
        """Moves the open texts to the first places."""
        live = self._live & self._open[self._rows[:, None], self._order]
        keep = np.flatnonzero(live.any(axis=1)).astype(np.int64)
        live = live[keep]
        parents = np.argsort(~live, axis=1, kind="stable")[:, : int(live.sum(axis=1).max(initial=0))]
        self._live = np.take_along_axis(live, parents, axis=1)
        parents = np.where(self._live, parents, parents[:, :1]).astype(np.int64)
        self._order = np.take_along_axis(self._order[keep], parents, axis=1)
        self._rows = self._rows[keep]
        tokens = np.take_along_axis(chosen[keep], parents, axis=1)
        # All texts of a prefix begin at the one place that it had.
        return Move(keep, parents * (self._step > 1), tokens)
