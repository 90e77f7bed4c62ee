"""Where each number of a headline comes from, and whether it is right: what is found on held-out rows.

Tables over systems are in [numeral_benchmark.md](numeral_benchmark.md), every figure, also by operator and
by kind, in `benchmarks/results/numeral_benchmark-*.json`.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.publishing import machine, publish, save, tell
from core.results.table import text_rows
from core.runtime import Runtime, detect_device
from research.benchmark.numerals.run import run as run_table
from research.benchmark.numerals.sets import FILE, NumeralBenchmark, NumeralTask
from research.benchmark.numerals.tables import TITLES, as_markdown, main_tables

READ: Final = 500
"""Blanks of a set that the language model reads, drawn once: it takes half a second for each."""


def run() -> dict[str, Any]:
    """Measures, writes down each step as it is done, and gives the summary."""
    found = run_table(
        Runtime(device=detect_device(), patient=True),
        machine=machine(),
        read=READ,
        on_outcome=tell,
        on_set=lambda found: save(found, FILE),
    )
    publish(found, FILE, as_markdown(found, sets=found.sets[:1]), name="numerals")
    return {
        "benchmark": "numerals",
        "rows": summary(found),
        "seed": found.seed,
        "part": found.settings["part"],
    }


def summary(found: NumeralBenchmark) -> list[dict[str, Any]]:
    """One line a system and set, the first figures of each task."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for one in found.sets:
        for task, table in main_tables(found, one):
            if task is NumeralTask.CALIBRATION:
                continue
            head, *body = text_rows(table)
            for name, *values in body:
                line = lines.setdefault((one.name, name), {"set": one.name, "system": name})
                line |= {
                    f"{TITLES[task].lower()}: {label}": value
                    for label, value in zip(head[1:4], values[:3], strict=True)
                }
    return list(lines.values())
