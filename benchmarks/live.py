"""Headlines one by one, beside other ways of online clustering."""

import math
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.grouping import sets
from core.data.timelines.load import load
from core.events.grouping import Settings, prepare, regroup
from core.groups.quality import quality
from core.live.arrivals import arrivals_of, timeline_of
from core.live.stream import Stream
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.runtime import Runtime
from core.text.language import timeline_language
from core.text.word_vectors import headline_words

SETS = ("ISS", "AllSides", "UCI")
CHOSEN_ON = "ECB+ headlines"
RADII = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
LINES = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
SLOWEST = 1_500  # headlines past which DBSTREAM is left out


def run_live() -> dict[str, Any]:
    """Headlines one by one, against the same headlines at once and other methods of online clustering.

    Vectors are there already, so seconds are of grouping alone (processor time). *one by one*: as the stream
    stands when the last headline came; *regrouped*: after the regrouping that ends every look at a source.
    River's DBSTREAM reads the vectors at random projections to 64 numbers, as its pure Python would take
    hours on 384; single pass puts a headline to the nearest centroid of TF-IDF within 5 days, or opens a
    group (Allan et al. 1998; Miranda et al. 2018). The thresholds of both were chosen on ECB+ headlines;
    nothing of ours was. The share after which the window is regrouped was chosen on UCI and AllSides.
    """
    tables = sets()
    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache), patient=True)
        read = {
            name: arrivals_of(load(tables[name].to_csv(index=False).encode(), "set.csv"))
            for name in (*SETS, CHOSEN_ON)
            if name in tables
        }
        radius = max(
            RADII,
            key=lambda value: _f1(read[CHOSEN_ON], lambda *given: dbstream(*given, radius=value), runtime),
        )
        line = max(
            LINES,
            key=lambda value: _f1(read[CHOSEN_ON], lambda *given: single_pass(*given, line=value), runtime),
        )
        rows = [
            row for name in SETS if name in read for row in _rows(name, read[name], radius, line, runtime)
        ]
    return {"benchmark": "live", "rows": rows, "dbstream_radius": radius, "single_pass_line": line}


def _rows(name: str, arrivals: list[Any], radius: float, line: float, runtime: Any) -> list[dict[str, Any]]:
    vectors = _vectors(arrivals, runtime)
    timeline = timeline_of(arrivals, name)

    def at_once() -> list[int]:
        found: list[int] = regroup(prepare(timeline, Settings(), runtime)).ids.tolist()
        return found

    stream = Stream(runtime)

    def one_by_one() -> list[int]:
        for _ in stream.add(arrivals):
            pass
        return [stream.book.group_of[arrival.key] for arrival in arrivals]

    def regrouped() -> list[int]:
        stream.regroup()
        return [stream.book.group_of[arrival.key] for arrival in arrivals]

    methods: dict[str, Callable[[], list[int]]] = {
        "at once": at_once,
        "one by one": one_by_one,
        "regrouped": regrouped,
        "single pass": lambda: single_pass(arrivals, vectors, line=line),
    }
    if len(arrivals) <= SLOWEST:
        methods["DBSTREAM"] = lambda: dbstream(arrivals, vectors, radius=radius)
    return [{"set": name, "method": method, **_measured(arrivals, run)} for method, run in methods.items()]


def _measured(arrivals: list[Any], run: Callable[[], list[int]]) -> dict[str, Any]:
    started = time.process_time()
    labels = run()
    seconds = time.process_time() - started
    found = quality(np.array(labels), [arrival.gold_group for arrival in arrivals])
    return {
        "headlines": len(arrivals),
        "ami": round(found["ami"].value or 0.0, 3),
        "pair_f1": round(found["pair_f1"].value or 0.0, 3),
        "seconds": round(seconds, 2),
        "ms_a_headline": round(1000 * seconds / len(arrivals), 2),
    }


def _f1(arrivals: list[Any], method: Callable[..., list[int]], runtime: Any) -> float:
    labels = method(arrivals, _vectors(arrivals, runtime))
    return quality(np.array(labels), [arrival.gold_group for arrival in arrivals])["pair_f1"].value or 0.0


def _vectors(arrivals: Sequence[Any], runtime: Any) -> Any:
    texts = [arrival.text for arrival in arrivals]
    return encode_cached(texts, encoders.parse(default_encoder(timeline_language(texts))), runtime)


def dbstream(arrivals: Sequence[Any], vectors: Any, *, radius: float) -> list[int]:
    """River's DBSTREAM: every headline is learnt, and gets the cluster that it is in at the end."""
    from river import cluster

    to = np.random.default_rng(0).normal(size=(vectors.shape[1], 64)) / 8
    points = [dict(enumerate(row)) for row in (vectors @ to).tolist()]
    model = cluster.DBSTREAM(
        clustering_threshold=radius,
        fading_factor=1e-4,
        cleanup_interval=1e9,
        intersection_factor=0.3,
        minimum_weight=1.0,
    )
    for point in points:
        model.learn_one(point)
    return [int(model.predict_one(point)) for point in points]


def single_pass(arrivals: Sequence[Any], _vectors: Any, *, line: float, days: float = 5.0) -> list[int]:
    """The nearest centroid of words in the last days, or a group of its own."""
    having: Counter[str] = Counter()
    centroids: list[dict[str, float]] = []
    last: list[float] = []
    holding: dict[str, list[int]] = {}
    found = []
    for seen, one in enumerate(arrivals):
        words = headline_words(one.text)
        having.update(words.keys())
        weights = {word: (1 + math.log(n)) * math.log((seen + 2) / having[word]) for word, n in words.items()}
        length = math.sqrt(sum(value**2 for value in weights.values())) or 1.0
        weights = {word: value / length for word, value in weights.items()}
        near: Counter[int] = Counter()
        for word, value in weights.items():
            for group in holding.get(word, ()):
                if not abs(one.day - last[group]) > days:
                    near[group] += value * centroids[group][word]
        scores = {
            group: value / math.sqrt(sum(v**2 for v in centroids[group].values()))
            for group, value in near.most_common(20)
        }
        best = max(scores, key=lambda group: scores[group], default=-1)
        if best < 0 or scores[best] < line:
            best = len(centroids)
            centroids.append({})
            last.append(one.day)
        for word, value in weights.items():
            if word not in centroids[best]:
                holding.setdefault(word, []).append(best)
            centroids[best][word] = centroids[best].get(word, 0.0) + value
        last[best] = one.day
        found.append(best)
    return found
