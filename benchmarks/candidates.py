"""Candidate pairs of a very long timeline: 100,000 headlines over 60 days, every pair at most 4 days apart
whose cosine is 0.5 or more, exactly.

The vectors are MiniLM's of UCI headlines, drawn with replacement, with noise of 0.75 of their length
added (cosine to the original about 0.8); the days are drawn evenly. Each row is a process of its own, the
best of three runs; processor seconds, added over all cores, hardly depend on who else uses the machine.
Memory is the peak of the process, vectors, libraries and the making of them included.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

HEADLINES = 100_000
DAYS = 60
WINDOW = 4.0
FLOOR = 0.5
NOISE = 0.75
RUNS = 3
SEED = 606


def run() -> dict[str, Any]:
    """One row a precision, and one for the GPU where there is one."""
    from core.models.networks.batches import bfloat16_pays
    from core.runtime import detect_device

    device = detect_device()
    wanted = [("cpu", True)] if bfloat16_pays("cpu") else []
    wanted += [("cpu", False), *([(device, True), (device, False)] if device != "cpu" else [])]
    spawn = multiprocessing.get_context("spawn")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        np.save(file, _real_vectors())
        for where, half in wanted:
            with spawn.Pool(1) as pool:
                rows.append(pool.apply(_measure, (str(file), where, half)))
    return {"benchmark": "candidate pairs", "seed": SEED, "floor": FLOOR, "window_days": WINDOW, "rows": rows}


def _real_vectors() -> np.ndarray:
    from core.data.timelines.load import load_sample
    from core.models.encoders.cache import encode_cached
    from core.models.encoders.encoder import encoders
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as cache:
        return encode_cached(load_sample("uci").texts, encoders.parse("minilm"), Runtime(cache=Path(cache)))


def _measure(file: str, device: str, half: bool) -> dict[str, Any]:
    from core.pairs.candidates import candidate_pairs
    from core.runtime import Runtime

    vectors, days = _timeline(np.load(file))
    runtime = Runtime(device=device, half=half)
    seconds, busy = [], []
    for _ in range(RUNS):
        started, before = time.perf_counter(), time.process_time()
        found = candidate_pairs(vectors, days, window_days=WINDOW, floor=FLOOR, runtime=runtime)
        seconds.append(time.perf_counter() - started)
        busy.append(time.process_time() - before)
    sorted_days = np.sort(days)
    reach = np.searchsorted(sorted_days, sorted_days + WINDOW, side="right")
    return {
        "device": device,
        "precision": "bfloat16, then float32" if half else "float32",
        "headlines": HEADLINES,
        "pairs_in_the_window": int((reach - np.arange(HEADLINES) - 1).sum()),
        "pairs_found": int(found.nnz),
        "seconds": round(min(seconds), 2),
        "slowest_seconds": round(max(seconds), 2),
        "processor_seconds": round(min(busy), 2),
        "peak_gigabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }


def _timeline(real: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    noise = rng.standard_normal((HEADLINES, real.shape[1]), dtype=np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    noise += real[rng.integers(0, len(real), HEADLINES)]
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    return noise, rng.uniform(0, DAYS, HEADLINES)
