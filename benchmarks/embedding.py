"""Headlines a second of the encoders against plain SentenceTransformer.encode, on the same weights.

All contenders run in one process, by turns, so that whatever else the machine does meets all of
them; the figure is the median of the turns, and the ratio is the median of the ratios within a turn.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import Contender, by_turns, median, seconds

PLAIN = "SentenceTransformer.encode"
DISTINCT = ", distinct texts"


def _row(contender: Contender, plain: Contender, headlines: int) -> dict[str, Any]:
    own, theirs = contender.found[-1], plain.found[-1]
    cosine = np.sum(own * theirs, axis=1) if own.shape[1] == theirs.shape[1] else None
    return {
        "name": contender.name,
        "headlines_per_second": round(headlines / contender.middle(), 1),
        "seconds": round(contender.middle(), 3),
        "turns": len(contender.seconds),
        "times_plain": round(contender.times(plain), 2),
        "times_plain_in_processor_time": round(contender.times_in_processor_time(plain), 2),
        "cosine_lowest": None if cosine is None else round(float(cosine.min()), 6),
        "cosine_mean": None if cosine is None else round(float(cosine.mean()), 6),
    }


def run(*, at_least: float = 60.0) -> dict[str, Any]:
    """Measures on the UCI sample; the turns go on for that many seconds, but there are at least three."""
    from core.data.timelines import load

    texts = load.load_sample("uci").texts
    distinct = list(dict.fromkeys(texts))
    contenders = _contenders(texts, distinct)
    by_turns(contenders, seconds=at_least)
    rows = []
    for contender in contenders:
        plain, count = contenders[0], len(texts)
        if contender.name.endswith(DISTINCT):
            plain, count = contenders[2], len(distinct)
        rows.append(_row(contender, plain, count))
    return {
        "benchmark": "embedding",
        "headlines": len(texts),
        "distinct": len(distinct),
        "rows": rows,
        "cache_seconds": _cache(texts),
    }


def _contenders(texts: list[str], distinct: list[str]) -> list[Contender]:
    from sentence_transformers import SentenceTransformer

    from core.models.encoders.installed import MiniLM, UseMultilingual
    from core.models.weights import locate
    from core.runtime import Runtime

    plain = SentenceTransformer(str(locate("minilm")), device="cpu")
    half = MiniLM().build(Runtime(half=True))
    full = MiniLM().build(Runtime(half=False))
    use = UseMultilingual().build(Runtime())
    for encoder in (plain, half, full, use):
        encoder.encode(texts[:64])
    return [
        Contender(PLAIN, partial(plain.encode, texts)),
        Contender("minilm.v1", partial(half.encode, texts)),
        Contender(PLAIN + DISTINCT, partial(plain.encode, distinct)),
        Contender("minilm.v1" + DISTINCT, partial(half.encode, distinct)),
        Contender("minilm.v1, float32", partial(full.encode, texts)),
        Contender("use_multilingual.v1", partial(use.encode, texts)),
    ]


def _cache(texts: list[str]) -> dict[str, float]:
    from core.models.encoders.cache import encode_cached
    from core.models.encoders.installed import MiniLM
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as folder:
        work = partial(encode_cached, texts, MiniLM(), Runtime(cache=Path(folder)))
        return {"new": round(seconds(work), 3), "known": round(median(work), 4)}
