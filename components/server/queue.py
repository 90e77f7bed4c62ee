"""Long work in the background: short before long, sessions in turn, and nothing that nobody waits for."""

import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, TypeVar

from components.server import sessions
from components.server.shelf import megabytes
from core import limits
from core.errors import Cancelled
from core.runtime import Runtime, detect_device, where_it_fits

T = TypeVar("T")
QUICK_HEADLINES = 2_000  # are read, grouped and mapped in less than ten seconds on two cores
KNOWN = 0.05  # share of a step from which its pace says how long the rest takes
WORKERS = 2  # two cores are the common case; long work never holds the last one
KEPT_RESULTS = 100  # in memory at most; the one used longest ago goes first, also past `kept_megabytes`
AHEAD_RESTS_SECONDS = 2.0  # what is made ahead waits while the browser draws the page that asked for it
LOOKING_SECONDS = 10.0  # a page that shows work asks twice a second; one silent for so long shows another
LONG_WAITS_SECONDS = 30.0  # after which short work no longer passes long work on the worker that both share
LONG_NICE = 10  # how far long work steps back on the processor (0 not at all, 19 the most)


class ProgressStep(NamedTuple):
    name: str  # for the reader
    done: int
    total: int
    started: float  # when it first reported, on the monotonic clock


class Steps:
    """The steps that are under way: a step inside an unfinished one is a part of it."""

    _open: tuple[ProgressStep, ...] = ()

    def report(self, name: str, done: int, total: int) -> None:
        """Takes what a step reports: `done` of `total`, at least 0."""
        at = next((k for k, step in enumerate(self._open) if step.name == name), None)
        outer = self._open[:at] if at is not None else tuple(s for s in self._open if s.done < s.total)
        known, started = None if at is None else self._open[at], time.monotonic()
        if known is not None and known.total == total and done >= known.done:
            started = known.started
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
        if not self._open:
            return ""
        last = self._open[-1]
        return f"{last.name} {last.done:,} of {last.total:,}" if last.total else last.name


@dataclass(eq=False)
class Job:
    work: Callable[[Runtime], Any] | None  # None once it is done, so that nothing is held that only it needed
    long: bool  # whether it is expected to take longer than ten seconds
    asked: float  # when first, on the monotonic clock
    rests_until: float = 0.0  # when it may begin although nobody waits for it yet
    future: Future[Any] = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    returns: bool = False  # whether it goes back into the line once it has stopped
    running: bool = False  # whether a worker has it
    moved: bool = False  # whether the CPU computes it because a GPU's memory was not enough
    steps: Steps = field(default_factory=Steps)
    seen: dict[str, float] = field(default_factory=dict)  # when each session last asked for it
    connected_at: float = 0.0  # when one of these sessions was last connected
    held: int = 0  # threads that wait for its result, with no page that asks for it

    @cached_property
    def megabytes(self) -> float:
        return 0.0 if self.future.exception() else megabytes(self.future.result())

    def looked_at(self) -> bool:
        return self.held > 0 or time.monotonic() - max(self.seen.values(), default=0.0) < LOOKING_SECONDS


class JobQueue:
    """Work by key; asking twice for the same key gets the same job."""

    def __init__(self, connected: Callable[[str], bool] = sessions.connected) -> None:
        self._connected = connected
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.RLock()
        self._pool = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="headline-lab")
        self._long_pool = ThreadPoolExecutor(
            max_workers=WORKERS - 1, thread_name_prefix="headline-lab-long", initializer=_step_back
        )
        self._turns: dict[str, float] = {}  # when work of each session last began
        self._tidied = 0.0

    def ask(
        self,
        key: str,
        work: Callable[[Runtime], T],
        *,
        session: str | None = None,
        long: bool = True,
        ahead: bool = False,
    ) -> Job:
        """The job of that key, started if it is new or was stopped."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or (job.future.done() and job.future.exception()):
                job = self._jobs[key] = Job(work, long, time.monotonic())
                if ahead:
                    job.rests_until = job.asked + AHEAD_RESTS_SECONDS
                    timer = threading.Timer(AHEAD_RESTS_SECONDS, self._go_on)
                    timer.daemon = True
                    timer.start()
            self._jobs.move_to_end(key)
            if job.stop.is_set():
                job.returns = True
            if not ahead:
                job.rests_until = 0.0
            self.look(job, session)
            self._let_go(key)
            return job

    def look(self, job: Job, session: str | None = None) -> None:
        with self._lock:
            job.seen[sessions.current() if session is None else session] = job.connected_at = time.monotonic()
            self._go_on()

    def leave(self, job: Job, session: str | None = None) -> None:
        """Says that the session does not want the job; it stops where nobody else looks at it."""
        with self._lock:
            job.seen.pop(sessions.current() if session is None else session, None)
            if not job.looked_at():
                job.returns = False
                job.stop.set()
            self._go_on()

    def wait(self, job: Job) -> Any:
        with self._lock:
            job.held += 1
            job.rests_until = 0.0
            self._go_on()
        try:
            return job.future.result()
        finally:
            job.held -= 1

    def before(self, job: Job) -> tuple[int, int] | None:
        """How many jobs run and how many wait before this one; None once it is not waiting."""
        with self._lock:
            line = self._line()
            if job not in line:
                return None
            rivals = [rival for rival in line[: line.index(job)] if job.long or not rival.long]
            return sum(other.running for other in self._jobs.values()), len(rivals)

    def load(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        with self._lock:
            return sum(job.running for job in self._jobs.values()), len(self._line())

    def close(self) -> None:
        for job in self._jobs.values():
            job.stop.set()
        for pool in (self._pool, self._long_pool):
            pool.shutdown(cancel_futures=True)

    def _line(self) -> list[Job]:
        now = time.monotonic()

        def place(job: Job) -> tuple[bool, bool, float, float]:
            passed = job.long and now - job.asked < LONG_WAITS_SECONDS
            turn = min((self._turns.get(session, 0.0) for session in job.seen), default=0.0)
            return not job.looked_at(), passed, turn, job.asked

        waiting = [job for job in self._jobs.values() if not job.running and not job.future.done()]
        return sorted((job for job in waiting if job.rests_until <= now), key=place)

    def _go_on(self) -> None:
        with self._lock:
            self._tidied = time.monotonic()
            self._stop_what_nobody_wants()
            running = [job for job in self._jobs.values() if job.running]
            for job in self._line():
                longs = sum(job.long for job in running)
                if job.work and len(running) < WORKERS and not (job.long and longs >= WORKERS - 1):
                    job.running = True
                    self._turns |= dict.fromkeys(job.seen, time.monotonic())
                    try:
                        (self._long_pool if job.long else self._pool).submit(self._run, job, job.work)
                    except RuntimeError:  # The server is going down.
                        return
                    running.append(job)
                elif job.looked_at():
                    for other in running:
                        if not other.looked_at() and not other.stop.is_set():
                            other.returns = True
                            other.stop.set()

    def _stop_what_nobody_wants(self) -> None:
        for job in self._jobs.values():
            if job.future.done():
                continue
            if any(map(self._connected, job.seen)):
                job.connected_at = self._tidied
            elif not job.held and self._tidied - job.connected_at > LOOKING_SECONDS:
                job.returns = False
                job.stop.set()
            if job.stop.is_set() and not job.running:
                job.future.set_exception(Cancelled("The work"))
        self._turns = {session: turn for session, turn in self._turns.items() if self._connected(session)}

    def _run(self, job: Job, work: Callable[[Runtime], Any]) -> None:
        def report(step: str, done: int, total: int) -> None:
            job.steps.report(step, done, total)
            if time.monotonic() - self._tidied > 1:
                self._go_on()

        result, error = None, None
        try:
            # Here and not where it is asked for: looking for a device imports torch, and a page would wait.
            runtime = Runtime(device=detect_device(), report=report, stop=job.stop)
            result = where_it_fits(work, runtime, partial(setattr, job, "moved", True))
        except BaseException as raised:
            # Raised where the result is asked for.
            error = raised
        with self._lock:
            job.running = False
            if isinstance(error, Cancelled) and job.returns:
                job.returns, job.steps = False, Steps()
                job.stop.clear()
            elif error is not None:
                job.future.set_exception(error)
            else:
                job.future.set_result(result)
            if job.future.done():
                job.work = None
            self._go_on()

    def _let_go(self, newest: str) -> None:
        finished = [key for key, job in self._jobs.items() if job.future.done() and key != newest]
        held = sum(self._jobs[key].megabytes for key in finished)
        for key in finished:
            if len(self._jobs) <= KEPT_RESULTS and held <= limits.KEPT_MEGABYTES.value:
                return
            held -= self._jobs.pop(key).megabytes


def _step_back() -> None:
    if sys.platform == "linux":
        own = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, own, min(os.getpriority(os.PRIO_PROCESS, own) + LONG_NICE, 19))


# Not a cache of Streamlit's: any browser may have those emptied.
_QUEUE: Final = JobQueue()
ask, wait, look, leave, before = _QUEUE.ask, _QUEUE.wait, _QUEUE.look, _QUEUE.leave, _QUEUE.before
load = _QUEUE.load
