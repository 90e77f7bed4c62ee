"""Pairs a second of a pair model against plain CrossEncoder.predict, on the same weights; both orders, too.

Contenders run in one process, by turns, so that whatever else the machine does meets all of them; a
figure is the median of the turns, a ratio the median of the ratios within a turn (by pairs, so that both
orders count as twice as many; the last but one column is the time against one order). The weights are
MiniLM's with a new classifier: what they say does not matter for the time.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

PLAIN = "CrossEncoder.predict"
PAIRS = 400
SEED = 303


@dataclass
class Contender:
    """What is timed, and what its turns gave."""

    name: str
    score: Callable[[], Any]
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)
    scores: Any = None

    def turn(self) -> None:
        """Scores once, on the clock."""
        used, started = time.process_time(), time.perf_counter()
        self.scores = self.score()
        self.seconds.append(time.perf_counter() - started)
        self.processor_seconds.append(time.process_time() - used)


def run(*, seconds: float = 60.0, pairs: int = PAIRS) -> dict[str, Any]:
    """Measures on pairs of the UCI sample; the turns go on for that long, but there are at least three."""
    from core.data.pair_sets.load import load_pair_set

    given = load_pair_set("uci")
    drawn = np.sort(np.random.default_rng(SEED).choice(len(given), min(pairs, len(given)), replace=False))
    given = given.with_pairs(drawn)
    with tempfile.TemporaryDirectory() as folder:
        contenders = _contenders(given, Path(folder))
        for contender in contenders:
            contender.score()
        until = time.monotonic() + seconds
        while len(contenders[0].seconds) < 3 or time.monotonic() < until:
            for contender in contenders:
                contender.turn()
    plain, one = contenders[0], contenders[1]
    return {
        "benchmark": "cross_encoder",
        "pairs": len(given),
        "rows": [_row(contender, plain, one, len(given)) for contender in contenders],
    }


def _row(contender: Contender, plain: Contender, one: Contender, pairs: int) -> dict[str, Any]:
    ratios = [b / c for b, c in zip(plain.seconds, contender.seconds, strict=True)]
    costs = [c / b for b, c in zip(one.seconds, contender.seconds, strict=True)]
    pairs_each = len(contender.scores) / pairs
    work = statistics.median(plain.processor_seconds) / statistics.median(contender.processor_seconds)
    first = np.asarray(contender.scores)[:pairs]
    return {
        "name": contender.name,
        "pairs_per_second": round(len(contender.scores) / statistics.median(contender.seconds), 1),
        "seconds": round(statistics.median(contender.seconds), 3),
        "turns": len(contender.seconds),
        "times_plain": round(statistics.median(ratios) * pairs_each, 2),
        "times_plain_in_processor_time": round(work * pairs_each, 2),
        "cost_in_single_orders": round(statistics.median(costs), 2),
        "largest_difference_to_plain": round(float(np.abs(first - np.asarray(plain.scores)).max()), 6),
    }


def _contenders(given: Any, folder: Path) -> list[Contender]:
    """The plain way first, then ours in one order, in both, and in float32."""
    from sentence_transformers import CrossEncoder

    from core.pairs.cross_encoder.config import PairModelConfig
    from core.pairs.cross_encoder.folders import save
    from core.pairs.cross_encoder.inference import pair_reader
    from core.pairs.cross_encoder.model import build
    from core.pairs.cross_encoder.opening import find
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
