"""The machine that a figure was measured on, named by its cores."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

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
