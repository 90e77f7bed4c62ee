"""Dated results of benchmarks, as they ship: when, by what and on which machine they were measured."""

import json
import os
import platform
from pathlib import Path
from typing import Any, Final

from core import files

SHIPPED: Final = files.ROOT / "benchmarks" / "results"


def newest(name: str, folder: Path = SHIPPED) -> dict[str, Any] | None:
    path = max(folder.glob(f"{name}-*.json"), default=None)
    return None if path is None else dict(json.loads(path.read_text(encoding="utf-8")))


def this_machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {"processor": model, "cores": os.cpu_count(), "python": platform.python_version()}


def provenance(date: str, program: str, machine: Any, *more: str) -> str:
    where = f"{machine.get('cores')} cores ({machine.get('processor')})"
    return f"{', '.join([date, program, where, *more])}."
