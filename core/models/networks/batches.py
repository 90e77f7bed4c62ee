"""What networks compute in: by what the processor can, and by a measurement of what it is quicker in."""

import os
import platform
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.digests import digest
from core.disk_cache import DiskCache
from core.models.weights import everything_inside
from core.runtime import Runtime, cache_folder, out_of_memory

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
    inverse = np.fromiter(
        (places.setdefault(text, len(places)) for text in texts), dtype=np.int64, count=len(texts)
    )
    return list(places), inverse


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
    """Rows of ids as one array padded on the right, int64 [b, w], and their lengths, int64 [b]."""
    lengths: npt.NDArray[np.int64] = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    ids = np.full((len(rows), max(1, int(lengths.max(initial=1)))), pad, dtype=np.int64)
    for row, tokens in zip(ids, rows, strict=True):
        row[: len(tokens)] = tokens
    return ids, lengths


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


def each_batch(
    batches: Sequence[IntArray], work: Callable[[IntArray], None], device: str, runtime: Runtime, *, step: str
) -> None:
    """Does the work for every batch, on as many threads as pay."""
    if workers_for(device) > 1 and len(batches) > 1:  # a pool takes longer to make than a small batch does
        spread(batches, work, device, runtime, step=step)
        return
    for batch in runtime.track(batches, step):
        in_parts(work, batch)


def workers_for(device: str) -> int:
    """Threads to use: as torch would (it heeds OMP_NUM_THREADS), within the cores we may use; GPU: 1."""
    import torch

    if device != "cpu":
        return 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(torch.get_num_threads(), allowed, _MOST_WORKERS))


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
    with _libraries().limit(limits=1):
        yield


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401  so that all of them are loaded
    import torch  # noqa: F401
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


FOLDER: Final = "precision"
_CPUINFO: Final = Path("/proc/cpuinfo")
_ROUNDS: Final = 5


class NetworkNumbers(StrEnum):
    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    INT8 = "int8"


def half_or_whole(runtime: Runtime) -> NetworkNumbers:
    half = runtime.half and (runtime.forced or bfloat16_pays(runtime.device))
    return NetworkNumbers.BFLOAT16 if half else NetworkNumbers.FLOAT32


def in_half(runtime: Runtime) -> bool:
    return half_or_whole(runtime) is NetworkNumbers.BFLOAT16


def quickest(runtime: Runtime) -> NetworkNumbers:
    """What a network that was measured in 8 bits computes in: these where sums cannot overflow 16 (VNNI)."""
    if runtime.half and not runtime.forced and runtime.device == "cpu" and _can("avx512_vnni", "avx_vnni"):
        return NetworkNumbers.INT8
    return half_or_whole(runtime)


def numbers_signature(runtime: Runtime, *recipes: object) -> tuple[str, ...]:
    """The part of a signature for what networks compute in, as "numbers:bfloat16"; () without a network."""
    asked = (getattr(recipe, "numbers", None) for recipe in everything_inside(*recipes))
    computed = dict.fromkeys(numbers(runtime) for numbers in asked if numbers is not None)
    return (f"numbers:{'+'.join(computed)}",) if computed else ()


def bfloat16_pays(device: str) -> bool:
    """Whether the device is quicker in bfloat16; of processors that can, some are slower: measured once."""
    if device == "cuda":
        import torch

        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return device == "cpu" and _processor_gains()


@cache
def _processor_gains() -> bool:
    cache, key = _stored()
    if entry := cache.get(key):
        return bool(entry.about["bfloat16"])
    gains = False
    if _can("avx512_bf16", "amx_bf16"):
        seconds = layer_seconds()
        gains = seconds[NetworkNumbers.BFLOAT16] < seconds[NetworkNumbers.FLOAT32]
    keep(gains=gains)
    return gains


def keep(*, gains: bool) -> None:
    """Writes down whether this processor is quicker in bfloat16: from then on it is not measured."""
    cache, key = _stored()
    cache.put(key, {}, bfloat16=gains, processor=processor_name(), torch=version("torch"))


def _stored() -> tuple[DiskCache, str]:
    return DiskCache(cache_folder() / FOLDER), digest(processor_name(), version("torch"))


def layer_seconds(clock: Callable[[], float] = time.perf_counter) -> Mapping[NetworkNumbers, float]:
    """How long a layer of MiniLM takes on one core; both formats take turns, and the shortest counts."""
    import torch

    kinds = {NetworkNumbers.FLOAT32: torch.float32, NetworkNumbers.BFLOAT16: torch.bfloat16}

    def measure() -> dict[NetworkNumbers, float]:
        shortest = dict.fromkeys(kinds, float("inf"))
        layers = {
            numbers: torch.nn.TransformerEncoderLayer(
                384, 12, 1536, dropout=0.0, activation="gelu", batch_first=True, dtype=kind
            ).eval()
            for numbers, kind in kinds.items()
        }
        with torch.inference_mode():
            for _ in range(_ROUNDS):
                for numbers, layer in layers.items():
                    headlines = torch.zeros(8, 16, 384, dtype=kinds[numbers])
                    started = clock()
                    layer(headlines)
                    shortest[numbers] = min(shortest[numbers], clock() - started)
        return shortest

    with one_core_threads(1) as thread:
        return thread.submit(measure).result()


def processor_name() -> str:
    try:
        lines = _CPUINFO.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return " ".join(facts.get(name, "") for name in ("vendor_id", "cpu family", "model", "model name"))


def _can(*instructions: str) -> bool:
    import torch

    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(capabilities.get(instruction) for instruction in instructions)
