"""Where results lie and how they are written (dated JSON, pages of docs), and the machine they are of."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from core import files
from core.files import ROOT
from core.results.number_forms import Form, spanned
from core.results.stored import SHIPPED
from research.benchmark.results import BenchmarkFile, BenchmarkSet, BenchmarkSystem

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


__all__ = ["RESULTS", "ROOT", "SAMPLES", "dated", "grid", "on_page", "publish", "save", "tell"]

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
    """Writes tables (Markdown) below the mark of the page of docs that has the name of a file."""
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


def grid(found: Any, measure: str, form: Form) -> list[dict[str, Any]]:
    """A row a system, with its figure on each set."""
    sets = [facts.key for facts in found.sets if not facts.why_not]
    rows = []
    for row in found.systems:
        cells = {found.set(key).name: found.cell(key, row.key) for key in sets}
        shown = {name: spanned(cell.figures.get(measure), form) for name, cell in cells.items() if cell}
        rows.append({"system": row.name, **shown})
    return rows


def rounded(found: Any, *measures: str) -> dict[str, float]:
    """Measures of the quality of groups, to three places; 0 for what is undefined."""
    return {name: round(found[name].value or 0.0, 3) for name in measures}


Clock = Callable[[], float]


def seconds(work: Callable[[], object], *, clock: Clock = time.perf_counter) -> float:
    started = clock()
    work()
    return clock() - started


def median(work: Callable[[], object], *, repeats: int = 3, clock: Clock = time.perf_counter) -> float:
    """The middle of a few calls, in seconds."""
    return statistics.median(seconds(work, clock=clock) for _ in range(repeats))


@dataclass
class Contender:
    """What is timed, what its turns gave, and how long they took."""

    name: str
    work: Callable[[], Any]
    found: list[Any] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)

    def turn(self) -> None:
        """Works once, on the clock."""
        used, started = time.process_time(), time.perf_counter()
        self.found.append(self.work())
        self.seconds.append(time.perf_counter() - started)
        self.processor_seconds.append(time.process_time() - used)

    def middle(self) -> float:
        return statistics.median(self.seconds)

    def times(self, plain: Contender) -> float:
        """How many times as fast as the plain way: the middle of the ratios within a turn."""
        return statistics.median(base / own for base, own in zip(plain.seconds, self.seconds, strict=True))

    def times_in_processor_time(self, plain: Contender) -> float:
        """The same by what the processor worked."""
        return statistics.median(plain.processor_seconds) / statistics.median(self.processor_seconds)


def by_turns(contenders: Sequence[Contender], *, seconds: float = 0.0, turns: int = 3) -> None:
    """Lets contenders work by turns, at least so many turns and so long: what the machine does meets all."""
    until = time.monotonic() + seconds
    while len(contenders[0].seconds) < turns or time.monotonic() < until:
        for contender in contenders:
            contender.turn()
