"""What networks compute in, by what the processor can and a measurement of what it is quicker in."""

import platform
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from core.digests import digest
from core.disk_cache import DiskCache
from core.models.networks.batches import one_core_threads
from core.models.weights import everything_inside
from core.runtime import Runtime, cache_folder

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
