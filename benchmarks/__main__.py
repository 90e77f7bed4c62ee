"""Runs the benchmarks, writes dated JSON, and rebuilds docs/benchmarks.md from the newest of each.

python -m benchmarks [NAME ...]      without a name, all but the long ones
"""

import importlib
import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from benchmarks.publishing import ROOT, dated, machine
from core import files
from core.results.stored import newest
from core.results.text_tables import markdown
from core.runtime import stay_offline

PAGE = ROOT / "docs" / "benchmarks.md"
BENCHMARKS = {
    "groups": ("grouping", "../README.md#how-good"),
    "desks": ("grouping", "../README.md#how-good"),
    "asking": ("grouping", "decisions/0017-level-of-a-timeline.md"),
    "asked_links": ("asked_links", "own_models.md#links-in-doubt"),
    "own_models": ("own_models", "own_models.md#measured"),
    "stories": ("grouping", "decisions/0024-stories.md"),
    "event_stories": ("event_stories", "decisions/0024-stories.md"),
    "methods": ("grouping", ""),
    "baseline_levels": ("grouping", ""),
    "languages": ("grouping", "decisions/0005-embeddings.md"),
    "origins": ("origins", "figures.md"),
    "facts_grids": ("facts_grids", "figures.md#the-facts-grid"),
    "live": ("live", "live.md#how-good-and-what-it-costs"),
    "live_growth": ("scale", "live.md#how-good-and-what-it-costs"),
    "peers": ("scale", "scale.md#beside-other-ways-of-grouping"),
    "growth": ("growth", ""),
    "main_job": ("main_job", ""),
    "embedding": ("throughput", "figures.md"),
    "cross_encoder": ("throughput", "figures.md"),
    "cold_start": ("waiting", "speed.md"),
    "pages": ("waiting", "speed.md"),
    "clicks": ("waiting", "speed.md"),
    "own_file": ("waiting", "speed.md"),
    "commands": ("processes", "speed.md"),
    "load": ("sessions", "speed.md"),
    "saving": ("saving", "speed.md"),
    "maps": ("processes", "decisions/0006-map.md"),
    "candidates": ("throughput", "figures.md"),
    "census": ("throughput", "figures.md"),
    "repairs": ("pair_scores", "consistency.md#repairs"),
    "pairs": ("pair_scores", "pair_benchmark.md"),
    "learned_scorer": ("pair_scores", "figures.md"),
    "consistent_training": ("pair_scores", "training.md#consistency"),
    "distillation": ("pair_scores", "training.md#distillation"),
    "headlines": ("writing", "headline_benchmark.md#numhg-held-out"),
    "rouge": ("rouge", ""),
    "consensus": ("writing", "headlines.md#what-writes-by-default"),
    "repeats": ("writing", "headlines.md#what-may-be-asked"),
    "signals": ("writing", "headline_benchmark.md#training-signals"),
    "selection": ("writing", "selection.md#measured"),
    "unanswerable": ("reading_numerals", "papers.md"),
    "papers": ("paper_rows", "papers.md"),
    "numerals": ("reading_numerals", "numeral_benchmark.md#results"),
    "numeral_speed": ("reading_numerals", ""),
    "claims": ("reading_numerals", "numeral_benchmark.md#lights"),
    "routing": ("routing", "agreement.md#routing"),
    "false_alarms": ("false_alarms", "evaluation.md#how-it-counts"),
    "alpha": ("intervals", ""),
    "intervals": ("intervals", ""),
    "fuzz_readers": ("fuzz_readers", ""),
    "gpu": ("gpu", "models.md#devices-and-precision"),
    "archives": ("scale", "scale.md#measured"),
    "crowded": ("scale", "scale.md#crowded-days"),
    "soak": ("sessions", "speed.md#memory"),
    "archive_page": ("waiting", "archive.md#in-the-app"),
    "mutations": ("mutations", ""),
}
"""For each benchmark, in the order of the page: the module of its function `run_NAME`, and where in docs its
figures are; "" for a table on the page, or for the JSON alone."""

NAMES = tuple(BENCHMARKS)
LONG = frozenset(
    {
        "archives",
        "archive_page",
        "baseline_levels",
        "consistent_training",
        "crowded",
        "gpu",
        "growth",
        "intervals",
    }
    | {"live_growth", "mutations", "own_models", "papers", "peers", "routing", "signals", "soak", "stories"}
    | {"unanswerable"}
)
"""Only where they are named, as they take their time."""


SHOWN = {
    "growth": (
        *("job", "of", "size", "thousand_calls", "megabytes", "processor_seconds"),
        *(f"growth_of_{figure}" for figure in ("thousand_calls", "megabytes", "processor_seconds")),
    ),
    "main_job": (
        *("name", "processor_seconds", "seconds", "peak_megabytes", "ami", "pair_f1"),
        "why_not",
        "tokens",
    ),
    "rouge": ("texts", "pairs", "times_faster"),
    "methods": ("method", "set", "ami", "pair_f1"),
    "numeral_speed": ("work", "median_ms", "slowest_tenth_ms"),
    "alpha": ("answers", "people", "items", "covers_%"),
    "intervals": ("interval", "drawn", "size", "covers_%"),
    "mutations": ("package", "drawn", "killed", "not_reached", "share", "interval", "before"),
}
ROWS = {"methods": 7, "numeral_speed": 5}
"""Benchmarks with a table on the page, its columns, and its first rows where not all; all are in the JSON."""


NOTHING = "–"
ABOUT = (
    "Written by `make bench`; `python -m benchmarks` and a name runs one. A date leads to the figures; all "
    "rows, library versions and the machine (two cores of an AMD EPYC) are in the JSON of that date in "
    "`benchmarks/results/`. Ratios are taken within one run; seconds are orders of magnitude."
)


def main() -> None:
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
    module = importlib.import_module(f"benchmarks.{BENCHMARKS[name][0]}")
    run: Callable[[], dict[str, Any]] = getattr(module, f"run_{name}")
    return run


def page() -> str:
    """The page of all newest results: where each has its figures, and a few tables."""
    index, tables = [], []
    for name in NAMES:
        result = newest(name)
        if result is None:
            continue
        about = (benchmark(name).__doc__ or "").strip().partition("\n\n")[0]
        title = _words(result["benchmark"]).capitalize()
        place = BENCHMARKS[name][1] or f"../benchmarks/results/{name}-{result['date']}.json"
        if name in SHOWN:
            place = "#" + re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            shown = table(
                [{key: row.get(key) for key in SHOWN[name]} for row in result["rows"][: ROWS.get(name)]]
            )
            tables += [f"## {title}", shown]
        measured = " ".join(about.split()).partition(": ")[0].rstrip(".")
        index.append(f"- `{name}`: {measured} ([{result['date']}]({place}))")
    return "\n\n".join(["# Benchmarks", ABOUT, "\n".join(index), *tables]) + "\n"


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as a Markdown table; columns in order of first appearance."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return markdown(
        [list(map(_words, columns)), *([_cell(row.get(column)) for column in columns] for row in rows)]
    )


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
