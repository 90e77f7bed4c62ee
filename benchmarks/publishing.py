"""Where results lie and how they are written: dated JSON, and the pages of docs that hold tables."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any, Final

from core import files
from core.files import ROOT
from research.benchmark.results import BenchmarkSet, BenchmarkSystem
from research.benchmark.saved import SHIPPED, BenchmarkFile

__all__ = ["RESULTS", "ROOT", "SAMPLES", "dated", "on_page", "publish", "save", "tell"]

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
    """Writes the JSON of a benchmark, and its main tables on its page of docs."""
    save(found, file)
    on_page(file, tables, name=name)


def on_page(file: BenchmarkFile[Any], tables: str, *, name: str) -> None:
    """Writes tables (Markdown) below the mark of the page of docs that has the name of a file.

    The page's upper part is by hand.
    """
    page, mark = (
        ROOT / "docs" / f"{file.name}.md",
        f"<!-- What follows is written by `python -m benchmarks {name}`. -->",
    )
    guide = page.read_text(encoding="utf-8").partition(mark)[0]
    rest = (
        f"All figures, with intervals and signatures, are in `benchmarks/results/{file.name}-*.json`; "
        f"`headline-lab benchmark {name} --out FOLDER` writes all tables as Markdown, CSV and LaTeX."
    )
    files.write(page, f"{guide}{mark}\n\n{tables.rstrip()}\n\n{rest}\n".encode())


def tell(one: BenchmarkSet, system: BenchmarkSystem, found: Any) -> None:
    """Says what a system reached on a set, while a table is filled."""
    print(f"  {one.name}: {system.name}: {found.cell.summary}", file=sys.stderr, flush=True)
