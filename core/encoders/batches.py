"""From texts to vectors through a network: fold, tokenise, sort by length, batch, spread over cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

STEP = "Encoding headlines"
# Beyond this many threads the interpreter's lock, not the cores, sets the pace.
_MOST_WORKERS = 16
# Padded tokens in a batch. On a CPU the activations of one layer then stay in a core's second-level
# cache (512 tokens x 1,536 x 2 bytes = 1.5 MB); a GPU wants enough work for one launch.
CPU_TOKENS = 512
GPU_TOKENS = 65_536

Tokenise = Callable[[list[str]], list[list[int]]]
Embed = Callable[[IntArray, IntArray], Float32Array]


@dataclass(frozen=True, slots=True)
class Network:
    """A loaded network, as far as batching needs to know it.

    Attributes:
        tokenise: Texts to token ids; safe to call from several threads.
        embed: (ids int64 [b, w] padded right, lengths int64 [b]) to unit vectors float32
            [b, d]; safe to call from several threads.
        dimensions: d.
        pad: Token id of the padding.
        device: "cuda", "mps" or "cpu".
    """

    tokenise: Tokenise
    embed: Embed
    dimensions: int
    pad: int
    device: str


def clean(text: str) -> str:
    """The text with lone surrogates replaced: tokenizers take nothing that is not Unicode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fold(texts: Sequence[str]) -> tuple[list[str], IntArray]:
    """The distinct texts in order of appearance, and for each text its place among them."""
    places: dict[str, int] = {}
    inverse = np.fromiter(
        (places.setdefault(text, len(places)) for text in texts), dtype=np.int64, count=len(texts)
    )
    return list(places), inverse


def plan(lengths: Sequence[int], tokens: int) -> list[IntArray]:
    """Batches of indices, longest texts first, each of at most `tokens` padded tokens.

    A text longer than `tokens` gets a batch of its own. Sorting leaves almost no padding, and
    the longest first means that a batch too large for memory fails at once and the last
    batches, which level the load of the cores, are the small ones.
    """
    order = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable").astype(np.int64)
    batches: list[IntArray] = []
    start = 0
    while start < len(order):
        width = max(1, int(lengths[order[start]]))
        stop = start + max(1, tokens // width)
        batches.append(order[start:stop])
        start = stop
    return batches


def encode(network: Network, texts: Sequence[str], runtime: Runtime) -> Float32Array:
    """Unit vectors, float32 [n, d], in the order of the texts.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    if not texts:
        return np.zeros((0, network.dimensions), dtype=np.float32)
    distinct, inverse = fold([clean(text) for text in texts])
    vectors = np.empty((len(distinct), network.dimensions), dtype=np.float32)
    on_cpu = network.device == "cpu"
    workers = _cores() if on_cpu else 1
    with _pool(workers) as pool:
        slices = [distinct[i : i + 256] for i in range(0, len(distinct), 256)]
        ids = [row for rows in pool.map(network.tokenise, slices) for row in rows]
        batches = plan([len(row) for row in ids], CPU_TOKENS if on_cpu else GPU_TOKENS)

        def one(batch: IntArray) -> None:
            rows = [ids[i] for i in batch]
            vectors[batch] = network.embed(*_padded(rows, network.pad))

        waiting: deque[Future[None]] = deque()
        try:
            for batch in runtime.track(batches, STEP):
                if len(waiting) >= 2 * workers:
                    waiting.popleft().result()
                waiting.append(pool.submit(one, batch))
            for future in waiting:
                future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return vectors[inverse]


@dataclass(frozen=True, slots=True)
class NetworkEncoder:
    """A loaded network as an `Encoder`.

    Attributes:
        network: See `Network`.
        runtime: Where progress goes, and the stop signal.
        prefix: Put before every text.
    """

    network: Network
    runtime: Runtime
    prefix: str = ""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.network.dimensions

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Unit vectors of the texts; see `Encoder.encode`."""
        return encode(self.network, [self.prefix + text for text in texts], self.runtime)


def _padded(rows: list[list[int]], pad: int) -> tuple[IntArray, IntArray]:
    lengths: npt.NDArray[np.int64] = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    ids = np.full((len(rows), max(1, int(lengths.max()))), pad, dtype=np.int64)
    for row, tokens in zip(ids, rows, strict=True):
        row[: len(tokens)] = tokens
    return ids, lengths


def _cores() -> int:
    """Threads to use: what torch would (it heeds OMP_NUM_THREADS), within the cores we may use."""
    import torch

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(torch.get_num_threads(), allowed, _MOST_WORKERS))


def _pool(workers: int) -> ThreadPoolExecutor:
    """Threads that each keep to one core.

    A batch a core beats one batch over all cores: the cores never wait for one another, which
    costs a factor of several as soon as anything else runs on the machine. The limit belongs
    to the calling thread (an OpenMP rule), so the rest of the process is left as it was.
    """
    import torch
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    controller = ThreadpoolController()

    def keep_to_one_core() -> None:
        torch.get_num_threads()  # torch sets the thread's count at first use: let it, then limit
        controller.limit(limits=1, user_api="openmp")

    return ThreadPoolExecutor(workers, thread_name_prefix="encode", initializer=keep_to_one_core)
