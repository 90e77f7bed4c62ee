"""The work of the networks on the graphics card beside the processor."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np
import torch

from benchmarks.scale import expanded
from core.data.articles.blanks import load_blanks
from core.headlines.generator import GenerationOptions, headline_generators
from core.models.encoders.encoder import encoders
from core.models.language_models.recipe import language_models
from core.pairs.candidates import Sieve
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime, detect_device
from research.catalogue.training import TrainingOrder, carry_out, created

LIMITS: Final = {"H200": 989, "H100": 989, "A100": 312, "L40": 362, "L4": 121, "A10": 125}
"""Trillions of bfloat16 operations a second that a card can do, by its maker's data sheet."""

Work = Callable[[int], object]  # done with so many of what a step is given


class _Step(NamedTuple):
    given: int
    built: Callable[[Runtime], Work]
    part: int  # what the processor does of it


def run_gpu(*, headlines: int = 100_000, articles: int = 16, pairs: int = 400) -> dict[str, Any]:
    """What the networks take on the graphics card, and on the processor: time, memory, share of the limit.

    Headlines are those of the UCI sample, expanded, articles NumHG's test articles. Models are loaded, and a
    tenth of each step is done, before it is timed. The processor does that tenth, and its times are for all;
    it trains on all. Operations are those of products with weights, in training of the way forward alone.
    Maps and average linkage run on the processor and are not here. Without a card only the processor's times
    are measured.
    """
    device, rows = detect_device(), []
    for name, step in _steps(headlines, articles, pairs).items():
        part = step.part
        with _runtime("cpu") as runtime:
            took = _seconds(step.built(runtime), part, part)
        row = {"step": name, "given": step.given, "processor_seconds": round(took * step.given / part, 3)}
        if device == "cuda":
            with _runtime("cuda") as runtime:
                row |= _on_card(step.built(runtime), step.given, part)
            row["times_faster"] = round(row["processor_seconds"] / row["seconds"], 1)
        rows.append(row)
    card = torch.cuda.get_device_name() if device == "cuda" else ""
    return {"benchmark": "gpu", "card": card, "rows": rows}


def _on_card(work: Work, given: int, part: int) -> dict[str, Any]:
    torch.cuda.reset_peak_memory_stats()
    took = _seconds(work, given, part)
    gigabytes = torch.cuda.max_memory_allocated() / 2**30
    trillions = operations(work, part) * given / part / took / 1e12
    limit = next((most for card, most in LIMITS.items() if card in torch.cuda.get_device_name()), None)
    share = {} if limit is None else {"share_of_limit": round(trillions / limit, 4)}
    row = {"seconds": round(took, 3), "gigabytes": round(gigabytes, 2)}
    return row | {"trillion_operations_a_second": round(trillions, 3)} | share


@contextmanager
def _runtime(device: str) -> Iterator[Runtime]:
    with tempfile.TemporaryDirectory() as folder:
        yield Runtime(device=device, cache=Path(folder), patient=True)


def _seconds(work: Work, given: int, part: int) -> float:
    work(part)
    begun = time.perf_counter()
    work(given)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - begun


def operations(work: Work, part: int) -> int:
    """Operations of the products with weights in some work, in whatever thread; or those that it gives."""
    counts, linear = [], torch.nn.functional.linear

    def counted(rows: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
        counts.append(2 * rows.numel() * len(weight))
        return linear(rows, weight, bias)

    with patch.object(torch.nn.functional, "linear", counted):
        done = work(part)
    return done if isinstance(done, int) else sum(counts)


def _steps(headlines: int, articles: int, pairs: int) -> dict[str, _Step]:
    texts = [text for table in expanded(headlines) for text in table["headline"]]
    read = list(dict.fromkeys(load_blanks("numhg").texts))[:articles]

    def tenth(given: int) -> int:
        return max(given // 10, 1)

    def encoded(name: str) -> _Step:
        def built(runtime: Runtime) -> Work:
            encoder = encoders.get(name)().build(runtime)
            return lambda count: encoder.encode(texts[:count])

        return _Step(headlines, built, tenth(headlines))

    return {
        "encode headlines, MiniLM": encoded("minilm"),
        "encode headlines, E5": encoded("e5_small"),
        "compare headlines with the next 4,096": _Step(
            headlines, lambda runtime: _compared(headlines, runtime), tenth(headlines)
        ),
        "score pairs, cross-encoder": _Step(pairs, lambda runtime: _scored(texts, runtime), tenth(pairs)),
        "write headlines, FLAN-T5": _Step(articles, lambda runtime: _written(read, runtime), tenth(articles)),
        "read headlines, SmolLM2": _Step(
            articles, lambda runtime: _likelihood(read, texts, runtime), tenth(articles)
        ),
        "train a cross-encoder, pairs": _Step(pairs, _trained, pairs),
    }


def _compared(headlines: int, runtime: Runtime) -> Work:
    vectors = np.random.default_rng(0).normal(size=(headlines, 384)).astype(np.float32)
    sieve = Sieve(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), runtime)

    def work(count: int) -> int:
        operations = 0
        for start in range(0, count, 1_024):
            rows = slice(start, min(start + 1_024, count))
            columns = slice(start, min(start + 5_120, headlines))
            sieve.may_reach(rows, columns, 0.25)
            operations += 2 * 384 * (rows.stop - start) * (columns.stop - start)
        return operations

    return work


def _scored(texts: list[str], runtime: Runtime) -> Work:
    recipe = pair_scorers.parse("finetuned")

    def work(count: int) -> object:
        side = max(round(count**0.5), 1)
        context = PairContext(texts[:side], np.zeros(side), np.zeros((side, 384), np.float32))
        return recipe.prepare(context, runtime).block(slice(0, side), slice(0, side))

    return work


def _written(articles: list[str], runtime: Runtime) -> Work:
    generator = headline_generators.parse("flan_t5_headlines").build(runtime)
    return lambda count: generator.write(articles[:count], GenerationOptions(), runtime)


def _likelihood(articles: list[str], texts: list[str], runtime: Runtime) -> Work:
    model = language_models.parse("smollm2").build(runtime)
    lengths = {"prefix_tokens": 200, "continuation_tokens": 30}

    def work(count: int) -> object:
        return model.log_likelihood(
            articles[:count], texts[:count], template=model.headline_template, **lengths
        )

    return work


def _trained(runtime: Runtime) -> Work:
    def work(count: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            recipe = f"cross_encoder.v1|epochs:1|max_pairs:{count}"
            carry_out(created(TrainingOrder(trainer=recipe, data=("uci",)), Path(folder) / "run"), runtime)

    return work
