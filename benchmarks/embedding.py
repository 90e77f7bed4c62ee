"""Headlines a second of the encoders against plain SentenceTransformer.encode, on the same weights.

Usage: python -m benchmarks.embedding [FILE.csv[.gz] with a TITLE or headline column] [--seconds 60]

All contenders run in one process, by turns, so that whatever else the machine does meets all of
them; the figure is the median of the turns, and the ratio is the median of the ratios within a turn.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
UCI = Path("data/uci_news_aggregator/uci_stories.csv.gz")
BASELINE = "SentenceTransformer.encode, its defaults"
TOGETHER = ("sentence-transformers", "transformers", "torch", "tokenizers", "numpy")


def machine() -> dict[str, Any]:
    """The machine by its cores, the versions, and how busy it was when asked."""
    model = platform.processor() or platform.machine()
    flags: list[str] = []
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        rows = dict(
            (part.strip() for part in line.split(":", 1))
            for line in cpuinfo.read_text().splitlines()
            if ":" in line
        )
        model = rows.get("model name", model)
        wanted = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16")
        flags = [flag for flag in rows.get("flags", "").split() if flag in wanted]
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "flags": flags,
        "load_average": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        **{name: version(name) for name in TOGETHER},
    }


def headlines(path: Path) -> list[str]:
    """The headlines of a CSV with a TITLE or headline column."""
    import pandas as pd

    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    column = "TITLE" if "TITLE" in table.columns else "headline"
    return [str(text) for text in table[column]]


def run(path: Path | None = None, *, seconds: float = 60.0) -> dict[str, Any]:
    """Measures, and returns one dictionary that JSON can hold.

    Args:
        path: CSV of headlines; the UCI set in the folder of the larger data by default.
        seconds: How long the turns go on; there are always at least three.
    """
    shared = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared"))
    path = path or shared / UCI
    texts = headlines(path)
    distinct = list(dict.fromkeys(texts))
    before = machine()
    contenders, results = _contenders(texts, distinct)
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    busy: dict[str, list[float]] = {name: [] for name in contenders}
    until = time.monotonic() + seconds
    while min(map(len, taken.values())) < 3 or time.monotonic() < until:
        for name, encode in contenders.items():
            used, started = time.process_time(), time.perf_counter()
            results[name] = encode()
            taken[name].append(time.perf_counter() - started)
            busy[name].append(time.process_time() - used)
    rows = [_row(name, contenders, taken, busy, results, len(texts), len(distinct)) for name in contenders]
    return {
        "benchmark": "embedding",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "data": {"file": path.name, "headlines": len(texts), "distinct": len(distinct)},
        "machine": {**before, "load_average_after": machine()["load_average"]},
        "rows": rows,
        "cache": _cache(texts),
    }


def _contenders(texts: list[str], distinct: list[str]) -> tuple[dict[str, Callable[[], Any]], dict[str, Any]]:
    """What is timed, warmed up; the baseline comes first."""
    from sentence_transformers import SentenceTransformer

    from core.encoders.minilm import MiniLM
    from core.encoders.use_multilingual import UseMultilingual
    from core.runtime import Runtime
    from core.weights import locate

    plain = SentenceTransformer(str(locate("minilm")), device="cpu")
    half = MiniLM().build(Runtime(half=True))
    full = MiniLM().build(Runtime(half=False))
    use = UseMultilingual().build(Runtime())
    contenders: dict[str, Callable[[], Any]] = {
        BASELINE: lambda: plain.encode(texts),
        "minilm.v1": lambda: half.encode(texts),
        f"{BASELINE}, distinct texts only": lambda: plain.encode(distinct),
        "minilm.v1, distinct texts only": lambda: half.encode(distinct),
        "minilm.v1, float32": lambda: full.encode(texts),
        "use_multilingual.v1": lambda: use.encode(texts),
    }
    plain.encode(texts[:64])
    for encoder in (half, full, use):
        encoder.encode(texts[:64])
    return contenders, {}


def _row(
    name: str,
    contenders: dict[str, Callable[[], Any]],
    taken: dict[str, list[float]],
    busy: dict[str, list[float]],
    results: dict[str, Any],
    texts: int,
    distinct: int,
) -> dict[str, Any]:
    """One contender's medians, and its ratio and cosine to the baseline on the same texts."""
    only = "distinct texts only" in name
    against = next(other for other in contenders if other.startswith(BASELINE) and ("only" in other) == only)
    same_space = not name.startswith("use_")
    cosine = np.sum(results[name] * results[against], axis=1) if same_space else None
    ratios = [base / ours for base, ours in zip(taken[against], taken[name], strict=True)]
    work = statistics.median(busy[against]) / statistics.median(busy[name])
    return {
        "name": name,
        "headlines_per_second": round((distinct if only else texts) / statistics.median(taken[name]), 1),
        "seconds": round(statistics.median(taken[name]), 3),
        "turns": len(taken[name]),
        "times_plain": round(statistics.median(ratios), 2),
        "times_plain_in_processor_time": round(work, 2),
        "cosine_lowest": None if cosine is None else round(float(cosine.min()), 6),
        "cosine_mean": None if cosine is None else round(float(cosine.mean()), 6),
    }


def _cache(texts: list[str]) -> dict[str, float]:
    """Seconds for a timeline that is new, and that is known."""
    from core.encoders.cache import encode_cached
    from core.encoders.minilm import MiniLM
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(4):
            started = time.perf_counter()
            encode_cached(texts, MiniLM(), Runtime(cache=Path(folder)))
            seconds.append(time.perf_counter() - started)
    return {"new": round(seconds[0], 3), "known": round(statistics.median(seconds[1:]), 4)}


def table(result: dict[str, Any]) -> str:
    """The result as a Markdown table."""
    lines = [
        "| encoder | headlines/s | times plain | in processor time | lowest cosine to plain |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for row in result["rows"]:
        cosine = "–" if row["cosine_lowest"] is None else f"{row['cosine_lowest']:.5f}"
        lines.append(
            f"| {row['name']} | {row['headlines_per_second']:,.0f} | {row['times_plain']:.2f} "
            f"| {row['times_plain_in_processor_time']:.2f} | {cosine} |"
        )
    return "\n".join(lines)


def write(result: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Writes the dated JSON, and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"embedding-{result['date']}.json"
    path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return path


def main() -> int:
    """Runs, prints the table and writes the JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    from core.weights import prepare_hub_libraries

    prepare_hub_libraries()
    result = run(arguments.file, seconds=arguments.seconds)
    print(table(result))
    print(json.dumps({"cache": result["cache"], "machine": result["machine"]}))
    print(write(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
