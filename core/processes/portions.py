"""The same work on portions of a whole, over several processes, with one result whatever their number."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Final, TypeVar

from core.errors import Cancelled, CoreError
from core.processes import workers
from core.runtime import Runtime

Portion = TypeVar("Portion", bound=Sequence[Any])
Result = TypeVar("Result")
Load = Callable[[Runtime], Callable[[Portion], Result]]
"""Makes what works on a portion; with several processes it has to be found by its name in another one."""

_GLANCE_SECONDS: Final = 0.1
"""How long a stop may go unseen."""


def cores() -> int:
    """The cores that this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return allowed or 1


def work_through(
    load: Load[Portion, Result],
    portions: Sequence[Portion],
    runtime: Runtime,
    *,
    processes: int,
    step: str,
) -> list[Result]:
    """Works on every portion."""
    if not portions:
        return []
    count = min(processes, len(portions))
    if count <= 1:
        return _here(load, portions, runtime, step)
    # Each has its share of the cores, or they would wait for one another.
    executor = workers.start(count, threads=max(1, cores() // count))
    try:
        settings = {name: getattr(runtime, name) for name in ("device", "half", "seed", "cache")}
        order = pickle.dumps((load, settings))

        def submit(portion: Portion) -> Future[Result]:
            found: Future[Result] = executor.submit(_worked, order, portion)
            return found

        return _awaited(submit, portions, runtime, step, at_once=2 * count)
    finally:
        executor.shutdown(wait=True, kill_workers=True)  # they hold nothing that is not here


def _here(
    load: Load[Portion, Result], portions: Sequence[Portion], runtime: Runtime, step: str
) -> list[Result]:
    progress = _Progress(portions, runtime, step)
    work = load(runtime.quietly())
    results = []
    for portion in portions:
        progress.check()
        results.append(work(portion))
        progress.add(len(portion))
    return results


def _awaited(
    submit: Callable[[Portion], Future[Result]],
    portions: Sequence[Portion],
    runtime: Runtime,
    step: str,
    *,
    at_once: int,
) -> list[Result]:
    progress = _Progress(portions, runtime, step)
    left = iter(range(len(portions)))
    places: dict[Future[Result], int] = {}
    results: dict[int, Result] = {}
    while len(results) < len(portions):
        places |= {submit(portions[place]): place for place in islice(left, at_once - len(places))}
        progress.check()
        done, _ = wait(places, timeout=_GLANCE_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            place = places.pop(future)
            results[place] = _told(future)
            progress.add(len(portions[place]))
    return [results[place] for place in range(len(portions))]


def _told(future: Future[Result]) -> Result:
    try:
        return future.result()
    except CoreError:
        raise
    except BrokenProcessPool as error:
        raise CoreError(
            "A process that was working on a part of the rows ended before it was done.",
            hint="The machine may be short of memory: use fewer processes, or fewer rows at once.",
        ) from error
    except Exception as error:
        raise RuntimeError(f"a process met a bug:\n{error.__cause__}") from error


class _Progress:
    def __init__(self, portions: Sequence[Sequence[Any]], runtime: Runtime, step: str) -> None:
        self._total = sum(map(len, portions))
        self._done = 0
        self._runtime = runtime
        self._step = step
        self.add(0)

    def add(self, count: int) -> None:
        self._done += count
        self._runtime.report(self._step, self._done, self._total)

    def check(self) -> None:
        if self._runtime.stop.is_set():
            raise Cancelled(self._step)


_loaded: dict[bytes, Callable[[Any], Any]] = {}
"""In another process: what works there, by its order."""


def _worked(order: bytes, portion: Any) -> Any:
    if order not in _loaded:
        load, settings = pickle.loads(order)  # noqa: S301  from the process that started this one
        _loaded[order] = load(Runtime(**settings, patient=True))
    return _loaded[order](portion)
