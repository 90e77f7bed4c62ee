"""Pairs a second of a pair model against plain CrossEncoder.predict, on the same weights; both orders, too.

Contenders run in one process, by turns, so that whatever else the machine does meets all of them; a
figure is the median of the turns, a ratio the median of the ratios within a turn (by pairs, so that both
orders count as twice as many; the last but one column is the time against one order). The weights are
MiniLM's with a new classifier: what they say does not matter for the time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import Contender, by_turns

PLAIN = "CrossEncoder.predict"
PAIRS = 400
SEED = 303


def run(*, seconds: float = 60.0, pairs: int = PAIRS) -> dict[str, Any]:
    """Measures on pairs of the UCI sample; the turns go on for that long, but there are at least three."""
    from core.data.pair_sets.load import load_pair_set

    given = load_pair_set("uci")
    drawn = np.sort(np.random.default_rng(SEED).choice(len(given), min(pairs, len(given)), replace=False))
    given = given.with_pairs(drawn)
    with tempfile.TemporaryDirectory() as folder:
        contenders = _contenders(given, Path(folder))
        for contender in contenders:
            contender.work()
        by_turns(contenders, seconds=seconds)
    plain, one = contenders[0], contenders[1]
    return {
        "benchmark": "cross_encoder",
        "pairs": len(given),
        "rows": [_row(contender, plain, one, len(given)) for contender in contenders],
    }


def _row(contender: Contender, plain: Contender, one: Contender, pairs: int) -> dict[str, Any]:
    scores = np.asarray(contender.found[-1])
    pairs_each = len(scores) / pairs
    return {
        "name": contender.name,
        "pairs_per_second": round(len(scores) / contender.middle(), 1),
        "seconds": round(contender.middle(), 3),
        "turns": len(contender.seconds),
        "times_plain": round(contender.times(plain) * pairs_each, 2),
        "times_plain_in_processor_time": round(contender.times_in_processor_time(plain) * pairs_each, 2),
        "cost_in_single_orders": round(one.times(contender), 2),
        "largest_difference_to_plain": round(
            float(np.abs(scores[:pairs] - np.asarray(plain.found[-1])).max()), 6
        ),
    }


def _contenders(given: Any, folder: Path) -> list[Contender]:
    from sentence_transformers import CrossEncoder

    from core.pairs.cross_encoder.inference import find, pair_reader
    from core.pairs.cross_encoder.model import build, save
    from core.pairs.cross_encoder.tokens import PairModelConfig
    from core.runtime import Runtime

    config = PairModelConfig(adapter="full", max_tokens=128)
    save(build(config), folder)
    theirs = CrossEncoder(str(folder), max_length=128, device="cpu")
    texts = [(given.texts[a], given.texts[b]) for a, b in zip(given.left, given.right, strict=True)]

    def plain() -> Any:
        return theirs.predict(texts, apply_softmax=True, show_progress_bar=False)[:, 1]

    def ours(*, half: bool, both: bool) -> Callable[[], Any]:
        reader = pair_reader(find(str(folder), config), Runtime(half=half))
        left = np.concatenate([given.left, given.right]) if both else given.left
        right = np.concatenate([given.right, given.left]) if both else given.right

        def score() -> Any:
            tokens = reader.tokenise(list(given.texts))
            return reader.probabilities(tokens, left, right, np.zeros(len(left)), Runtime())

        return score

    return [
        Contender(PLAIN, plain),
        Contender("pair model", ours(half=True, both=False)),
        Contender("pair model, both orders", ours(half=True, both=True)),
        Contender("pair model, float32", ours(half=False, both=False)),
    ]
