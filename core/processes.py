"""Work in other processes, portion by portion."""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from typing import IO, Any, Final, TypeVar

from core import ABOVE
from core.errors import Cancelled, CoreError
from core.files import IMPORTED_FROM
from core.runtime import Runtime, stay_offline

_PARENT_SECONDS: Final = 2.0
_NICE: Final = 5  # whoever waits for a page comes before whoever waits for a worker
Portion = TypeVar("Portion", bound=Sequence[Any])
Result = TypeVar("Result")
Load = Callable[[Runtime], Callable[[Portion], Result]]
"""Makes what works on a portion; with several processes it has to be found by its name in another one."""
_PROGRESS_SECONDS: Final = 0.1  # how long a stop may go unseen
_loaded: dict[bytes, Callable[[Any], Any]] = {}  # in another process: what works there, by its order


def start_command(words: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Our command in a process that outlives this one; what it says goes into `log`."""
    return subprocess.Popen(  # noqa: S603 - no shell reads the words
        [sys.executable, "-m", f"{ABOVE}cli", *words],
        cwd=IMPORTED_FROM,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def start_workers(count: int, *, threads: int = 1) -> Any:
    """An executor of loky, whose processes never run the caller's main module again: here a page."""
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


def cores() -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return allowed or 1


def work_through(
    load: Load[Portion, Result], portions: Sequence[Portion], runtime: Runtime, *, processes: int, step: str
) -> list[Result]:
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
