"""How fast encoders, pair models, candidates and the census work."""

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.publishing import Contender, by_turns, median, seconds
from core.consistency.census import census
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import open_headlines
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_sample
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.encoders.minilm import MiniLM
from core.models.encoders.use_multilingual import UseMultilingual
from core.models.networks.precision import bfloat16_pays
from core.models.weights import locate
from core.pairs.candidates import Sieve, tiles
from core.pairs.cross_encoder.found import find
from core.pairs.cross_encoder.inference import pair_reader
from core.pairs.cross_encoder.model import build, save
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.runtime import Runtime, detect_device

EMBEDDING_PLAIN = "SentenceTransformer.encode"
DISTINCT = ", distinct texts"


def _embedding_speed(contender: Contender, plain: Contender, headlines: int) -> dict[str, Any]:
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


def run_embedding(*, at_least: float = 60.0) -> dict[str, Any]:
    """Headlines a second of the encoders against plain SentenceTransformer.encode, on the same weights.

    All contenders run in one process, by turns, so that whatever else the machine does meets all of
    them; the figure is the median of the turns, and the ratio is the median of the ratios within a turn.

    Measures on the UCI sample; the turns go on for that many seconds, but there are at least three.
    """
    texts = load_sample("uci").texts
    distinct = list(dict.fromkeys(texts))
    contenders = _embedding_contenders(texts, distinct)
    by_turns(contenders, seconds=at_least)
    rows = []
    for contender in contenders:
        plain, count = contenders[0], len(texts)
        if contender.name.endswith(DISTINCT):
            plain, count = contenders[2], len(distinct)
        rows.append(_embedding_speed(contender, plain, count))
    return {
        "benchmark": "embedding",
        "headlines": len(texts),
        "distinct": len(distinct),
        "rows": rows,
        "cache_seconds": _cache(texts),
    }


def _embedding_contenders(texts: list[str], distinct: list[str]) -> list[Contender]:
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(locate("minilm")), device="cpu")
    half = MiniLM().build(Runtime(half=True))
    full = MiniLM().build(Runtime(half=False))
    use = UseMultilingual().build(Runtime())
    for encoder in (plain, half, full, use):
        encoder.encode(texts[:64])
    return [
        Contender(EMBEDDING_PLAIN, partial(plain.encode, texts)),
        Contender("minilm.v1", partial(half.encode, texts)),
        Contender(EMBEDDING_PLAIN + DISTINCT, partial(plain.encode, distinct)),
        Contender("minilm.v1" + DISTINCT, partial(half.encode, distinct)),
        Contender("minilm.v1, float32", partial(full.encode, texts)),
        Contender("use_multilingual.v1", partial(use.encode, texts)),
    ]


def _cache(texts: list[str]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        work = partial(encode_cached, texts, MiniLM(), Runtime(cache=Path(folder)))
        return {"new": round(seconds(work), 3), "known": round(median(work), 4)}


CROSS_ENCODER_PLAIN = "CrossEncoder.predict"
PAIRS = 400
CROSS_ENCODER_SEED = 303


def run_cross_encoder(*, seconds: float = 60.0, pairs: int = PAIRS) -> dict[str, Any]:
    """Pairs a second of a pair model against plain CrossEncoder.predict, on the same weights; both orders,
    too.

    Contenders run in one process, by turns, so that whatever else the machine does meets all of
    them; a figure is the median of the turns, a ratio the median of the ratios within a turn (by pairs, so
    that both orders count as twice as many; the last but one column is the time against one order). The
    weights are MiniLM's with a new classifier: what they say does not matter for the time.

    Measures on pairs of the UCI sample; the turns go on for that long, but there are at least three.
    """
    given = load_pair_set("uci")
    drawn = np.sort(
        np.random.default_rng(CROSS_ENCODER_SEED).choice(len(given), min(pairs, len(given)), replace=False)
    )
    given = given.with_pairs(drawn)
    with tempfile.TemporaryDirectory() as folder:
        contenders = _cross_encoder_contenders(given, Path(folder))
        for contender in contenders:
            contender.work()
        by_turns(contenders, seconds=seconds)
    plain, one = contenders[0], contenders[1]
    return {
        "benchmark": "cross_encoder",
        "pairs": len(given),
        "rows": [_cross_encoder_speed(contender, plain, one, len(given)) for contender in contenders],
    }


def _cross_encoder_speed(
    contender: Contender, plain: Contender, one: Contender, pairs: int
) -> dict[str, Any]:
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


def _cross_encoder_contenders(given: Any, folder: Path) -> list[Contender]:
    from sentence_transformers import CrossEncoder

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
        Contender(CROSS_ENCODER_PLAIN, plain),
        Contender("pair model", ours(half=True, both=False)),
        Contender("pair model, both orders", ours(half=True, both=True)),
        Contender("pair model, float32", ours(half=False, both=False)),
    ]


SIZES = (300, 2000)
DENSITIES = (0.01, 0.1, 0.5)
MOST_WALKED = 10_000_000


def run_census() -> dict[str, Any]:
    """The exact census of all triplets, against igraph's motif count and the trace of a cube in NumPy.

    Links are those of cosine with time decay on the first headlines of the UCI sample, and random ones of
    three densities. igraph counts triangles and open triplets (`motifs_randesu`), NumPy triangles alone
    (`trace(A³) / 6` in float64); ours counts all four kinds. igraph walks through every triplet with two
    links, so it is left out where these are more than 10 million. Seconds are medians of three, igraph's of
    one run.
    """
    rows = []
    for size in SIZES:
        rows.append({"links": "UCI, cosine with time", **_measure_census(_real(size))})
        for density in DENSITIES:
            rows.append({"links": f"random, {density:.0%}", **_measure_census(_random(size, density))})
    return {"benchmark": "triangle census", "rows": rows}


def _measure_census(links: np.ndarray) -> dict[str, Any]:
    import igraph

    found = census(links)
    floats = links.astype(np.float64)
    assert round(float(np.trace(floats @ floats @ floats))) == 6 * found.three
    motifs = None
    if found.linked_twice <= MOST_WALKED:
        graph = igraph.Graph(n=len(links), edges=np.argwhere(np.triu(links)).tolist())
        counts: list[float] = []
        motifs = round(seconds(lambda: counts.extend(graph.motifs_randesu(size=3)[2:])), 4)
        assert [int(count) for count in counts] == [found.two, found.three]
    ours = median(lambda: census(links))
    cube = median(lambda: float(np.trace(floats @ floats @ floats)))
    return {
        "headlines": len(links),
        "triplets": found.triplets,
        "with_two_links": found.linked_twice,
        "broken": found.two,
        "ours_seconds": round(ours, 4),
        "igraph_seconds": motifs,
        "numpy_seconds": round(cube, 4),
    }


def _real(size: int) -> np.ndarray:
    with tempfile.TemporaryDirectory() as cache:
        subject = open_headlines("sample:uci", most=size)
        scored = score_both_orders(subject, Scoring(scorer="cosine_time"), Runtime(cache=Path(cache)))
    return scored.scores.links


def _random(size: int, density: float) -> np.ndarray:
    upper = np.triu(np.random.default_rng(0).random((size, size)) < density, k=1)
    return upper | upper.T


HEADLINES = 100_000
DAYS = 60
WINDOW = 4.0
FLOOR = 0.5
NOISE = 0.75
RUNS = 3
CANDIDATES_SEED = 606


def run_candidates() -> dict[str, Any]:
    """Candidate pairs of a very long timeline: 100,000 headlines over 60 days, every pair at most 4 days
    apart whose cosine is 0.5 or more, exactly.

    The vectors are MiniLM's of UCI headlines, drawn with replacement, with noise of 0.75 of their length
    added (cosine to the original about 0.8); the days are drawn evenly. Each row is a process of its own, the
    best of three runs; processor seconds, added over all cores, hardly depend on who else uses the machine.
    Memory is the peak of the process, vectors, libraries and the making of them included.
    """
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
                rows.append(pool.apply(_measure_candidates, (str(file), where, half)))
    return {
        "benchmark": "candidate pairs",
        "seed": CANDIDATES_SEED,
        "floor": FLOOR,
        "window_days": WINDOW,
        "rows": rows,
    }


def _real_vectors() -> np.ndarray:
    with tempfile.TemporaryDirectory() as cache:
        return encode_cached(load_sample("uci").texts, encoders.parse("minilm"), Runtime(cache=Path(cache)))


def _measure_candidates(file: str, device: str, half: bool) -> dict[str, Any]:
    vectors, days = _timeline(np.load(file))
    runtime = Runtime(device=device, half=half)
    seconds, busy, order = [], [], np.argsort(days, kind="stable")
    for _ in range(RUNS):
        started, before = time.perf_counter(), time.process_time()
        sieve, pairs_found = Sieve(vectors[order], runtime), 0
        for rows, columns in tiles(days[order], WINDOW):
            left, right = sieve.may_reach(rows, columns, FLOOR)
            near = (np.abs(days[order[left]] - days[order[right]]) <= WINDOW) & (left < right)
            pairs_found += len(sieve.reach(left[near], right[near], FLOOR)[0])
        seconds.append(time.perf_counter() - started)
        busy.append(time.process_time() - before)
    sorted_days = np.sort(days)
    reach = np.searchsorted(sorted_days, sorted_days + WINDOW, side="right")
    return {
        "device": device,
        "precision": "bfloat16, then float32" if half else "float32",
        "headlines": HEADLINES,
        "pairs_in_the_window": int((reach - np.arange(HEADLINES) - 1).sum()),
        "pairs_found": pairs_found,
        "seconds": round(min(seconds), 2),
        "slowest_seconds": round(max(seconds), 2),
        "processor_seconds": round(min(busy), 2),
        "peak_gigabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }


def _timeline(real: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(CANDIDATES_SEED)
    noise = rng.standard_normal((HEADLINES, real.shape[1]), dtype=np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    noise += real[rng.integers(0, len(real), HEADLINES)]
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    return noise, rng.uniform(0, DAYS, HEADLINES)
