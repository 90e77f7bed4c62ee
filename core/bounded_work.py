"""A function of ours in another process, with bounds of memory and time."""

import io
import os
import pickle
import queue
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core import limits
from core.errors import Cancelled, InputError
from core.processes import start_workers
from core.runtime import Runtime

T = TypeVar("T")
WORKERS: Final = 2  # pieces of work at once; each has a process, which starts with the first and stays
_PATIENCE: Final = 4  # seconds on the clock for each of processor time: the machine may be busy
_GLANCE_SECONDS: Final = 0.05
_OURS: Final = "HEADLINE_LAB_"

try:
    import resource
except ImportError:  # not on Windows: time is bounded from here alone
    resource = None  # type: ignore[assignment]


class _Worker:
    def __init__(self) -> None:
        self._executor: Any = None

    def submit(self, work: Callable[..., object], given: tuple[Any, ...]) -> Future[bytes]:
        self._executor = self._executor or start_workers(1)
        ours = {name: value for name, value in os.environ.items() if name.startswith(_OURS)}
        future: Future[bytes] = self._executor.submit(_bounded, ours, work, given)
        return future

    def end(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, kill_workers=True)


@cache
def _free() -> queue.LifoQueue[_Worker]:
    free: queue.LifoQueue[_Worker] = queue.LifoQueue()
    for _ in range(WORKERS):
        free.put(_Worker())
    return free


def apart(work: Callable[..., T], *given: Any, runtime: Runtime | None = None, step: str) -> T:
    """The result of a function of ours, called in another process.

    `work` is found by its name there, and the settings of the environment hold; the runtime's stop ends it at
    once. InputError where it took more than `reading_megabytes` of memory or `reading_seconds` of processor
    time, or ended the process; what the work raised is raised here.
    """
    runtime = runtime or Runtime()
    worker = _taken(runtime, step)
    whole = False
    try:
        future = worker.submit(work, given)
        _wait(future, runtime, step)
        raised = future.exception()
        whole = not isinstance(raised, (MemoryError, BrokenProcessPool))
        if raised is not None:
            raise raised from None
        return cast(T, pickle.Unpickler(_InTurns(future.result())).load())  # noqa: S301  from a process of ours
    except MemoryError:
        raise _stopped(step, "MB of memory", limits.READING_MEGABYTES) from None
    except BrokenProcessPool as error:
        raise _died(str(error), step) from error
    finally:
        if not whole:  # also where whoever waits was interrupted
            worker.end()
        _free().put(worker)


def _taken(runtime: Runtime, step: str) -> _Worker:
    while True:
        if runtime.stop.is_set():
            raise Cancelled(step)
        with suppress(queue.Empty):
            return _free().get(timeout=_GLANCE_SECONDS)


def _wait(future: Future[bytes], runtime: Runtime, step: str) -> None:
    deadline = time.monotonic() + _PATIENCE * limits.READING_SECONDS.value
    while not wait([future], timeout=_GLANCE_SECONDS).done:
        if runtime.stop.is_set():
            raise Cancelled(step)
        if time.monotonic() > deadline:
            raise _stopped(step, "seconds of computing", limits.READING_SECONDS)
        runtime.report(step, 0, 0)


class _InTurns(io.BytesIO):
    """Bytes that are read piece by piece in Python, where other threads have their turn in between."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size)

    def readline(self, size: int | None = -1, /) -> bytes:
        return super().readline(size)

    def readinto(self, buffer: Any, /) -> int:
        return super().readinto(buffer)


def _bounded(ours: Mapping[str, str], work: Callable[..., object], given: tuple[Any, ...]) -> bytes:
    for name in [name for name in os.environ if name.startswith(_OURS) and name not in ours]:
        del os.environ[name]
    os.environ.update(ours)
    _bound(limits.READING_MEGABYTES.value * 1_000_000, limits.READING_SECONDS.value)
    try:
        return pickle.dumps(work(*given), protocol=5)
    finally:
        _bound(None, None)


def _bound(memory: int | None, seconds: int | None) -> None:
    """Lets this process take so much more memory and processor time from now on; None for any."""
    if resource is None:
        return
    used = None
    with suppress(OSError):  # only Linux has it, and only there the limit works
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        used = pages * resource.getpagesize()
    spent = int(time.process_time()) + 1
    for kind, before, more in ((resource.RLIMIT_AS, used, memory), (resource.RLIMIT_CPU, spent, seconds)):
        _, hard = resource.getrlimit(kind)
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (hard if before is None or more is None else before + more, hard))


def _died(reason: str, step: str) -> InputError:
    if "SIGXCPU" in reason:
        return _stopped(step, "seconds of computing", limits.READING_SECONDS)
    if "SIGKILL" in reason:  # the system is short of memory
        return _stopped(step, "MB of memory", limits.READING_MEGABYTES)
    message = f"{step} broke off: it is damaged in a way that ended the process that read it."
    return InputError(message, hint="Download or export it again.")


def _stopped(step: str, what: str, limit: limits.Limit) -> InputError:
    message = f"{step} took more than {limit.value:,} {what} and was stopped."
    return InputError(message, hint=f"Split the file or leave out columns, or raise {limit.variable}.")
