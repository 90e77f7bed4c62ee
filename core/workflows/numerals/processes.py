"""The same work on portions of a whole, over several processes, with one result whatever their number.

Processes are started as `python -m core.workflows.numerals.worker` and spoken to over their pipes: unlike
those of multiprocessing they never run the caller's main module again, which in a dashboard is a page.
"""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from core.errors import Cancelled, CoreError
from core.runtime import Runtime

Portion = TypeVar("Portion", bound=Sequence[Any])
Result = TypeVar("Result")
Load = Callable[[Runtime], Callable[[Portion], Result]]
"""Makes what works on a portion; with several processes it has to be found by its name in another one."""

DONE: Final = "done"
REFUSED: Final = "refused"
FAILED: Final = "failed"

_MODULE: Final = "core.workflows.numerals.worker"
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
    """Works on every portion.

    Args:
        load: See `Load`; called once in each process, not at all without portions.
        portions: What is worked on at once; none gives [].
        runtime: Progress in entries of the portions, stop, seed, device.
        processes: How many work; 1 works in this process.
        step: Name of the work for people.

    Returns:
        One result a portion, in order. It does not depend on `processes`.

    Raises:
        Cancelled: The runtime's stop was set; all processes have been ended.
        CoreError: What the work raised, or a process died.
        RuntimeError: The work met a bug; the message holds the traceback.
    """
    if not portions:
        return []
    if min(processes, len(portions)) <= 1:
        return _here(load, portions, runtime, step)
    crew = _Crew(load, portions, runtime, min(processes, len(portions)))
    try:
        return crew.results(step)
    finally:
        crew.end()


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


class _Progress:
    """Tells how many entries are done, and sees that the work is to stop."""

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


class _Crew:
    """Processes, each with a thread that hands it one portion after another."""

    def __init__(
        self, load: Load[Any, Any], portions: Sequence[Sequence[Any]], runtime: Runtime, count: int
    ) -> None:
        self._portions = portions
        self._runtime = runtime
        self._todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        for place in range(len(portions)):
            self._todo.put(place)
        self._answers: queue.SimpleQueue[tuple[int, tuple[Any, ...] | None]] = queue.SimpleQueue()
        self._order = pickle.dumps((load, _settings(runtime)))
        self._count = count
        self._led: list[tuple[subprocess.Popen[bytes], threading.Thread]] = []

    def results(self, step: str) -> list[Any]:
        progress = _Progress(self._portions, self._runtime, step)
        for _ in range(self._count):
            process = _start(self._count)
            thread = threading.Thread(target=self._lead, args=(process,), daemon=True)
            self._led.append((process, thread))
            thread.start()
        found: dict[int, Any] = {}
        while len(found) < len(self._portions):
            progress.check()
            try:
                place, answer = self._answers.get(timeout=_GLANCE_SECONDS)
            except queue.Empty:
                continue
            found[place] = _opened(answer)
            progress.add(len(self._portions[place]))
        return [found[place] for place in range(len(self._portions))]

    def end(self) -> None:
        """Kills the processes: they hold nothing that is not here."""
        for process, _ in self._led:
            process.kill()
        for process, thread in self._led:
            thread.join()
            process.wait()

    def _lead(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None  # noqa: S101  both are pipes
        assert process.stdout is not None  # noqa: S101
        place = -1
        try:
            process.stdin.write(self._order)
            while True:
                place = self._todo.get_nowait()
                pickle.dump(self._portions[place], process.stdin)
                process.stdin.flush()
                self._answers.put((place, pickle.load(process.stdout)))  # noqa: S301  our own process
        except queue.Empty:
            pass
        except (EOFError, OSError, pickle.UnpicklingError):
            self._answers.put((place, None))
        except Exception:  # whoever waits for the answer has to hear of it
            self._answers.put((place, (FAILED, traceback.format_exc())))
        finally:
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what is left to be flushed goes nowhere
                    pipe.close()


def _settings(runtime: Runtime) -> dict[str, Any]:
    """What another process needs of a runtime; the limit on time is kept here."""
    return {
        "device": runtime.device,
        "half": runtime.half,
        "seed": runtime.seed,
        "cache": runtime.cache,
        "patient": True,
    }


def _start(count: int) -> subprocess.Popen[bytes]:
    # Each has its share of the cores, or they would wait for one another. A session of its own keeps the
    # terminal's Ctrl-C from it: it is ended from here.
    share = str(max(1, cores() // count))
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": share,
        "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
    }
    return subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )


def _opened(answer: tuple[Any, ...] | None) -> Any:
    if answer is None:
        raise CoreError(
            "A process that was working on a part of the rows ended before it was done.",
            hint="The machine may be short of memory: use fewer processes, or fewer rows at once.",
        )
    kind, *told = answer
    if kind == DONE:
        return told[0]
    if kind == REFUSED:
        module, name, message, hint = told
        raise _error(module, name)(message, hint=hint)
    raise RuntimeError(f"a process met a bug:\n{told[0]}")


def _error(module: str, name: str) -> type[CoreError]:
    found = getattr(importlib.import_module(module), name, CoreError)
    # An error with a constructor of its own is told as a plain one.
    own = isinstance(found, type) and issubclass(found, CoreError) and "__init__" not in vars(found)
    return found if own else CoreError
