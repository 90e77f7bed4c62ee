"""A progress bar on stderr for the steps of core."""

from __future__ import annotations

import sys
from typing import Any


class Bars:
    """One bar a step; nothing where stderr is not a terminal or nobody wants it."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted and sys.stderr.isatty()
        self._bar: Any = None
        self._step = ""

    def report(self, step: str, done: int, total: int) -> None:
        """Shows where a step stands; a `core.runtime.Report`."""
        if not self._wanted:
            return
        if step != self._step:
            from tqdm import tqdm

            self.close()
            self._bar = tqdm(total=total, desc=step, leave=False, file=sys.stderr)
            self._step = step
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
