"""Batches of prefixes, each written by a core of its own, with progress for every step.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from core.arrays import IntArray
from core.errors import Cancelled
from core.models.language_models.language_model import Decoding
from core.models.language_models.packing import Tokens
from core.models.language_models.writing.allowed_numbers import AllowedNumbers, Pieces
from core.models.language_models.writing.choices import Beams, DecodingConstraints, Draws, Found, TextSearch
from core.models.language_models.writing.prefixes import Recomputed, SharedPrefixes
from core.models.networks.batches import one_core_threads, spread, workers_for
from core.runtime import Runtime

STEP: Final = "Writing with the language model"

CPU_COLUMNS: Final = 8_192
GPU_COLUMNS: Final = 131_072
"""Tokens of a batch that keys and values are kept of: SmolLM2 needs 23 kB for one."""

TEXTS: Final = 128
"""Texts of a batch: 128 rows over a vocabulary of 49,152 in float32 are 25 MB."""


def write(
    model: Any,
    prefixes: Sequence[Tokens],
    *,
    pieces: Pieces,
    end: int | None,
    decoding: Decoding,
    seeds: Sequence[str],
    shared: bool,
    runtime: Runtime,
    numbers: Sequence[Collection[str]] | None = None,
) -> list[list[Found]]:
    """Texts after each prefix, see `CausalNetwork.write`.

    Args:
        model: Of transformers.
        prefixes: Tokens, at least one each.
        pieces: What tokens are.
        end: A token that ends a text beside those of the pieces.
        decoding: How tokens are chosen.
        seeds: What the random numbers of each prefix are taken from, beside the runtime's seed.
        shared: The model keeps continuations apart that share a row.
        runtime: Progress, stop, seed.
        numbers: For each prefix the numbers in digits that its texts may hold; None for any.
    """
    found: list[list[Found]] = [[] for _ in prefixes]
    device = model.device.type
    workers = workers_for(device)
    batches = _batches(prefixes, decoding, device, workers)
    progress = _Progress(runtime, len(batches) * decoding.tokens)
    others = np.flatnonzero(pieces.ends)
    first = others if end is None else np.concatenate([[end], others[others != end]]).astype(np.int64)
    ends = torch.from_numpy(first).to(model.device)

    def search(rows: Sequence[int]) -> TextSearch:
        allowed = None
        if numbers is not None:
            allowed = AllowedNumbers(pieces, int(ends[0]), [numbers[row] for row in rows])
        rules = DecodingConstraints(decoding, pieces, int(ends[0]), model.device, numbers=allowed)
        if not decoding.sample and _width(decoding) > 1:
            return Beams(decoding, ends, rules, len(rows))
        draws = np.stack([_draws(runtime.seed, seeds[row], decoding) for row in rows])
        return Draws(decoding, ends, rules, draws)

    def work(batch: IntArray) -> None:
        rows = batch.tolist()
        texts = _batch(
            model,
            [prefixes[row] for row in rows],
            search(rows),
            decoding=decoding,
            shared=shared,
            progress=progress,
        )
        for row, written in zip(rows, texts, strict=True):
            found[row] = written

    with one_core_threads(workers) as pool:
        spread(batches, work, pool, progress.quiet, step=STEP, workers=workers)
    return found


def _batch(
    model: Any,
    prefixes: Sequence[Tokens],
    search: TextSearch,
    *,
    decoding: Decoding,
    shared: bool,
    progress: _Progress,
) -> list[list[Found]]:
    texts: SharedPrefixes | Recomputed
    left = decoding.tokens
    with torch.inference_mode():
        if shared:
            texts = SharedPrefixes(model, prefixes, columns=_columns(decoding), pause=progress.pause)
        else:
            texts = Recomputed(model, prefixes, pause=progress.pause)
        logits = texts.begin()
        for _ in progress.quiet.track(range(decoding.tokens), STEP):
            move = search.advance(logits)
            progress.add(1)
            left -= 1
            if not len(move.keep):
                break
            logits = texts.advance(move)
    progress.add(left)
    return search.found()


def _columns(decoding: Decoding) -> int:
    return 1 + _width(decoding) * (decoding.tokens - 1)


def _width(decoding: Decoding) -> int:
    return decoding.results if decoding.sample else max(decoding.beams, decoding.results)


def _batches(prefixes: Sequence[Tokens], decoding: Decoding, device: str, workers: int) -> list[IntArray]:
    most = CPU_COLUMNS if device == "cpu" else GPU_COLUMNS
    order = np.argsort([-len(tokens) for tokens in prefixes], kind="stable").astype(np.int64)
    share = math.ceil(len(order) / workers)
    batches: list[IntArray] = []
    start = 0
    while start < len(order):
        width = len(prefixes[order[start]]) + _columns(decoding)
        count = max(1, min(most // width, TEXTS // _width(decoding), share))
        batches.append(order[start : start + count])
        start += count
    return batches


def _draws(seed: int, text: str, decoding: Decoding) -> npt.NDArray[np.float64]:
    shape = (_width(decoding), decoding.tokens)
    if not decoding.sample:
        return np.zeros(shape)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, *digest]).random(shape)


class _Progress:
    def __init__(self, runtime: Runtime, total: int) -> None:
        self.quiet = runtime.quietly()
        self._report = runtime.report
        self._total = total
        self._done = 0
        self._lock = threading.Lock()

    def pause(self) -> None:
        if self.quiet.stop.is_set():
            raise Cancelled(STEP)

    def add(self, steps: int) -> None:
        with self._lock:
            self._done += steps
            self._report(STEP, self._done, self._total)
