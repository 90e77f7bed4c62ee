"""Where results lie and how they are written: dated JSON, and the pages of docs that hold tables."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any, Final

from core import files
from core.files import ROOT
from research.benchmark.results import SHIPPED, BenchmarkFile, BenchmarkSet, BenchmarkSystem

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


def publish(found: Any, file: BenchmarkFile[Any], tables: str, *, name: str) -> None:
    """Writes the JSON of a benchmark, and its main tables (Markdown) below the mark of its page of docs.

    The page has the name of the file, and its upper part is by hand.
    """
    save(found, file)
    page, mark = (
        ROOT / "docs" / f"{file.name}.md",
        f"<!-- What follows is written by `python -m benchmarks {name}`. -->",
    )
    guide = page.read_text(encoding="utf-8").partition(mark)[0]
    rest = (
        "Everything else that was measured, with intervals and signatures, is in "
        f"`benchmarks/results/{file.name}-*.json`; "
        f"`headline-lab benchmark {name} --out FOLDER` writes tables as Markdown, CSV and LaTeX."
    )
    files.write(page, f"{guide}{mark}\n\n{tables}\n\n{rest}\n".encode())


def tell(one: BenchmarkSet, system: BenchmarkSystem, found: Any) -> None:
    """Says what a system reached on a set, while a table is filled."""
    print(f"  {one.name}: {system.name}: {found.cell.summary}", file=sys.stderr, flush=True)
