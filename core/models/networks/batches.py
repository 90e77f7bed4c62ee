"""Texts in batches of like length, spread over threads."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, TypeVar

import numpy as np

from core.arrays import IntArray
from core.runtime import Runtime, out_of_memory

Batch = TypeVar("Batch", IntArray, list[str])
# Beyond this many threads the interpreter's lock, not the cores, sets the pace.
_MOST_WORKERS = 16
# Padded tokens in a batch. On a CPU the activations of one layer then stay in a core's second-level
# cache (512 tokens x 1,536 x 2 bytes = 1.5 MB); a GPU wants enough work for one launch.
CPU_TOKENS = 512
GPU_TOKENS = 65_536


def clean(text: str) -> str:
    """The text with lone surrogates replaced: tokenizers take nothing that is not Unicode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fold(texts: Sequence[str]) -> tuple[list[str], IntArray]:
    """The distinct texts in order of appearance, and for each text its place among them."""
    places: dict[str, int] = {}
    inverse = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(inverse, dtype=np.int64)


def plan(lengths: Sequence[int] | IntArray, tokens: int) -> list[IntArray]:
    """Batches of indices of at most `tokens` padded tokens, or one text; the longest first level the load."""
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable").astype(np.int64)
    batches: list[IntArray] = []
    start = 0
    while start < len(order):
        width = max(1, int(sizes[order[start]]))
        stop = start + max(1, tokens // width)
        batches.append(order[start:stop])
        start = stop
    return batches


def padded(rows: Sequence[Sequence[int]], pad: int) -> tuple[IntArray, IntArray]:
    lengths: IntArray = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    ids = np.full((len(rows), max(1, int(lengths.max(initial=1)))), pad, dtype=np.int64)
    for row, tokens in zip(ids, rows, strict=True):
        row[: len(tokens)] = tokens
    return ids, lengths


def spread_by_length(
    lengths: Sequence[int] | IntArray,
    work: Callable[[IntArray], None],
    device: str,
    runtime: Runtime,
    *,
    step: str,
    tokens: tuple[int, int] = (CPU_TOKENS, GPU_TOKENS),
) -> None:
    """Does the work for rows of these lengths in batches of so many padded tokens on a CPU or a GPU."""
    spread(plan(lengths, tokens[device != "cpu"]), work, device, runtime, step=step)


def spread(
    batches: Sequence[IntArray], work: Callable[[IntArray], None], device: str, runtime: Runtime, *, step: str
) -> None:
    """Does the work for every batch, with progress; at most two a worker wait, so that stopping is quick."""
    workers = workers_for(device)
    waiting: deque[Future[None]] = deque()
    with one_core_threads(workers) as pool:
        try:
            for batch in runtime.track(batches, step):
                if len(waiting) >= 2 * workers:
                    waiting.popleft().result()
                waiting.append(pool.submit(in_parts, work, batch))
            for future in waiting:
                future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def each_batch(
    batches: Sequence[IntArray], work: Callable[[IntArray], None], device: str, runtime: Runtime, *, step: str
) -> None:
    if workers_for(device) > 1 and len(batches) > 1:  # a pool takes longer to make than a small batch does
        spread(batches, work, device, runtime, step=step)
        return
    for batch in runtime.track(batches, step):
        in_parts(work, batch)


def in_parts(work: Callable[[Batch], None], batch: Batch) -> None:
    """Does the work for a batch; where a GPU's memory does not hold it, for its halves one after another."""
    try:
        work(batch)
        return
    except RuntimeError as error:
        if len(batch) < 2 or not out_of_memory(error):
            raise
    import torch

    torch.cuda.empty_cache()
    middle = len(batch) // 2
    in_parts(work, batch[:middle])
    in_parts(work, batch[middle:])


def workers_for(device: str) -> int:
    """Threads to use: as torch would (it heeds OMP_NUM_THREADS), within the cores we may use; GPU: 1."""
    import torch

    if device != "cpu":
        return 1
    return max(1, min(torch.get_num_threads(), _cores(), _MOST_WORKERS))


def one_core_threads(workers: int) -> ThreadPoolExecutor:
    """Threads that each keep to one core: a batch a core beats one over all, which wait for each other."""
    import torch

    controller = _libraries()

    def keep_to_one_core() -> None:
        torch.get_num_threads()  # torch sets the thread's count at first use: let it, then limit
        controller.limit(limits=1, user_api="openmp")

    return ThreadPoolExecutor(workers, thread_name_prefix="network", initializer=keep_to_one_core)


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps products of matrices to one core: torch's in this thread, those of numpy and scipy in all."""
    import torch

    libraries = _libraries()
    torch.get_num_threads()  # see `one_core_threads`
    with libraries.limit(limits=1):
        yield


@contextmanager
def cores_that_are_free() -> Iterator[None]:
    """Keeps products to one core where others hold the cores: threads of one would wait for each other."""
    with one_core() if is_crowded() else nullcontext():
        yield


def is_crowded() -> bool:
    """Whether more work waits for the cores than all threads of this one could be."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > _cores() + 1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401  so that all of them are loaded
    import torch  # noqa: F401
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
