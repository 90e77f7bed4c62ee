"""Long work in the background: progress, a place in line, a stop button, a result that outlives the page."""

import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import streamlit as st

from components import sessions
from components.buttons import button
from components.job_queue import Job, JobQueue
from core.errors import Cancelled
from core.runtime import TOO_SMALL_GPU, Runtime

T = TypeVar("T")

PATIENCE_SECONDS = 1.0  # A step that is quicker than this is shown without a progress bar
QUICK_HEADLINES = 2_000
"""Reading, grouping and mapping so many headlines takes less than ten seconds on two cores."""


# Not a cache of Streamlit's: any browser may have those emptied.
@cache
def _queue() -> JobQueue:
    return JobQueue()


def ask(key: str, work: Callable[[Runtime], Any], *, long: bool, ahead: bool = False) -> Job:
    """The job of that key, in the name of this session; see `JobQueue.ask`."""
    return _queue().ask(key, work, session=sessions.current(), long=long, ahead=ahead)


def wait(job: Job) -> Any:
    """The result, waited for here; a download asks for it long after the page was drawn."""
    return _queue().wait(job)


def result_of(
    key: str,
    label: str,
    work: Callable[[Runtime], T],
    *,
    long: bool,
    meanwhile: Callable[[], object] | None = None,
) -> T:
    """The result of a job; while it runs, draws its progress under a label and ends the script here.

    Args:
        key: Of the job.
        label: Over its progress.
        work: What is computed.
        long: Whether it waits for others that are long.
        meanwhile: Draws what there is to look at until then.

    Raises:
        CoreError: What the work raised.
    """
    found = finished(key, label, work, long=long)
    if found is None:
        if meanwhile is not None and not _is_stopped(key):
            meanwhile()
        st.stop()
        raise AssertionError("st.stop ends the script")
    return found


def finished(key: str, label: str, work: Callable[[Runtime], T], *, long: bool) -> T | None:
    """The result of a job; until there is one None, with its progress drawn here and the page going on.

    Raises:
        CoreError: What the work raised.
    """
    if _is_stopped(key):
        show_stopped(label, key, f"_stopped_{key}")
        return None
    job = ask(key, work, long=long)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not job.future.done() and time.monotonic() < deadline:
        time.sleep(0.01)
    if job.future.done():
        try:
            found = cast(T, job.future.result())
        except Cancelled:
            # It was stopped while nobody looked at it: start it again.
            st.rerun()
        if job.moved:
            st.caption(f":material/memory: {TOO_SMALL_GPU}")
        return found
    _progress(job, key, label)
    return None


def show_stopped(label: str, key: str, remembered: str) -> None:
    """Says that work was stopped, with a button that starts it again and forgets it in the session."""
    st.info(f"**{label} was stopped.**  \nNothing that you had is lost.", icon=":material/stop_circle:")
    button("Start again", f"again-{key}", st.session_state.pop, remembered)


def _is_stopped(key: str) -> bool:
    return bool(st.session_state.get(f"_stopped_{key}"))


def stopped(key: str) -> bool:
    """Whether this session stopped the job of that key; asking forgets it, so that it may run again."""
    return bool(st.session_state.pop(f"_stopped_{key}", False))


@st.fragment(run_every=0.7)
def await_picture(job: Job, said: str) -> None:
    """Says below a page that something is being drawn, and draws the page anew when it is there."""
    if job.future.done():
        st.rerun()
    _queue().look(job, sessions.current())
    st.caption(f":material/hourglass_top: {said}")


@st.fragment(run_every=0.5)
def _progress(job: Job, key: str, label: str) -> None:
    if job.future.done() or _is_stopped(key):
        st.rerun()
    _queue().look(job, sessions.current())
    st.progress(job.steps.share(), text=f"**{label}** — {_where(job)}")
    # In a callback: a click while the page itself is drawn is not lost.
    button("Stop", f"stop-{key}", _stop, job, key, icon="stop_circle")


def _stop(job: Job, key: str) -> None:
    _queue().leave(job, sessions.current())
    st.session_state[f"_stopped_{key}"] = True


def _where(job: Job) -> str:
    before = _queue().before(job)
    if before is not None:
        running, waiting = before
        ahead = f"{running} running" + (f", {waiting} waiting" if waiting else "")
        return f"{_ordinal(waiting + 1)} in line; before you: {ahead}"
    left = job.steps.seconds_left()
    return (str(job.steps) or "Getting ready") + (
        "" if left is None else f", {_time(left)} left in this step"
    )


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _time(seconds: float) -> str:
    if seconds < 5:
        return "a few seconds"
    return f"about {seconds:.0f} s" if seconds < 100 else f"about {seconds / 60:.0f} min"
