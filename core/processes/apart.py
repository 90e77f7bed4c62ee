"""A piece of work apart: in a process that is stopped when it takes too much memory or time.

Files of strangers are read so. What they do to a library there, they do not do to the server: not even one
that computes without letting anybody else have a turn.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core import limits
from core.errors import Cancelled, InputError
from core.processes import workers
from core.runtime import Runtime

try:
    import resource
except ImportError:  # not on Windows: time is bounded from here alone
    resource = None  # type: ignore[assignment]

T = TypeVar("T")

WORKERS: Final = 2
"""Pieces of work at once; each has a process, which starts with the first and stays."""
_PATIENCE: Final = 4
"""Seconds on the clock for each of processor time: the machine may be busy."""
_GLANCE_SECONDS: Final = 0.05
_OURS: Final = "HEADLINE_LAB_"


class _Worker:
    def __init__(self) -> None:
        self._executor: Any = None

    def submit(self, work: Callable[..., object], given: tuple[Any, ...]) -> Future[bytes]:
        self._executor = self._executor or workers.start(1)
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

    Args:
        work: Found by its name in another process; the settings of the environment hold there, too.
        given: What it is called with.
        runtime: Its stop ends the work at once.
        step: Name of the work for people: "Reading the file".

    Raises:
        Cancelled: The stop was set.
        InputError: It took more than `reading_megabytes` of memory or `reading_seconds` of processor time, or
            ended the process.
        CoreError: What the work raised.
        Exception: A bug in the work.
    """
    runtime = runtime or Runtime()
    worker = _taken(runtime, step)
    whole = False
    try:
        pickled = _awaited(worker.submit(work, given), runtime, step)
        whole = True
        return cast(T, pickle.Unpickler(_InTurns(pickled)).load())  # noqa: S301  from a process of ours
    except MemoryError:
        raise _too_big(step) from None
    except BrokenProcessPool as error:
        raise _died(str(error), step) from error
    except _Raised as error:
        whole = True
        raise error.what from None
    finally:
        if not whole:  # also where whoever waits was interrupted
            worker.end()
        _free().put(worker)


class _Raised(Exception):
    def __init__(self, what: BaseException) -> None:
        self.what = what


def _taken(runtime: Runtime, step: str) -> _Worker:
    while True:
        if runtime.stop.is_set():
            raise Cancelled(step)
        with suppress(queue.Empty):
            return _free().get(timeout=_GLANCE_SECONDS)


def _awaited(future: Future[bytes], runtime: Runtime, step: str) -> bytes:
    deadline = time.monotonic() + _PATIENCE * limits.READING_SECONDS.value
    while True:
        with suppress(NotYet):
            error = future.exception(timeout=_GLANCE_SECONDS)
            if error is None:
                return future.result()
            if isinstance(error, (MemoryError, BrokenProcessPool)):
                raise error
            raise _Raised(error)
        if runtime.stop.is_set():
            raise Cancelled(step)
        if time.monotonic() > deadline:
            raise _too_long(step)
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
    _bound_memory(limits.READING_MEGABYTES.value * 1_000_000)
    _bound_time(limits.READING_SECONDS.value)
    try:
        return pickle.dumps(work(*given), protocol=5)
    finally:
        _bound_memory(None)
        _bound_time(None)


def _bound_memory(most: int | None) -> None:
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = hard
    if most is not None:
        with suppress(OSError):  # only Linux has it, and only there the limit works
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            soft = pages * resource.getpagesize() + most
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _bound_time(most: int | None) -> None:
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if most is None else int(time.process_time()) + most + 1
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _died(told: str, step: str) -> InputError:
    if "SIGXCPU" in told:
        return _too_long(step)
    if "SIGKILL" in told:  # the system is short of memory
        return _too_big(step)
    return InputError(
        f"{step} broke off: it is damaged in a way that ended the process that read it.",
        hint="Download or export it again.",
    )


def _too_long(step: str) -> InputError:
    return InputError(
        f"{step} took more than {limits.READING_SECONDS.value:,} seconds of computing and was stopped.",
        hint=f"Split the file or leave out columns, or raise {limits.READING_SECONDS.variable}.",
    )


def _too_big(step: str) -> InputError:
    return InputError(
        f"{step} took more than {limits.READING_MEGABYTES.value:,} MB of memory and was stopped.",
        hint=f"Split the file or leave out columns, or raise {limits.READING_MEGABYTES.variable}.",
    )
