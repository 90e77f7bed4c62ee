"""Dated results of benchmarks, as they ship."""

import json
from pathlib import Path
from typing import Any, Final

from core import files

SHIPPED: Final = files.ROOT / "benchmarks" / "results"


def newest(name: str, folder: Path = SHIPPED) -> dict[str, Any] | None:
    """The latest dated result of a benchmark, as it is stored."""
    path = max(folder.glob(f"{name}-*.json"), default=None)
    return None if path is None else dict(json.loads(path.read_text(encoding="utf-8")))
