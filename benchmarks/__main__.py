"""Runs the benchmarks, writes dated JSON, and rebuilds docs/benchmarks.md from the newest of each.

python -m benchmarks [NAME ...]      without a name, all but the long ones
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from datetime import UTC, datetime
from typing import Any

from benchmarks.publishing import RESULTS, ROOT, dated, machine
from core import files
from core.runtime import stay_offline

PAGE = ROOT / "docs" / "benchmarks.md"
NAMES = (
    "groups",
    "asking",
    "stories",
    "slices",
    "methods",
    "live",
    "live_growth",
    "peers",
    "growth",
    "main_job",
    "embedding",
    "cross_encoder",
    "cold_start",
    "pages",
    "clicks",
    "commands",
    "memory",
    "load",
    "maps",
    "candidates",
    "census",
    "repairs",
    "pairs",
    "learned_scorer",
    "headlines",
    "rouge",
    "generation",
    "numeral_safe",
    "repeats",
    "selection",
    "compare_page",
    "numerals",
    "numeral_speed",
    "claims",
    "fuzz_readers",
    "archives",
    "crowded",
    "soak",
    "archive_page",
)
LONG = frozenset({"archives", "archive_page", "crowded", "growth", "live_growth", "peers", "soak", "stories"})
"""Only where they are named, as they take their time."""


SHOWN = {
    "methods": ("method", "set", "ami", "pair_f1"),
    "generation": ("name", "tokens_per_second", "times_plain"),
    "rouge": ("texts", "pairs", "times_faster"),
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
    "learned_scorer": "figures.md",
    "live": "live.md#how-good-and-what-it-costs",
    "live_growth": "live.md#how-good-and-what-it-costs",
    "load": "speed.md",
    "main_job": "figures.md",
    "maps": "decisions/0006-map.md",
    "memory": "speed.md#memory",
    "numeral_safe": "figures.md",
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
    "cores of an AMD EPYC) are in the JSON of that date in `benchmarks/results/`. Each benchmark's module "
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
        result = importlib.import_module(f"benchmarks.{name}").run()
        whole = {**result, "date": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": before}
        dated(name, json.dumps(whole, indent=1) + "\n")
        print(table(whole["rows"]), flush=True)
    files.write(PAGE, page().encode())


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
        about = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip().partition("\n\n")[0]
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
