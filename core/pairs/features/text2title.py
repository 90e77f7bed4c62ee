"""One linear map that brings an article near its own headline and away from those of similar articles."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.pairs.scorer import Need, PairContext
from core.runtime import Runtime

_MARGIN: Final = 0.3
_RATE: Final = 3e-3
_STEPS: Final = 500
_BATCH: Final = 256
_NEAREST: Final = 10
"""The wrong article of a triple is drawn from so many that are nearest to the right one."""
_ROWS_AT_ONCE: Final = 1_024


def linear_map(titles: Float32Array, articles: Float32Array, runtime: Runtime) -> Float32Array:
    """A square matrix, float32 [d, d], learned from n articles with their headlines.

    Minimises max(0, margin - cos(tW, aW) + cos(tW, a'W)) over headlines t, their articles a and hard
    negatives a', nearest neighbours of a. It starts at the identity, which it stays for fewer than two
    articles.
    """
    size = titles.shape[1]
    if len(titles) < 2:
        return np.eye(size, dtype=np.float32)
    import torch
    from torch.nn.functional import cosine_similarity

    near = _nearest(articles)
    rng = np.random.default_rng(runtime.seed)
    weights = torch.eye(size, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=_RATE)
    sides = [torch.from_numpy(side) for side in (titles, articles)]
    for _ in runtime.track(range(_STEPS), "Learning headlines of articles"):
        rows = rng.integers(len(titles), size=min(_BATCH, len(titles)))
        wrong = near[rows, rng.integers(near.shape[1], size=len(rows))]
        title, right, other = (side @ weights for side in (sides[0][rows], sides[1][rows], sides[1][wrong]))
        loss = _MARGIN - cosine_similarity(title, right) + cosine_similarity(title, other)
        optimizer.zero_grad()
        loss.clamp(min=0).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    learned: Float32Array = weights.detach().numpy()
    return learned


def _nearest(vectors: Float32Array) -> IntArray:
    count = min(_NEAREST, len(vectors) - 1)
    found = np.empty((len(vectors), count), dtype=np.int64)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        block = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -np.inf
        found[start : start + len(block)] = np.argpartition(-block, count - 1, axis=1)[:, :count]
    return found


CHARACTERS: Final = {
    "help": "characters of each article that are read after its headline",
    "low": 0,
    "high": 20_000,
}
"""What a scorer says of its field `characters`; with 0 the headline is read alone."""


def documents(context: PairContext, characters: int) -> list[str]:
    """Each headline, followed by the first characters of its article."""
    if characters == 0:
        return list(context.texts)
    return [
        f"{text}. {body[:characters]}" if body else text
        for text, body in zip(context.texts, context.bodies or [""] * len(context), strict=True)
    ]


def reads(characters: int) -> frozenset[Need]:
    """Articles, if any of their characters are read."""
    return frozenset({Need.BODIES}) if characters else frozenset()
