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
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
UCI = Path("data/uci_news_aggregator/uci_stories.csv.gz")
PLAIN = "SentenceTransformer.encode"
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


def run(path: Path | None = None, *, seconds: float = 60.0, every: int = 1) -> dict[str, Any]:
    """Measures, and returns one dictionary that JSON can hold.

    Args:
        path: CSV of headlines; the UCI set in the folder of the larger data by default.
        seconds: How long the turns go on; there are always at least three.
        every: Takes only every so many-th headline.
    """
    shared = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared"))
    path = path or shared / UCI
    texts = headlines(path)[::every]
    distinct = list(dict.fromkeys(texts))
    before = machine()
    contenders = _contenders(texts, distinct)
    until = time.monotonic() + seconds
    while len(contenders[0].seconds) < 3 or time.monotonic() < until:
        for contender in contenders:
            contender.turn()
    plain = {len(c.texts): c for c in reversed(contenders) if c.name.startswith(PLAIN)}
    return {
        "benchmark": "embedding",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "data": {"file": path.name, "headlines": len(texts), "distinct": len(distinct)},
        "machine": {**before, "load_average_after": machine()["load_average"]},
        "rows": [contender.row(plain[len(contender.texts)]) for contender in contenders],
        "cache": _cache(texts),
    }


def _contenders(texts: list[str], distinct: list[str]) -> list[Contender]:
    """What is timed, warmed up; the plain way comes first."""
    from sentence_transformers import SentenceTransformer

    from core.encoders.minilm import MiniLM
    from core.encoders.use_multilingual import UseMultilingual
    from core.runtime import Runtime
    from core.weights import locate

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
    parser.add_argument("--every", type=int, default=1, help="take only every so many-th headline")
    arguments = parser.parse_args()
    from core.weights import prepare_hub_libraries

    prepare_hub_libraries()
    result = run(arguments.file, seconds=arguments.seconds, every=arguments.every)
    print(table(result))
    print(json.dumps({"cache": result["cache"], "machine": result["machine"]}))
    print(write(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
