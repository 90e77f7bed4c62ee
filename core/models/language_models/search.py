"""How texts are searched: nucleus sampling and beams, many prefixes at once."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.arrays import Float32Array, FloatArray, IntArray
from core.models.language_models.constraints import DecodingConstraints
from core.models.language_models.language_model import Decoding

NUCLEUS = 1_024  # tokens that are sorted to draw one; more only where these do not hold the share asked for
_EQUAL = 1_000  # log-probabilities that are equal in so many parts of 1 are equal but for rounding


@dataclass(frozen=True, slots=True)
class SearchedText:
    tokens: tuple[int, ...]
    score: float
    ended: bool


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    keep: IntArray
    parents: IntArray
    tokens: IntArray


def nothing() -> Move:
    """The move after which all texts are written."""
    empty = np.empty((0, 0), dtype=np.int64)
    return Move(all_of(0), empty, empty)


def all_of(count: int) -> IntArray:
    return np.arange(count, dtype=np.int64)


class Draws:
    def __init__(
        self, decoding: Decoding, ends: Tensor, rules: DecodingConstraints, draws: FloatArray
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

    def results(self) -> list[list[SearchedText]]:
        return [
            distinct([self._text(row, text) for text in range(self._open.shape[1])], self._open.shape[1])
            for row in range(len(self._open))
        ]

    def _text(self, row: int, text: int) -> SearchedText:
        length = int(self._lengths[row, text])
        ended = not self._open[row, text]
        total = score(float(self._sums[row, text]), length + ended, self._decoding.length_penalty)
        return SearchedText(tuple(self._tokens[row, text, :length].tolist()), total, ended)

    def _chosen(self, scores: Tensor) -> IntArray:
        order, step = self._order, self._step
        allowed = scores.flatten(0, 1).clone()
        written = self._tokens[self._rows[:, None], order, :step].reshape(order.size, step)
        self._rules.forbid(allowed, written, np.repeat(self._rows, order.shape[1]))
        if not self._decoding.sample:
            best: IntArray = allowed.argmax(dim=1).cpu().numpy()
            return best
        return sampled_tokens(
            allowed,
            self._draws[self._rows[:, None], order, step].reshape(-1),
            temperature=self._decoding.temperature,
            top_p=self._decoding.top_p,
        )

    def _next(self, chosen: IntArray) -> Move:
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


class Beams:
    """Beam search as transformers does it: of the 2k likeliest steps, ends among the first k finish a text.

    A prefix is left when it has k of them and the best other, ended now, would be no better than the worst.
    """

    def __init__(self, decoding: Decoding, ends: Tensor, rules: DecodingConstraints, prefixes: int) -> None:
        self._decoding = decoding
        self._ends = ends
        self._rules = rules
        self._width = max(decoding.beams, decoding.results)
        self._finished: list[list[SearchedText]] = [[] for _ in range(prefixes)]
        self._rows = all_of(prefixes)
        self._tokens: IntArray = np.zeros((prefixes, 1, 0), dtype=np.int64)
        self._sums = np.zeros((prefixes, 1), dtype=np.float32)

    def advance(self, logits: Tensor) -> Move:
        best, parents, tokens = self._candidates(logits)
        written = np.take_along_axis(self._tokens, parents[..., None], axis=1)
        over = tokens == int(self._ends[0])
        last = self._tokens.shape[2] + 1 == self._decoding.tokens
        for row, place in np.argwhere((over | last)[:, : self._width]).tolist():
            at = row, place
            self._finish(row, written[at], best[at], tokens[at], ended=over[at])
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

    def results(self) -> list[list[SearchedText]]:
        return [distinct(texts, self._decoding.results) for texts in self._finished]

    def _candidates(self, logits: Tensor) -> tuple[Float32Array, IntArray, IntArray]:
        scores = with_one_end(logits, self._ends)
        rows, beams, words = scores.shape
        written = self._tokens.reshape(rows * beams, -1)
        self._rules.forbid(scores.view(-1, words), written, np.repeat(self._rows, beams))
        scores += torch.from_numpy(self._sums).to(scores.device)[..., None]
        best, places = scores.flatten(1).topk(min(2 * self._width, beams * words), dim=1)
        flat: IntArray = places.cpu().numpy()
        return best.cpu().numpy(), flat // words, flat % words

    def _finish(self, row: int, before: IntArray, total: float, token: int, *, ended: bool) -> None:
        if total == -np.inf:
            return
        tokens = tuple(before.tolist()) if ended else (*before.tolist(), int(token))
        length = len(before) + 1
        texts = self._finished[self._rows[row]]
        value = score(float(total), length, self._decoding.length_penalty)
        texts.append(SearchedText(tokens, value, bool(ended)))
        texts.sort(key=lambda candidate: -candidate.score)
        del texts[self._width :]

    def _goes_on(self, row: int, sums: Float32Array) -> bool:
        texts = self._finished[self._rows[row]]
        if sums[0] == -np.inf:
            return False
        now = score(float(sums[0]), self._tokens.shape[2] + 1, self._decoding.length_penalty)
        return len(texts) < self._width or now > texts[-1].score


TextSearch = Draws | Beams


def sampled_tokens(scores: Tensor, draws: FloatArray, *, temperature: float, top_p: float) -> IntArray:
    """One token of each row by nucleus sampling (Holtzman et al. 2020), int64 [n]."""
    scaled = (scores / temperature).log_softmax(dim=-1)
    most = min(NUCLEUS, scaled.shape[1])
    best, ids = scaled.topk(most, dim=1)
    if most < scaled.shape[1] and bool((best.exp().sum(dim=1) < top_p).any()):
        best, ids = scaled.sort(dim=1, descending=True)
    # Those that are equally likely but for rounding stand in the order of the vocabulary: which of them comes
    # first would depend on what is computed beside them.
    best, ids = (part.gather(1, ids.argsort(dim=1)) for part in (best, ids))
    order = (best * _EQUAL).round().argsort(dim=1, descending=True, stable=True)
    best, ids = best.gather(1, order), ids.gather(1, order)
    shares = best.double().exp()
    before = shares.cumsum(dim=1) - shares
    shares = shares.masked_fill(before >= top_p, 0.0)
    reached = shares.cumsum(dim=1)
    wanted = torch.from_numpy(draws).to(reached.device)[:, None] * reached[:, -1:]
    place = (reached <= wanted).sum(dim=1, keepdim=True)
    last = (shares > 0).sum(dim=1, keepdim=True) - 1
    chosen: IntArray = ids.gather(1, torch.minimum(place, last))[:, 0].cpu().numpy()
    return chosen


def with_one_end(logits: Tensor, ends: Tensor) -> Tensor:
    """Log-probabilities in which the first of the tokens that end a text stands for all of them."""
    scores = logits.float().log_softmax(dim=-1)
    end = scores[..., ends].logsumexp(dim=-1)
    scores[..., ends] = -torch.inf
    scores[..., ends[0]] = end
    return scores


def score(total: float, length: int, penalty: float) -> float:
    return min(0.0, total / math.pow(max(1, length), penalty))


def distinct(candidates: list[SearchedText], most: int) -> list[SearchedText]:
    best: dict[tuple[int, ...], SearchedText] = {}
    for text in sorted(candidates, key=lambda text: -text.score):
        best.setdefault(text.tokens, text)
    return list(best.values())[:most]
