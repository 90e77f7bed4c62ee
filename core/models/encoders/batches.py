"""From texts to vectors through a network: fold, tokenise, sort by length, batch, spread over cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.networks.batches import (
    CPU_TOKENS,
    GPU_TOKENS,
    clean,
    fold,
    one_core_threads,
    padded,
    plan,
    spread,
    workers_for,
)
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

STEP = "Encoding headlines"

Tokenise = Callable[[list[str]], list[list[int]]]
Embed = Callable[[IntArray, IntArray], Float32Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEncoder:
    """A loaded network as an `Encoder`.

    Attributes:
        tokenise: Texts to token ids; safe to call from several threads.
        embed: (ids int64 [b, w] padded right, lengths int64 [b]) to unit vectors float32
            [b, d]; safe to call from several threads.
        dimensions: d.
        pad: Token id of the padding.
        runtime: Its device, where progress goes, and the stop signal.
        prefix: Put before every text.
    """

    tokenise: Tokenise
    embed: Embed
    dimensions: int
    pad: int
    runtime: Runtime
    prefix: str = ""

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Unit vectors of the texts; see `Encoder.encode`."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        distinct, inverse = fold([clean(self.prefix + text) for text in texts])
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        device = self.runtime.device
        workers = workers_for(device)
        with one_core_threads(workers) as pool:
            slices = [distinct[i : i + 256] for i in range(0, len(distinct), 256)]
            ids = [row for rows in pool.map(self.tokenise, slices) for row in rows]

            def one(batch: IntArray) -> None:
                vectors[batch] = self.embed(*padded([ids[i] for i in batch], self.pad))

            batches = plan([len(row) for row in ids], CPU_TOKENS if device == "cpu" else GPU_TOKENS)
            spread(batches, one, pool, self.runtime, step=STEP, workers=workers)
        return vectors[inverse]
