"""Headlines drawn word by word at random, for many articles at once.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from core.headlines.neural.beam_search import Hypothesis
from core.headlines.neural.limits import Rules
from core.headlines.neural.network import State, Step
from core.headlines.neural.vocabulary import END, START


def sample(
    step: Step,
    state: State,
    rules: Rules,
    *,
    seeds: Sequence[int],
    count: int,
    temperature: float,
    top_p: float,
    length_penalty: float = 1.0,
) -> list[list[Hypothesis]]:
    """Random headlines of b articles; those of one do not depend on the others.

    Each word is drawn from the likeliest ones that together hold the share `top_p`.

    Args:
        step: See `Step`; called without gradients.
        state: Before the first word, [b, 1, …].
        rules: What is allowed.
        seeds: One for each article.
        count: Headlines of each article.
        temperature: Above 0; divides the log-probabilities.
        top_p: Above 0, at most 1.
        length_penalty: Of the score, by which the headlines are ordered; the score is that of the
            network, without temperature.

    Returns:
        For each article its different headlines, best first; at least one, at most `count`.

    Source: Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".
    """
    most = rules.limits.most_steps
    drawn = np.stack([np.random.default_rng(seed).random((most, count)) for seed in seeds])
    rows = len(seeds)
    device = state[0].device
    draws = torch.from_numpy(drawn.astype(np.float32)).to(device)
    words = torch.full((rows, count), START, device=device)
    state = tuple(part.expand(-1, count, *part.shape[2:]) for part in state)
    first = torch.arange(rows, device=device)[:, None], torch.zeros(rows, count, dtype=torch.int64)
    counts = rules.begin().at(first[0], first[1].to(device))
    written = torch.zeros(rows, count, 0, dtype=torch.int64, device=device)
    total = torch.zeros(rows, count, device=device)
    over = torch.zeros(rows, count, dtype=torch.bool, device=device)
    for place in range(most):
        scores, state = step(words, state)
        allowed = rules.forbid(scores, counts, written)
        words = _draw(allowed / temperature, draws[:, place], top_p).masked_fill(over, END)
        gained = scores.gather(2, words[..., None])[..., 0]
        total += gained.masked_fill(over, 0.0)
        written = torch.cat([written, words[..., None]], dim=2)
        counts = rules.after(counts, words)
        over |= words == END
        if bool(over.all()):
            break
    return [_ordered(numbers, sums, length_penalty) for numbers, sums in zip(written, total, strict=True)]


def _draw(scores: Tensor, draws: Tensor, top_p: float) -> Tensor:
    """One word of each row of scores, int64 [b, k], by a number from 0 to 1."""
    shares, order = scores.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    before = shares.cumsum(dim=-1) - shares
    shares = shares.masked_fill(before >= top_p, 0.0)
    reached = shares.cumsum(dim=-1)
    place = (reached <= draws[..., None] * reached[..., -1:]).sum(dim=-1, keepdim=True)
    last = (shares > 0).sum(dim=-1, keepdim=True) - 1
    return order.gather(-1, torch.minimum(place, last))[..., 0]


def _ordered(numbers: Tensor, sums: Tensor, length_penalty: float) -> list[Hypothesis]:
    found: dict[tuple[int, ...], float] = {}
    for row, score in zip(numbers.tolist(), sums.tolist(), strict=True):
        length = row.index(END) + 1
        found[tuple(row[: length - 1])] = score / length**length_penalty
    return [Hypothesis(row, score) for row, score in sorted(found.items(), key=lambda one: -one[1])]
