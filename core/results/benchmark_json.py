"""The JSON that benchmarks are kept in."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
from pathlib import Path
from typing import Any


def benchmark_json(layout: int, benchmark: Any) -> str:
    """A benchmark as JSON that is easy to compare by eye: one line for each item of a list.

    Args:
        layout: Version of the JSON; it stands first.
        benchmark: A dataclass of plain values and lists of dataclasses.

    Raises:
        ValueError: A number is not finite.
    """
    lines = []
    for name, value in {"layout": layout, **dataclasses.asdict(benchmark)}.items():
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if isinstance(value, (list, tuple)) and value:
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in value)
            written = f"[\n  {items}\n ]"
        lines.append(f" {json.dumps(name)}: {written}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def this_machine() -> dict[str, Any]:
    """Processor, cores and Python."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {"processor": model, "cores": os.cpu_count(), "python": platform.python_version()}
