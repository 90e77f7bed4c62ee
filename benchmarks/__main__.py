"""Runs the benchmarks, writes dated JSON, and rebuilds docs/benchmarks.md from the newest of each.

python -m benchmarks [NAME ...]      without a name, all but the long ones
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from benchmarks.publishing import RESULTS, ROOT, dated, machine
from core import files
from core.runtime import stay_offline

PAGE = ROOT / "docs" / "benchmarks.md"
BENCHMARKS = {
    "groups": "grouping",
    "asking": "grouping",
    "stories": "grouping",
    "methods": "grouping",
    "languages": "grouping",
    "live": "live",
    "live_growth": "scale",
    "peers": "scale",
    "growth": "scale",
    "main_job": "main_job",
    "embedding": "throughput",
    "cross_encoder": "throughput",
    "cold_start": "waiting",
    "pages": "waiting",
    "clicks": "waiting",
    "commands": "processes",
    "memory": "waiting",
    "load": "sessions",
    "maps": "processes",
    "candidates": "throughput",
    "census": "throughput",
    "repairs": "pair_scores",
    "pairs": "pair_scores",
    "learned_scorer": "pair_scores",
    "headlines": "writing",
    "rouge": "rouge",
    "consensus": "writing",
    "repeats": "writing",
    "selection": "writing",
    "numerals": "reading_numerals",
    "numeral_speed": "reading_numerals",
    "claims": "reading_numerals",
    "fuzz_readers": "fuzz_readers",
    "archives": "scale",
    "crowded": "scale",
    "soak": "sessions",
    "archive_page": "waiting",
}
"""Modules by benchmark, in the order of the page; a benchmark is its function `run_NAME`."""

NAMES = tuple(BENCHMARKS)
LONG = frozenset({"archives", "archive_page", "crowded", "growth", "live_growth", "peers", "soak", "stories"})
"""Only where they are named, as they take their time."""


SHOWN = {
    "rouge": ("texts", "pairs", "times_faster"),
    "methods": ("method", "set", "ami", "pair_f1"),
    "numeral_speed": ("work", "median_ms", "slowest_tenth_ms"),
}
ROWS = 7
"""Benchmarks with a table on the page, its columns, and its rows; all are in the JSON."""

ELSEWHERE = {
    "archive_page": "archive.md#in-the-app",
    "archives": "scale.md#measured",
    "asking": "decisions/0017-level-of-a-timeline.md",
    "candidates": "figures.md",
    "census": "figures.md",
    "claims": "numeral_benchmark.md#lights",
    "clicks": "speed.md",
    "cold_start": "speed.md",
    "commands": "speed.md",
    "cross_encoder": "figures.md",
    "crowded": "scale.md#crowded-days",
    "embedding": "figures.md",
    "groups": "../README.md#how-good",
    "growth": "scale.md#measured",
    "headlines": "headline_benchmark.md#numhg-held-out",
    "languages": "decisions/0005-embeddings.md",
    "learned_scorer": "figures.md",
    "live": "live.md#how-good-and-what-it-costs",
    "live_growth": "live.md#how-good-and-what-it-costs",
    "load": "speed.md",
    "main_job": "figures.md",
    "maps": "decisions/0006-map.md",
    "memory": "speed.md#memory",
    "consensus": "headlines.md#what-writes-by-default",
    "numerals": "numeral_benchmark.md#results",
    "pages": "speed.md",
    "pairs": "pair_benchmark.md",
    "peers": "scale.md#beside-other-ways-of-grouping",
    "repairs": "consistency.md#repairs",
    "repeats": "headlines.md#what-may-be-asked",
    "selection": "selection.md#measured",
    "stories": "decisions/0024-stories.md",
    "soak": "live.md#how-good-and-what-it-costs",
}
"""Benchmarks whose figures are on a page of their own."""


NOTHING = "–"
ABOUT = (
    "Written by `make bench`. A date leads to the figures; all rows, library versions and the machine (two "
    "cores of an AMD EPYC) are in the JSON of that date in `benchmarks/results/`. Each benchmark's function "
    "says how it measures. Ratios are taken within one run; seconds are orders of magnitude."
)


def main() -> None:
    """Runs what was named."""
    stay_offline()
    wanted = sys.argv[1:] or [name for name in NAMES if name not in LONG]
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]!r}; choose from {', '.join(NAMES)}.")
    for name in wanted:
        print(f"{name} …", flush=True)
        before = machine()
        result = benchmark(name)()
        whole = {**result, "date": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": before}
        dated(name, json.dumps(whole, indent=1) + "\n")
        print(table(whole["rows"]), flush=True)
    files.write(PAGE, page().encode())


def benchmark(name: str) -> Callable[[], dict[str, Any]]:
    run: Callable[[], dict[str, Any]] = getattr(
        importlib.import_module(f"benchmarks.{BENCHMARKS[name]}"), f"run_{name}"
    )
    return run


def newest(name: str) -> dict[str, Any] | None:
    """The latest result of a benchmark."""
    files = sorted(RESULTS.glob(f"{name}-*.json"))
    if not files:
        return None
    result: dict[str, Any] = json.loads(files[-1].read_text())
    return result


def page() -> str:
    """The page of all newest results: where each has its figures, and a few tables."""
    index, tables = [], []
    for name in NAMES:
        result = newest(name)
        if result is None:
            continue
        about = (benchmark(name).__doc__ or "").strip().partition("\n\n")[0]
        title = _words(result["benchmark"]).capitalize()
        place = ELSEWHERE.get(name, f"../benchmarks/results/{name}-{result['date']}.json")
        if name in SHOWN:
            place = "#" + re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            shown = table([{key: row.get(key) for key in SHOWN[name]} for row in result["rows"][:ROWS]])
            tables += [f"## {title}", shown]
        measured = " ".join(about.split()).partition(": ")[0].rstrip(".")
        index.append(f"- `python -m benchmarks {name}`: {measured} ([{result['date']}]({place}))")
    return "\n\n".join(["# Benchmarks", ABOUT, "\n".join(index), *tables]) + "\n"


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as a Markdown table; columns in order of first appearance."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = [
        "| " + " | ".join(_words(column) for column in columns) + " |",
        "| " + " | ".join("---" for _ in columns) + " |",
    ]
    lines += ["| " + " | ".join(_cell(row.get(column)) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(value: Any) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, list):
        return " – ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{_words(key)} {_cell(one)}" for key, one in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


if __name__ == "__main__":
    main()
