"""The progress of long work on a page: how far it is, *Stop*, and its result."""

import time
from collections.abc import Callable
from typing import Final, TypeVar, cast

import streamlit as st

from components.frame.widgets import button
from components.server import queue
from components.server.queue import Job
from core.errors import Cancelled
from core.runtime import TOO_SMALL_GPU, Runtime

T = TypeVar("T")

MOST_SHOWN: Final = 0.97  # of the bar, while the work goes on after its last step
PATIENCE_SECONDS: Final = 1.0  # a step that is quicker than this is shown without a progress bar


def result_of(
    key: str,
    label: str,
    work: Callable[[Runtime], T],
    *,
    long: bool,
    meanwhile: Callable[[], object] = lambda: None,
) -> T:
    """The result of a job, or what the work raised; while it runs, its progress and `meanwhile` are drawn."""
    result = finished(key, label, work, long=long)
    if result is None:
        if not st.session_state.get(f"_stopped_{key}"):
            meanwhile()
        st.stop()
    return cast(T, result)


def finished(key: str, label: str, work: Callable[[Runtime], T], *, long: bool) -> T | None:
    """The result of a job; until there is one None, with its progress drawn here and the page going on."""
    if st.session_state.get(f"_stopped_{key}"):
        show_stopped(label, key, f"_stopped_{key}")
        return None
    job = queue.ask(key, work, long=long)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not job.future.done() and time.monotonic() < deadline:
        time.sleep(0.01)
    if job.future.done():
        try:
            result = cast(T, job.future.result())
        except Cancelled:
            # It was stopped while nobody looked at it: start it again.
            st.rerun()
        if job.moved:
            st.caption(f":material/memory: {TOO_SMALL_GPU}")
        return result
    _progress(job, key, label)
    return None


def show_stopped(label: str, key: str, remembered: str) -> None:
    """Says that work was stopped, with a button that starts it again and forgets it in the session."""
    st.info(f"**{label} was stopped.**  \nNothing that you had is lost.", icon=":material/stop_circle:")
    button("Start again", f"again-{key}", st.session_state.pop, remembered)


def stopped(key: str) -> Job | None:
    """The job of that key where this session stopped it; asking forgets it, so that it may run again."""
    return cast("Job | None", st.session_state.pop(f"_stopped_{key}", None))


@st.fragment(run_every=0.7)
def await_picture(job: Job, said: str) -> None:
    """Says below a page that something is being drawn, and draws the page anew when it is there."""
    if job.future.done():
        st.rerun()
    queue.look(job)
    st.caption(f":material/hourglass_top: {said}")


@st.fragment(run_every=0.5)
def _progress(job: Job, key: str, label: str) -> None:
    if job.future.done() or st.session_state.get(f"_stopped_{key}"):
        st.rerun()
    queue.look(job)
    st.progress(min(job.steps.share(), MOST_SHOWN), text=f"**{label}** — {_where(job)}")

    def stop() -> None:
        queue.leave(job)
        st.session_state[f"_stopped_{key}"] = job

    # In a callback: a click while the page itself is drawn is not lost.
    button("Stop", f"stop-{key}", stop, icon="stop_circle")


def _where(job: Job) -> str:
    before = queue.before(job)
    if before is not None:
        running, waiting = before
        ahead, place = f"{running} running" + (f", {waiting} waiting" if waiting else ""), waiting + 1
        ending = "th" if place % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
        return f"{place}{ending} in line; before you: {ahead}"
    said, left = str(job.steps) or "Getting ready", job.steps.seconds_left()
    if job.steps.share() >= 1:
        return f"{said}; putting the results together"
    if left is None:
        return said
    time_left = f"about {left:.0f} s" if left < 100 else f"about {left / 60:.0f} min"
    return f"{said}, {'a few seconds' if left < 5 else time_left} left in this step"
