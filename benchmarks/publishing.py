"""Where results lie and how they are written: dated JSON, and the pages of docs that hold tables."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any, Final

from core import files
from core.files import ROOT
from research.benchmark.results import BenchmarkSet, BenchmarkSystem
from research.benchmark.saved import SHIPPED, BenchmarkFile

__all__ = ["RESULTS", "ROOT", "SAMPLES", "dated", "publish", "save", "tell"]

RESULTS: Final = SHIPPED
SAMPLES: Final = ROOT / "samples"


def dated(name: str, text: str) -> None:
    """Writes today's result of a benchmark."""
    RESULTS.mkdir(exist_ok=True)
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    files.write(RESULTS / f"{name}-{today}.json", text.encode())


def save(found: Any, file: BenchmarkFile[Any]) -> None:
    """Writes today's JSON of a table."""
    dated(file.name, file.to_json(found))


def publish(found: Any, file: BenchmarkFile[Any], markdown: str, *, name: str) -> None:
    """Writes the JSON of a table, and puts it below the mark of its page, whose upper part is by hand.

    Args:
        found: The table.
        file: How its JSON is written; the page of docs has the same name.
        markdown: The table as Markdown.
        name: Of the benchmark.
    """
    save(found, file)
    page, mark = (
        ROOT / "docs" / f"{file.name}.md",
        f"<!-- What follows is written by `python -m benchmarks {name}`. -->",
    )
    guide = page.read_text(encoding="utf-8").partition(mark)[0]
    files.write(page, f"{guide}{mark}\n\n{markdown}".encode())


def tell(one: BenchmarkSet, system: BenchmarkSystem, found: Any) -> None:
    """Says what a system reached on a set, while a table is filled."""
    print(f"  {one.name}: {system.name}: {found.cell.summary}", file=sys.stderr, flush=True)
