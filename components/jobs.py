"""Long work in the background: progress, a stop button, and a result that outlives the page."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, cast

import streamlit as st

from components.sizes import megabytes
from core import limits
from core.errors import Cancelled
from core.runtime import Runtime, detect_device

T = TypeVar("T")

KEPT_RESULTS = 12
"""Results in memory at most; the one used longest ago goes first."""

PATIENCE_SECONDS = 1.0
"""A step that is quicker than this is shown without a progress bar."""

AHEAD_RESTS_SECONDS = 2.0
"""What is made ahead waits so long, while the browser draws the page that asked for it."""


@dataclass(eq=False)
class Job:
    """One piece of work and where it stands.

    Attributes:
        future: Its result, when there is one.
        stop: Set it to stop the work.
        step, done, total: What it last said.
        wanted: Set once somebody waits for it; what is only made ahead rests before it begins.
        started: When it began, on the monotonic clock.
    """

    future: Future[Any] = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    wanted: threading.Event = field(default_factory=threading.Event)
    step: str = "Waiting for a free worker"
    done: int = 0
    total: int = 0
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def megabytes(self) -> float:
        """How much memory the result of finished work holds."""
        return 0.0 if self.future.exception() else megabytes(self.future.result())

    def awaited(self) -> Any:
        """The result, waited for here; a download asks for it long after the page was drawn."""
        self.wanted.set()
        return self.future.result()

    def report(self, step: str, done: int, total: int) -> None:
        """Called from the working thread."""
        self.step, self.done, self.total = step, done, total


class Jobs:
    """Work by key; asking twice for the same key gets the same job."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        # Two cores are the common case: more workers would only slow each other down.
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="headline-lab")

    def ask(self, key: str, work: Callable[[Runtime], T], *, ahead: bool = False) -> Job:
        """The job of that key, started if it is new or was stopped.

        Args:
            key: What the result depends on.
            work: Gets a runtime that reports progress and can be stopped.
            ahead: Nobody waits for it yet: it leaves the processor to the page that is being drawn first.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not (job.future.done() and job.future.exception()):
                self._jobs.move_to_end(key)
            else:
                job = Job()
                job.future = self._pool.submit(_begin, job, work)
                self._jobs[key] = job
                self._let_go(key)
            if not ahead:
                job.wanted.set()
            return job

    def _let_go(self, newest: str) -> None:
        """Forgets finished work past the limits, the one used longest ago first; called with the lock."""
        finished = [key for key, job in self._jobs.items() if job.future.done() and key != newest]
        held = sum(self._jobs[key].megabytes for key in finished)
        for key in finished:
            if len(self._jobs) <= KEPT_RESULTS and held <= limits.KEPT_MEGABYTES.value:
                return
            held -= self._jobs.pop(key).megabytes


def _begin(job: Job, work: Callable[[Runtime], T]) -> T:
    job.wanted.wait(AHEAD_RESTS_SECONDS)
    job.step = "Getting ready"
    # Here and not where it is asked for: looking for a device imports torch, and a page would wait.
    return work(Runtime(device=detect_device(), report=job.report, stop=job.stop))


@st.cache_resource(show_spinner=False)
def all_jobs() -> Jobs:
    """The jobs of this server."""
    return Jobs()


def result_of(key: str, label: str, work: Callable[[Runtime], T]) -> T:
    """The result of a job; while it runs, draws its progress and ends the script here.

    Args:
        key: What the result depends on, as text; the same key never computes twice.
        label: What is being done, for the reader.
        work: Gets a runtime that reports progress and can be stopped.

    Raises:
        CoreError: What the work raised.
    """
    job = finished(key, label, work)
    if job is None:
        st.stop()
        raise AssertionError("st.stop ends the script")
    return cast(T, job.future.result())


def finished(
    key: str, label: str, work: Callable[[Runtime], Any], *, patience: float = PATIENCE_SECONDS
) -> Job | None:
    """The job when it has a result; until then None, with its progress drawn here and the page going on.

    Args:
        key: What the result depends on, as text; the same key never computes twice.
        label: What is being done, for the reader.
        work: Gets a runtime that reports progress and can be stopped.
        patience: Seconds to wait before progress is shown.

    Raises:
        CoreError: What the work raised.
    """
    stopped_key = f"_stopped_{key}"
    if st.session_state.get(stopped_key):
        st.info(f"**{label} was stopped.**  \nNothing that you had is lost.", icon=":material/stop_circle:")
        if st.button("Start again", key=f"again-{key}"):
            del st.session_state[stopped_key]
            st.rerun()
        return None
    job = all_jobs().ask(key, work)
    deadline = time.monotonic() + patience
    while not job.future.done() and time.monotonic() < deadline:
        time.sleep(0.01)
    if job.future.done():
        try:
            job.future.result()
        except Cancelled:
            # Somebody else who waited for the same result stopped it: start it again.
            st.rerun()
        return job
    _progress(job, key, label)
    return None


def stopped(key: str) -> bool:
    """Whether this session stopped the job of that key; asking forgets it, so that it may run again."""
    return bool(st.session_state.pop(f"_stopped_{key}", False))


@st.fragment(run_every=0.5)
def _progress(job: Job, key: str, label: str) -> None:
    if job.future.done():
        st.rerun()
    share = job.done / job.total if job.total else 0.0
    seconds = time.monotonic() - job.started
    left = f", about {seconds * (1 - share) / share:.0f} s left" if share > 0.05 else ""
    counted = f" {job.done:,} of {job.total:,}" if job.total else ""
    st.progress(min(share, 1.0), text=f"**{label}** — {job.step}{counted}{left}")
    if st.button("Stop", key=f"stop-{key}", icon=":material/stop_circle:"):
        job.stop.set()
        st.session_state[f"_stopped_{key}"] = True
        st.rerun()
