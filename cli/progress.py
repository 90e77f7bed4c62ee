"""Where a command computes, with a progress bar on stderr for the steps of core."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from core.runtime import Runtime

TOLD: Final = 5  # rows that are named one by one


@contextmanager
def working(*, quiet: bool, seed: int = 0, patient: bool = True, device: str = "") -> Iterator[Runtime]:
    """Where to compute: the best device or a named one, with a bar on stderr unless `quiet`."""
    from core.runtime import Runtime, detect_device

    bars = Bars(wanted=not quiet)
    try:
        yield Runtime(device=device or detect_device(), seed=seed, report=bars.report, patient=patient)
    finally:
        bars.close()


def show(told: Any, text: Callable[[], str], *, as_json: bool) -> None:
    """Prints a result as one JSON value, or as text for people."""
    click.echo(json.dumps(told, ensure_ascii=False) if as_json else text())


def note(*notes: str) -> None:
    """Says on stderr what is worth knowing."""
    for one in filter(None, notes):
        click.echo(one, err=True)


def name_rows(rows: Sequence[str], more: str) -> None:
    """Names the first rows on stderr, and says where the others stand."""
    note(*rows[:TOLD])
    if len(rows) > TOLD:
        note(f"… and {len(rows) - TOLD:,} more; {more}")


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
