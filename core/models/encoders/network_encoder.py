"""An encoder made of a tokeniser and a network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, IntArray
from core.models.networks import batches
from core.runtime import Runtime

STEP = "Encoding headlines"
Tokenise = Callable[[list[str]], list[list[int]]]
Embed = Callable[[IntArray, IntArray], Float32Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEncoder:
    """A loaded network as an `Encoder`; both its functions are safe to call from several threads."""

    tokenise: Tokenise  # texts to token ids
    embed: Embed  # ids int64 [b, w] padded right, lengths int64 [b] to unit vectors float32 [b, d]
    dimensions: int  # d
    pad: int  # token id of the padding
    runtime: Runtime  # its device, where progress goes, and the stop signal
    prefix: str = ""  # put before every text

    def encode(self, texts: Sequence[str]) -> Float32Array:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        distinct, inverse = batches.fold([batches.clean(self.prefix + text) for text in texts])
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        device = self.runtime.device
        with batches.one_core_threads(batches.workers_for(device)) as pool:
            slices = [distinct[i : i + 256] for i in range(0, len(distinct), 256)]
            ids = [row for rows in pool.map(self.tokenise, slices) for row in rows]

        def embed(batch: IntArray) -> None:
            vectors[batch] = self.embed(*batches.padded([ids[row] for row in batch], self.pad))

        batches.spread_by_length([len(row) for row in ids], embed, device, self.runtime, step=STEP)
        return vectors[inverse]
