"""Load, embed and group the UCI sample from a cold process, by us and by what a user would pick instead."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.files import ROOT
from core.runtime import stay_offline

TURNS: Final = int(os.environ.get("TURNS") or 3)
TOKEN: Final = 4  # characters of English in a token, about


def ours(encoder: str = "auto") -> dict[str, Any]:
    """Our way, with the granularity chosen from the timeline, and its map."""
    from core.data.timelines.samples import load_sample
    from core.events.export import draw_map
    from core.events.grouping import Settings, prepare, regroup
    from core.maps.projector import DEFAULT_MAP
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache))
        prepared = prepare(load_sample("uci"), Settings(encoder=encoder), runtime)
        grouping = regroup(prepared)
        draw_map(prepared, DEFAULT_MAP, runtime)
    return _scores(grouping.ids.tolist()) | {"granularity": grouping.granularity}


def bertopic() -> dict[str, Any]:
    """BERTopic with its defaults on MiniLM, and the 2-D UMAP that its pictures use."""
    from bertopic import BERTopic
    from umap import UMAP

    texts, model, vectors = _encoded()
    topics, _ = BERTopic(embedding_model=model).fit_transform(texts, vectors)
    UMAP(n_neighbors=15, n_components=2, metric="cosine").fit_transform(vectors)
    return _scores(topics)


def hdbscan() -> dict[str, Any]:
    """HDBSCAN of the vectors of MiniLM, of groups of two and more."""
    from sklearn.cluster import HDBSCAN

    return _scores(HDBSCAN(min_cluster_size=2).fit_predict(_encoded()[2]).tolist())


def community_detection() -> dict[str, Any]:
    """That of sentence-transformers with its usual threshold, of groups of two and more."""
    from sentence_transformers.util import community_detection as communities

    texts, _, vectors = _encoded()
    labels = [-1] * len(texts)
    for number, rows in enumerate(communities(vectors, min_community_size=2)):
        for row in rows:
            labels[row] = number
    return _scores(labels)


CONTENDERS: Final[dict[str, tuple[Callable[[], dict[str, Any]], str]]] = {
    "ours": (ours, ""),
    "ours on MiniLM": (partial(ours, "minilm"), ""),
    "bertopic": (bertopic, "bertopic"),
    "community_detection": (community_detection, "sentence_transformers"),
    "HDBSCAN": (hdbscan, "sklearn"),
}
"""What each computes, and the package that has to be installed for it."""


def _encoded() -> tuple[list[str], Any, Any]:
    from sentence_transformers import SentenceTransformer

    from core.data.timelines.samples import load_sample
    from core.models.weights import locate

    texts = load_sample("uci").texts
    model = SentenceTransformer(str(locate("minilm")), device="cpu")
    return texts, model, model.encode(texts)


def _scores(labels: Sequence[int]) -> dict[str, Any]:
    """Those with outliers (-1) as one group, or each alone: what has the higher AMI."""
    from benchmarks.publishing import rounded
    from core.data.timelines.samples import load_sample
    from core.data.timelines.timeline import Field
    from core.groups.quality import quality

    gold = load_sample("uci").table[Field.GOLD].tolist()
    alone = [label if label >= 0 else -row - 1 for row, label in enumerate(labels)]
    ways = (quality(np.unique(way, return_inverse=True)[1], gold) for way in (labels, alone))
    best = max(ways, key=lambda way: way["ami"].value or 0.0)
    outliers = sum(label < 0 for label in labels) / len(labels)
    return {**rounded(best, "ami", "ari", "pair_f1"), "outliers": round(outliers, 3)}


def run_main_job(*, turns: int = TURNS) -> dict[str, Any]:
    """Load, embed and group the UCI sample from a cold process, by us and by what a user would pick instead.

    Each contender runs in a process of its own (`python -m benchmarks.main_job NAME`), by turns; nothing is
    cached from one to the next. Time is the whole process, imports included, the middle of the turns;
    processor seconds are added over all cores and say more where others use the machine. We and BERTopic draw
    a map, too. Outliers are one group or each alone, whichever scores higher. What a language model would
    read is counted, not asked: its price is that of its address.
    """
    from core.data.timelines.samples import load_sample

    there = [name for name, (_, package) in CONTENDERS.items() if not package or find_spec(package)]
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in there}
    for _ in range(turns):
        for name, found in results.items():
            found.append(_once(name))
            print(name, found[-1], flush=True)
    rows: list[dict[str, Any]] = []
    for name, found in results.items():
        middle = {key: statistics.median(one[key] for one in found) for key in found[0]}
        rows.append({"name": name} | {key: round(value, 3) for key, value in middle.items()})
    rows += [{"name": name, "why_not": "not installed here"} for name in CONTENDERS if name not in there]
    tokens = round(sum(map(len, load_sample("uci").texts)) / TOKEN)
    rows.append({"name": "a language model at an address", "why_not": "not asked here", "tokens": tokens})
    return {"benchmark": "what a user would pick instead", "turns": turns, "rows": rows}


def _once(name: str) -> dict[str, Any]:
    started = time.perf_counter()
    words = [sys.executable, "-W", "ignore", "-m", "benchmarks.main_job", name]
    environment = os.environ | {"PYTHONHASHSEED": "0", "TQDM_DISABLE": "1"}
    with subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} failed.")
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds": round(time.perf_counter() - started, 1),
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_megabytes": round(usage.ru_maxrss * unit / 1e6),
        **json.loads(said.strip().splitlines()[-1]),
    }


if __name__ == "__main__":
    stay_offline()
    print(json.dumps(CONTENDERS[sys.argv[1]][0]()))
