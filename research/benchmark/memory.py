"""How far the process's memory rises while something runs."""

from __future__ import annotations

import math
from pathlib import Path
from types import TracebackType

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class MemoryRise:
    """Measures the highest memory inside a `with` block above that at its start.

    What a library had loaded before does not count. Linux alone tells it.

    Attributes:
        megabytes: The rise, 0 and more; NaN before the end and where it cannot be read.
    """

    def __init__(self) -> None:
        self.megabytes = math.nan
        self._before = math.nan

    def __enter__(self) -> MemoryRise:
        try:
            _CLEAR.write_text("5")  # sets the high-water mark to what is used now
            self._before = _kilobytes("VmRSS")
        except OSError:
            self._before = math.nan
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not math.isnan(self._before):
            self.megabytes = max(0.0, _kilobytes("VmHWM") - self._before) / 1024


def _kilobytes(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    return math.nan
