"""Load, embed, group and map the UCI sample from a cold process, against BERTopic on the same model."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from core.files import ROOT


def ours(cache: Path) -> dict[str, Any]:
    """Our way, with the granularity chosen from the timeline."""
    from core.data.timelines.samples import load_sample
    from core.events.export import draw_map
    from core.events.grouping import Settings, prepare, regroup
    from core.maps.projector import DEFAULT_MAP
    from core.runtime import Runtime, stay_offline

    stay_offline()
    runtime = Runtime(cache=cache)
    prepared = prepare(load_sample("uci"), Settings(), runtime)
    grouping = regroup(prepared)
    positions = draw_map(prepared, DEFAULT_MAP, runtime).positions
    return _scores(grouping.ids.tolist()) | {"granularity": grouping.granularity, "mapped": len(positions)}


def bertopic() -> dict[str, Any]:
    """BERTopic with its defaults on the same MiniLM, and the 2-D UMAP that its pictures use."""
    from core.runtime import stay_offline

    stay_offline()
    from bertopic import BERTopic
    from sentence_transformers import SentenceTransformer
    from umap import UMAP

    from core.data.timelines.samples import load_sample
    from core.models.weights import locate

    texts = load_sample("uci").texts
    model = SentenceTransformer(str(locate("minilm")), device="cpu")
    vectors = model.encode(texts)
    topics, _ = BERTopic(embedding_model=model).fit_transform(texts, vectors)
    positions = UMAP(n_neighbors=15, n_components=2, metric="cosine").fit_transform(vectors)
    outliers = sum(topic == -1 for topic in topics) / len(topics)
    return _scores(topics) | {"outliers": round(outliers, 3), "mapped": len(positions)}


def _scores(labels: list[int]) -> dict[str, Any]:
    from core.data.timelines.samples import load_sample
    from core.data.timelines.timeline import Field
    from core.groups.quality import quality

    gold = load_sample("uci").table[Field.GOLD].tolist()
    measured = quality(labels, gold)
    return {name: round(measured[name].value or 0.0, 4) for name in ("ami", "ari", "pair_f1")}


def run_main_job(*, turns: int = 3) -> dict[str, Any]:
    """Load, embed, group and map the UCI sample from a cold process, against BERTopic on the same model.

    Each contender runs in a process of its own (`python -m benchmarks.main_job ours|bertopic`), by
    turns; nothing is cached from one to the next. Time is the whole process, imports included.
    """
    results: dict[str, list[dict[str, Any]]] = {"ours": [], "bertopic": []}
    for _ in range(turns):
        for name, found in results.items():
            found.append(_once(name))
    rows = [
        {
            "name": name,
            "seconds": round(statistics.median(one["seconds"] for one in found), 1),
            "peak_megabytes": round(statistics.median(one["peak_megabytes"] for one in found)),
            **{key: found[0][key] for key in ("ami", "ari", "pair_f1")},
        }
        for name, found in results.items()
    ]
    pairs = zip(results["ours"], results["bertopic"], strict=True)
    ratio = statistics.median(theirs["seconds"] / own["seconds"] for own, theirs in pairs)
    return {"benchmark": "main job", "turns": turns, "rows": rows, "times_faster": round(ratio, 2)}


def _once(name: str) -> dict[str, Any]:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.main_job", name],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "0", "TQDM_DISABLE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result | {"seconds": time.perf_counter() - started}


def main() -> None:
    if sys.argv[1] == "ours":
        with tempfile.TemporaryDirectory() as folder:
            result = ours(Path(folder))
    else:
        result = bertopic()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts kilobytes, macOS bytes.
    result["peak_megabytes"] = peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
