"""Runs the benchmarks, writes dated JSON, and rebuilds docs/benchmarks.md from the newest of each.

python -m benchmarks [NAME ...]      without a name, all but the long ones
"""

from __future__ import annotations

import importlib
import json
import sys
from datetime import UTC, datetime
from typing import Any

from benchmarks.machine import machine
from benchmarks.publishing import RESULTS, ROOT, dated
from core import files
from core.runtime import stay_offline

PAGE = ROOT / "docs" / "benchmarks.md"
NAMES = (
    "groups",
    "asking",
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
LONG = frozenset({"archives", "archive_page", "crowded", "growth", "live_growth", "peers", "soak"})
"""Only where they are named, as they take their time."""


ROWS = 3
COLUMNS = 7
"""Of each table on the page; all are in the JSON."""

ELSEWHERE = {
    "archive_page": "archive.md#the-archive-page",
    "archives": "scale.md#measured",
    "claims": "numeral_benchmark.md#lights",
    "crowded": "scale.md#crowded-days",
    "groups": "../README.md#how-good",
    "growth": "scale.md#measured",
    "headlines": "headline_benchmark.md#numhg-held-out",
    "learned_scorer": "figures.md",
    "main_job": "figures.md",
    "maps": "decisions/0006-map.md",
    "numerals": "numeral_benchmark.md#results",
    "pairs": "pair_benchmark.md",
    "peers": "scale.md#beside-other-ways-of-grouping",
    "selection": "selection.md#measured",
    "soak": "live.md#how-good-and-what-it-costs",
}
"""Benchmarks whose figures are on a page of their own."""


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
    """The page of all newest results."""
    parts = [
        "# Benchmarks",
        "Written by `make bench`. All rows, library versions and processor flags are in the dated JSON in "
        "`benchmarks/results/`; how each is measured is in its module. Ratios are taken within one run on "
        "one machine; seconds are orders of magnitude.",
    ]
    for name in NAMES:
        result = newest(name)
        if result is None:
            continue
        module = importlib.import_module(f"benchmarks.{name}")
        parts += [
            f"## {_words(result['benchmark']).capitalize()}",
            f"`python -m benchmarks {name}`",
            (module.__doc__ or "").strip().partition("\n\n")[0],
        ]
        if place := ELSEWHERE.get(name):
            parts.append(f"[The figures]({place}).")
            continue
        rows = result["rows"]
        columns = list(dict.fromkeys(key for row in rows for key in row))
        parts.append(table([{key: row.get(key) for key in columns[:COLUMNS]} for row in rows[:ROWS]]))
        if len(rows) > ROWS or len(columns) > COLUMNS:
            parts.append("More rows or columns are in the JSON.")
        rest = {
            key: value
            for key, value in result.items()
            if key not in {"benchmark", "rows", "machine", "date"} and not isinstance(value, list)
        }
        if rest:
            parts.append(", ".join(f"{_words(key)}: {_cell(value)}" for key, value in rest.items()) + ".")
        parts.append(_machine_line(result))
    return "\n\n".join(parts) + "\n"


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
        return "–"
    if isinstance(value, list):
        return " – ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{_words(key)} {_cell(one)}" for key, one in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _machine_line(result: dict[str, Any]) -> str:
    where = result["machine"]
    cores, load = where["cores"], where["load_average"]
    return f"*{result['date']}, {cores} cores, {where['processor']}, load {load} before.*"


if __name__ == "__main__":
    main()
