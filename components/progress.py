"""How far a piece of work is, from what its steps report."""

from __future__ import annotations

import time
from dataclasses import dataclass

KNOWN = 0.05
"""Share of a step from which its pace says how long the rest takes."""


@dataclass(slots=True)
class ProgressStep:
    """One step and where it stands.

    Attributes:
        name: For the reader.
        done, total: What it last reported.
        started: When it first reported, on the monotonic clock.
    """

    name: str
    done: int
    total: int
    started: float


class Steps:
    """The steps that are under way: a step inside an unfinished one is a part of it.

    Reports come from one working thread and are read by others; each read takes one whole tuple.
    """

    def __init__(self) -> None:
        self._open: tuple[ProgressStep, ...] = ()

    def report(self, name: str, done: int, total: int) -> None:
        """Takes what a step reports: `done` of `total`, at least 0."""
        at = next((k for k, step in enumerate(self._open) if step.name == name), None)
        outer = self._open[:at] if at is not None else tuple(s for s in self._open if s.done < s.total)
        known = None if at is None else self._open[at]
        again = known is None or known.total != total or done < known.done
        started = time.monotonic() if known is None or again else known.started
        self._open = (*outer, ProgressStep(name, done, total, started))

    def share(self) -> float:
        """How much of the outermost step is done, 0 to 1, with what is done of the step inside it."""
        share = 0.0
        for step in reversed(self._open):
            share = min((step.done + share) / step.total, 1.0) if step.total else 0.0
        return share

    def seconds_left(self) -> float | None:
        """What the outermost step still takes at its pace; None while that is not known, or it is done."""
        share = self.share()
        if not KNOWN < share < 1.0:
            return None
        return (time.monotonic() - self._open[0].started) * (1 - share) / share

    def __str__(self) -> str:
        """The innermost step with its count, for the reader."""
        steps = self._open
        if not steps:
            return ""
        last = steps[-1]
        return f"{last.name} {last.done:,} of {last.total:,}" if last.total else last.name
