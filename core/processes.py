"""Work in other processes: portions of a whole, and a file of strangers with bounds of memory and time.

The processes are joblib's loky's; they end with this one and never run the caller's main module again,
which in a dashboard is a page. What a file does to a library there, it does not do to the server: not even
where it computes without letting anybody else have a turn.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core import limits
from core.errors import Cancelled, CoreError, InputError
from core.runtime import Runtime, stay_offline

_PARENT_SECONDS: Final = 2.0
_NICE: Final = 5  # whoever waits for a page comes before whoever waits for a worker


def start_workers(count: int, *, threads: int = 1) -> Any:
    """An executor whose processes start with the first work; `shutdown(kill_workers=True)` ends them."""
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

    return ProcessPoolExecutor(
        max_workers=count,
        timeout=None,
        env={"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)},
        initializer=_settle,
        initargs=(os.getpid(),),
    )


def _settle(parent: int) -> None:
    os.dup2(2, 1)  # what a library prints is no answer
    with suppress(OSError):
        os.nice(_NICE)
    stay_offline()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)


try:
    import resource
except ImportError:  # not on Windows: time is bounded from here alone
    resource = None  # type: ignore[assignment]

T = TypeVar("T")

WORKERS: Final = 2  # pieces of work at once; each has a process, which starts with the first and stays
_PATIENCE: Final = 4  # seconds on the clock for each of processor time: the machine may be busy
_GLANCE_SECONDS: Final = 0.05
_OURS: Final = "HEADLINE_LAB_"


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


Portion = TypeVar("Portion", bound=Sequence[Any])
Result = TypeVar("Result")
Load = Callable[[Runtime], Callable[[Portion], Result]]
"""Makes what works on a portion; with several processes it has to be found by its name in another one."""

_PROGRESS_SECONDS: Final = 0.1  # how long a stop may go unseen


def cores() -> int:
    """The cores that this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return allowed or 1


def work_through(
    load: Load[Portion, Result], portions: Sequence[Portion], runtime: Runtime, *, processes: int, step: str
) -> list[Result]:
    """Works on every portion."""
    if not portions:
        return []
    count = min(processes, len(portions))
    if count <= 1:
        return _here(load, portions, runtime, step)
    # Each has its share of the cores, or they would wait for one another.
    executor = start_workers(count, threads=max(1, cores() // count))
    try:
        settings = {name: getattr(runtime, name) for name in ("device", "half", "seed", "cache")}
        order = pickle.dumps((load, settings))

        def submit(portion: Portion) -> Future[Result]:
            found: Future[Result] = executor.submit(_worked, order, portion)
            return found

        at_once = 2 * count
        progress = _Progress(portions, runtime, step)
        left = iter(range(len(portions)))
        places: dict[Future[Result], int] = {}
        results: dict[int, Result] = {}
        while len(results) < len(portions):
            places |= {submit(portions[place]): place for place in islice(left, at_once - len(places))}
            progress.check()
            done, _ = wait(places, timeout=_PROGRESS_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                place = places.pop(future)
                results[place] = _told(future)
                progress.add(len(portions[place]))
        return [results[place] for place in range(len(portions))]
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


_loaded: dict[bytes, Callable[[Any], Any]] = {}  # in another process: what works there, by its order


def _worked(order: bytes, portion: Any) -> Any:
    if order not in _loaded:
        load, settings = pickle.loads(order)  # noqa: S301  from the process that started this one
        _loaded[order] = load(Runtime(**settings, patient=True))
    return _loaded[order](portion)
