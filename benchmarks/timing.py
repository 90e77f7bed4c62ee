"""Taking time: of one call, of a few, and of contenders by turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
