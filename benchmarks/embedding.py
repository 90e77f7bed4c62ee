"""Headlines a second of the encoders against plain SentenceTransformer.encode, on the same weights.

All contenders run in one process, by turns, so that whatever else the machine does meets all of
them; the figure is the median of the turns, and the ratio is the median of the ratios within a turn.
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

PLAIN = "SentenceTransformer.encode"


@dataclass
class Contender:
    """What is timed, and what its turns gave."""

    name: str
    encode: Callable[[list[str]], Any]
    texts: list[str]
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)
    vectors: Any = None

    def turn(self) -> None:
        """Encodes once, on the clock."""
        used, started = time.process_time(), time.perf_counter()
        self.vectors = self.encode(self.texts)
        self.seconds.append(time.perf_counter() - started)
        self.processor_seconds.append(time.process_time() - used)

    def row(self, plain: Contender) -> dict[str, Any]:
        """Medians, and the ratio and cosine to the plain way on the same texts."""
        seconds = statistics.median(self.seconds)
        ratios = [base / ours for base, ours in zip(plain.seconds, self.seconds, strict=True)]
        work = statistics.median(plain.processor_seconds) / statistics.median(self.processor_seconds)
        same_model = self.vectors.shape[1] == plain.vectors.shape[1]
        cosine = np.sum(self.vectors * plain.vectors, axis=1) if same_model else None
        return {
            "name": self.name,
            "headlines_per_second": round(len(self.texts) / seconds, 1),
            "seconds": round(seconds, 3),
            "turns": len(self.seconds),
            "times_plain": round(statistics.median(ratios), 2),
            "times_plain_in_processor_time": round(work, 2),
            "cosine_lowest": None if cosine is None else round(float(cosine.min()), 6),
            "cosine_mean": None if cosine is None else round(float(cosine.mean()), 6),
        }


def run(*, seconds: float = 60.0) -> dict[str, Any]:
    """Measures on the UCI sample; the turns go on for that many seconds, but there are at least three."""
    from core.data.timelines import samples

    texts = samples.load_sample("uci").texts
    distinct = list(dict.fromkeys(texts))
    contenders = _contenders(texts, distinct)
    until = time.monotonic() + seconds
    while len(contenders[0].seconds) < 3 or time.monotonic() < until:
        for contender in contenders:
            contender.turn()
    plain = {len(c.texts): c for c in reversed(contenders) if c.name.startswith(PLAIN)}
    return {
        "benchmark": "embedding",
        "headlines": len(texts),
        "distinct": len(distinct),
        "rows": [contender.row(plain[len(contender.texts)]) for contender in contenders],
        "cache_seconds": _cache(texts),
    }


def _contenders(texts: list[str], distinct: list[str]) -> list[Contender]:
    """What is timed, warmed up; the plain way comes first."""
    from sentence_transformers import SentenceTransformer

    from core.models.encoders.minilm import MiniLM
    from core.models.encoders.use_multilingual import UseMultilingual
    from core.models.weights import locate
    from core.runtime import Runtime

    plain = SentenceTransformer(str(locate("minilm")), device="cpu")
    half = MiniLM().build(Runtime(half=True))
    full = MiniLM().build(Runtime(half=False))
    use = UseMultilingual().build(Runtime())
    for encoder in (plain, half, full, use):
        encoder.encode(texts[:64])
    return [
        Contender(PLAIN, plain.encode, texts),
        Contender("minilm.v1", half.encode, texts),
        Contender(f"{PLAIN}, distinct texts", plain.encode, distinct),
        Contender("minilm.v1, distinct texts", half.encode, distinct),
        Contender("minilm.v1, float32", full.encode, texts),
        Contender("use_multilingual.v1", use.encode, texts),
    ]


def _cache(texts: list[str]) -> dict[str, float]:
    """Seconds for a timeline that is new, and that is known."""
    from core.models.encoders.cache import encode_cached
    from core.models.encoders.minilm import MiniLM
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(4):
            started = time.perf_counter()
            encode_cached(texts, MiniLM(), Runtime(cache=Path(folder)))
            seconds.append(time.perf_counter() - started)
    return {"new": round(seconds[0], 3), "known": round(statistics.median(seconds[1:]), 4)}
