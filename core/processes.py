"""Work in other processes: portions of a whole, and an untrusted file with bounds of memory and time."""

import io
import os
import pickle
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
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
T = TypeVar("T")
WORKERS: Final = 2  # pieces of work at once; each has a process, which starts with the first and stays
_PATIENCE: Final = 4  # seconds on the clock for each of processor time: the machine may be busy
_GLANCE_SECONDS: Final = 0.05
_OURS: Final = "HEADLINE_LAB_"
Portion = TypeVar("Portion", bound=Sequence[Any])
Result = TypeVar("Result")
Load = Callable[[Runtime], Callable[[Portion], Result]]
"""Makes what works on a portion; with several processes it has to be found by its name in another one."""
_PROGRESS_SECONDS: Final = 0.1  # how long a stop may go unseen
_loaded: dict[bytes, Callable[[Any], Any]] = {}  # in another process: what works there, by its order


def start_workers(count: int, *, threads: int = 1) -> Any:
    """An executor whose processes start with the first work; `shutdown(kill_workers=True)` ends them.

    They are loky's, which never run the caller's main module again: in a dashboard that is a page.
    """
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

    # Loky's tracker warns of what is gone already where processes are ended at once.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
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
    for kind, before, more in (
        (resource.RLIMIT_AS, used, memory),
        (resource.RLIMIT_CPU, int(time.process_time()) + 1, seconds),
    ):
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
    total, count = sum(map(len, portions)), min(processes, len(portions))
    results: dict[int, Result] = {}

    def report() -> None:
        runtime.report(step, sum(len(portions[place]) for place in results), total)
        if runtime.stop.is_set():
            raise Cancelled(step)

    report()
    if count <= 1:
        work = load(runtime.quietly())
        for place, portion in enumerate(portions):
            results[place] = work(portion)
            report()
        return list(results.values())
    # Each has its share of the cores, or they would wait for one another.
    executor = start_workers(count, threads=max(1, cores() // count))
    try:
        settings = {name: getattr(runtime, name) for name in ("device", "half", "seed", "cache")}
        order = pickle.dumps((load, settings))
        left = iter(range(len(portions)))
        places: dict[Future[Result], int] = {}
        while len(results) < len(portions):
            for place in islice(left, 2 * count - len(places)):
                places[executor.submit(_worked, order, portions[place])] = place
            done, _ = wait(places, timeout=_PROGRESS_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                results[places.pop(future)] = _result(future)
            report()
        return [results[place] for place in range(len(portions))]
    finally:
        executor.shutdown(wait=True, kill_workers=True)  # they hold nothing that is not here


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except CoreError:
        raise
    except BrokenProcessPool as error:
        message = "A process that was working on a part of the rows ended before it was done."
        hint = "The machine may be short of memory: use fewer processes, or fewer rows at once."
        raise CoreError(message, hint=hint) from error
    except Exception as error:
        raise RuntimeError(f"a process met a bug:\n{error.__cause__}") from error


def _worked(order: bytes, portion: Any) -> Any:
    if order not in _loaded:
        load, settings = pickle.loads(order)  # noqa: S301  from the process that started this one
        _loaded[order] = load(Runtime(**settings, patient=True))
    return _loaded[order](portion)
