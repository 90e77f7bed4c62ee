"""Where each number of a headline comes from, and whether it is right: what is found on held-out rows.

All tables, by operator and by kind, with intervals, stand in [numeral_benchmark.md](numeral_benchmark.md),
every figure in `benchmarks/results/numeral_benchmark-*.json`.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.machine import machine
from core import files
from core.numerals.benchmark.page import as_markdown
from core.numerals.benchmark.results import FILE, NumeralBenchmark, Task
from core.numerals.benchmark.run import run as run_table
from core.numerals.benchmark.tables import TITLES, main_tables
from core.results.table import text_rows
from core.runtime import Runtime, detect_device

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "numeral_benchmark.md"
MARK = "<!-- What follows is written by `python -m benchmarks numerals`. -->"
READ: Final = 500
"""Blanks of a set that the language model reads, drawn once: it takes half a second for each."""


def run() -> dict[str, Any]:
    """Measures, writes down each step as it is done, and gives the summary."""
    found = run_table(
        Runtime(device=detect_device(), patient=True), machine=machine(), read=READ, on_step=_saved
    )
    _saved("whole", found)
    write_page(found)
    return {"benchmark": "numerals", "rows": summary(found), "seed": found.seed, "part": found.part}


def write_page(found: NumeralBenchmark) -> None:
    """Puts the tables below the mark of the page, whose upper part is written by hand."""
    guide = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    files.write(PAGE, f"{guide}{MARK}\n\n{as_markdown(found)}".encode())


def summary(found: NumeralBenchmark) -> list[dict[str, Any]]:
    """One line a system and set, the first figures of each task."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for one in found.sets:
        for task, table in main_tables(found, one):
            if task is Task.CALIBRATION:
                continue
            head, *body = text_rows(table)
            for name, *values in body:
                line = lines.setdefault((one.name, name), {"set": one.name, "system": name})
                line |= {
                    f"{TITLES[task].lower()}: {label}": value
                    for label, value in zip(head[1:4], values[:3], strict=True)
                }
    return list(lines.values())


def _saved(step: str, found: NumeralBenchmark) -> None:
    """Writes what is there, so that a run that is stopped leaves its figures."""
    RESULTS.mkdir(exist_ok=True)
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    files.write(RESULTS / f"numeral_benchmark-{today}.json", FILE.to_json(found).encode())
    print(f"  {step}: {found.seconds.get(step, 0):g} s", file=sys.stderr, flush=True)
