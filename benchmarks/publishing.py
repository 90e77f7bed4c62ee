"""Where results lie and how they are written (dated JSON, pages of docs), and the machine they are of."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from core import files
from core.files import ROOT
from research.benchmark.results import SHIPPED, BenchmarkFile, BenchmarkSet, BenchmarkSystem

LIBRARIES = ("torch", "numpy", "scipy", "streamlit", "sentence-transformers", "bertopic", "umap-learn")
FLAGS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16")


def machine() -> dict[str, Any]:
    """Processor, cores, the instruction sets that matter, versions, and how busy it is."""
    model, flags = platform.processor() or platform.machine(), []
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = (line.split(":", 1) for line in cpuinfo.read_text().splitlines() if ":" in line)
        facts = {name.strip(): value.strip() for name, value in lines}
        model = facts.get("model name", model)
        flags = [flag for flag in facts.get("flags", "").split() if flag in FLAGS]
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "flags": flags,
        "load_average": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        **{name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


__all__ = ["RESULTS", "ROOT", "SAMPLES", "dated", "on_page", "publish", "save", "tell"]

RESULTS: Final = SHIPPED
SAMPLES: Final = ROOT / "samples"


def dated(name: str, text: str) -> None:
    RESULTS.mkdir(exist_ok=True)
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    files.write(RESULTS / f"{name}-{today}.json", text.encode())


def save(found: Any, file: BenchmarkFile[Any]) -> None:
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
    print(f"  {one.name}: {system.name}: {found.cell.summary}", file=sys.stderr, flush=True)
