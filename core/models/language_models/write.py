"""Texts written in batches: each prefix is read once and its texts share its row; imports torch."""

import hashlib
import inspect
import math
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from transformers import Cache, DynamicCache
from transformers.cache_utils import DynamicLayer

from core.arrays import FloatArray, IntArray
from core.errors import Cancelled
from core.models.language_models.constraints import DecodingConstraints
from core.models.language_models.language_model import Decoding, Tokens
from core.models.language_models.pieces import Pieces
from core.models.language_models.search import Beams, Draws, Move, SearchedText, TextSearch, all_of
from core.models.networks.batches import padded, plan, spread, workers_for
from core.runtime import Runtime

COMMON = 32  # tokens that all prefixes must begin with to read them apart, once
READ = 1_024  # padded tokens of prefixes that are read at a time
STEP: Final = "Writing with the language model"
CPU_COLUMNS: Final = 8_192
GPU_COLUMNS: Final = 131_072  # tokens whose keys and values a batch keeps: 23 kB each for SmolLM2
TEXTS: Final = 128  # texts of a batch: 128 rows over a vocabulary of 49,152 in float32 are 25 MB


class SharedPrefixes:
    """Rows of one prefix and its texts each; for models that keep continuations apart."""

    def __init__(
        self, model: Any, prefixes: Sequence[Tokens], *, columns: int, pause: Callable[[], None]
    ) -> None:
        self._model = model
        self._last: IntArray = np.array([[tokens[-1]] for tokens in prefixes], dtype=np.int64)
        # The last token is read with the first step, which needs what it predicts.
        read = [tokens[:-1] for tokens in prefixes]
        self._lengths: IntArray = np.array([len(tokens) for tokens in read], dtype=np.int64)
        width = max(1, int(self._lengths.max()))
        self._cache: Any = _read(model, read, width, width + columns, pause)
        self._sees = np.zeros((len(read), 1, width + columns), dtype=np.bool_)
        self._sees[:, 0, :width] = all_of(width) < self._lengths[:, None]
        self._taken = width

    def begin(self) -> Tensor:
        return self._forward(self._last)

    def advance(self, move: Move) -> Tensor:
        if len(move.keep) < len(self._lengths):
            rows = torch.from_numpy(move.keep).to(self._model.device)
            for layer in self._cache.layers:
                layer.reorder_cache(rows)
        self._lengths = self._lengths[move.keep]
        self._sees = self._sees[move.keep[:, None], move.parents]
        return self._forward(move.tokens)

    def _forward(self, tokens: IntArray) -> Tensor:
        count = tokens.shape[1]
        end = self._taken + count
        self._sees[:, all_of(count), self._taken + all_of(count)] = True
        hidden = torch.zeros((*tokens.shape, end), dtype=self._model.dtype)
        hidden.masked_fill_(~torch.from_numpy(self._sees[:, :, :end]), torch.finfo(hidden.dtype).min)
        positions = np.repeat(self._lengths[:, None], count, axis=1)
        device = self._model.device
        logits: Tensor = self._model(
            input_ids=torch.from_numpy(tokens).to(device),
            position_ids=torch.from_numpy(positions).to(device),
            attention_mask=hidden[:, None].to(device),
            past_key_values=self._cache,
            use_cache=True,
        ).logits
        self._taken = end
        self._lengths = self._lengths + 1
        return logits


class _Room(DynamicLayer):  # type: ignore[no-untyped-call]
    def __init__(self, keys: Tensor, values: Tensor, taken: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._whole = keys, values
        self.dtype, self.device = keys.dtype, keys.device
        self.is_initialized = True
        self._show(taken)

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        start, end = self._taken, self._taken + key_states.shape[2]
        for whole, new in zip(self._whole, (key_states, value_states), strict=True):
            whole[:, :, start:end] = new
        return self._show(end)

    def reorder_cache(self, beam_idx: Tensor) -> None:
        keys, values = self._whole
        self._whole = keys.index_select(0, beam_idx), values.index_select(0, beam_idx)
        self._show(self._taken)

    def _show(self, taken: int) -> tuple[Tensor, Tensor]:
        self._taken = taken
        keys, values = (whole[:, :, :taken] for whole in self._whole)
        self.keys, self.values = keys, values
        return keys, values


def _read(model: Any, prefixes: Sequence[Tokens], width: int, room: int, pause: Callable[[], None]) -> Any:
    common = _common(prefixes)
    first = _through(model, [prefixes[0][:common]], None) if common else None
    rest = [tokens[common:] for tokens in prefixes]
    whole: list[tuple[Tensor, Tensor]] = []
    for batch in plan([len(tokens) for tokens in rest], READ):
        pause()
        read = _through(model, [rest[row] for row in batch.tolist()], first)
        if not whole:
            size = len(prefixes), room
            whole = [(_empty(layer.keys, *size), _empty(layer.values, *size)) for layer in read.layers]
        rows = torch.from_numpy(batch).to(model.device)
        for layer, (keys, values) in zip(read.layers, whole, strict=True):
            keys[rows, :, : layer.keys.shape[2]] = layer.keys
            values[rows, :, : layer.values.shape[2]] = layer.values
    return Cache(layers=[_Room(keys, values, width) for keys, values in whole])


def _common(prefixes: Sequence[Tokens]) -> int:
    low, high = min(prefixes), max(prefixes)
    shared = next((k for k, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    return shared if len(prefixes) > 1 and shared >= COMMON else 0


def _through(model: Any, rows: Sequence[Tokens], before: Any) -> Any:
    cache: Any = DynamicCache()
    ids, _ = padded(rows, 0)
    if before is not None:
        for number, layer in enumerate(before.layers):
            each = (len(rows), -1, -1, -1)
            cache.update(layer.keys.expand(each), layer.values.expand(each), number)
    given = {"logits_to_keep": 1} if "logits_to_keep" in inspect.signature(model.forward).parameters else {}
    # No mask: nothing stands after a prefix but padding, which it cannot see.
    model(input_ids=torch.from_numpy(ids).to(model.device), past_key_values=cache, use_cache=True, **given)
    return cache


def _empty(like: Tensor, rows: int, room: int) -> Tensor:
    return torch.zeros((rows, like.shape[1], room, like.shape[3]), dtype=like.dtype, device=like.device)


class Recomputed:
    """For models with a recurrent state, or whose positions are a part of attention itself."""

    def __init__(self, model: Any, prefixes: Sequence[Tokens], *, pause: Callable[[], None]) -> None:
        self._model = model
        self._texts = [[tokens] for tokens in prefixes]
        self._pause = pause

    def begin(self) -> Tensor:
        return self._forward()

    def advance(self, move: Move) -> Tensor:
        self._texts = [
            [(*self._texts[row][parent], token) for parent, token in zip(parents, tokens, strict=True)]
            for row, parents, tokens in zip(
                move.keep.tolist(), move.parents.tolist(), move.tokens.tolist(), strict=True
            )
        ]
        return self._forward()

    def _forward(self) -> Tensor:
        texts = [tokens for row in self._texts for tokens in row]
        logits_of: list[Tensor | None] = [None] * len(texts)
        for batch in plan([len(tokens) for tokens in texts], READ):
            self._pause()
            ids, lengths = padded([texts[k] for k in batch.tolist()], 0)
            # No mask: nothing stands after a text but padding, which it cannot see.
            on_device = torch.from_numpy(ids).to(self._model.device)
            logits = self._model(input_ids=on_device, use_cache=False).logits
            for place, row, length in zip(batch.tolist(), logits, lengths.tolist(), strict=True):
                logits_of[place] = row[length - 1]
        stacked = torch.stack([row for row in logits_of if row is not None])
        return stacked.view(len(self._texts), -1, stacked.shape[1])


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
) -> list[list[SearchedText]]:
    """Texts after each prefix, see `CausalNetwork.write`; `shared` is for models that keep texts apart."""
    results: list[list[SearchedText]] = [[] for _ in prefixes]
    device = model.device.type
    batches = _batches(prefixes, decoding, device)
    progress = _Progress(runtime, len(batches) * decoding.tokens)
    others = np.flatnonzero(pieces.ends)
    first = others if end is None else np.concatenate([[end], others[others != end]]).astype(np.int64)
    ends = torch.from_numpy(first).to(model.device)

    def search(rows: Sequence[int]) -> TextSearch:
        rules = DecodingConstraints(decoding, pieces, int(ends[0]), model.device)
        if not decoding.sample and _width(decoding) > 1:
            return Beams(decoding, ends, rules, len(rows))
        draws = np.stack([_draws(runtime.seed, seeds[row], decoding) for row in rows])
        return Draws(decoding, ends, rules, draws)

    def work(batch: IntArray) -> None:
        rows = batch.tolist()
        read, chosen, left = [prefixes[row] for row in rows], search(rows), decoding.tokens
        texts: SharedPrefixes | Recomputed
        with torch.inference_mode():
            if shared:
                texts = SharedPrefixes(model, read, columns=_columns(decoding), pause=progress.pause)
            else:
                texts = Recomputed(model, read, pause=progress.pause)
            logits = texts.begin()
            for _ in progress.quiet.track(range(decoding.tokens), STEP):
                move = chosen.advance(logits)
                progress.add(1)
                left -= 1
                if not len(move.keep):
                    break
                logits = texts.advance(move)
        progress.add(left)
        for row, written in zip(rows, chosen.results(), strict=True):
            results[row] = written

    spread(batches, work, device, progress.quiet, step=STEP)
    return results


def _columns(decoding: Decoding) -> int:
    return 1 + _width(decoding) * (decoding.tokens - 1)


def _width(decoding: Decoding) -> int:
    return decoding.results if decoding.sample else max(decoding.beams, decoding.results)


def _batches(prefixes: Sequence[Tokens], decoding: Decoding, device: str) -> list[IntArray]:
    most = CPU_COLUMNS if device == "cpu" else GPU_COLUMNS
    order = np.argsort([-len(tokens) for tokens in prefixes], kind="stable").astype(np.int64)
    share = math.ceil(len(order) / workers_for(device))
    batches: list[IntArray] = []
    start = 0
    while start < len(order):
        width = len(prefixes[order[start]]) + _columns(decoding)
        count = max(1, min(most // width, TEXTS // _width(decoding), share))
        batches.append(order[start : start + count])
        start += count
    return batches


def _draws(seed: int, text: str, decoding: Decoding) -> FloatArray:
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
