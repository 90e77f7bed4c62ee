import threading
import time
from concurrent.futures import wait

import pytest
from streamlit.testing.v1 import AppTest

from components.jobs import KEPT_RESULTS, Job, JobQueue
from core.errors import Cancelled

SOON = 10.0


@pytest.fixture
def jobs(monkeypatch):
    monkeypatch.setattr("components.jobs.detect_device", lambda: "cpu")
    made = JobQueue()
    yield made
    made.close()


def done(job):
    wait([job.future], timeout=SOON)
    assert job.future.done()
    return job


def endless(started):
    """Work that goes on until it is stopped."""

    def work(runtime):
        for _ in runtime.track(range(100_000), "Counting"):
            started.set()
            time.sleep(0.001)

    return work


def test_the_same_key_is_the_same_job_while_it_runs_and_after(jobs):
    runs, go = [], threading.Event()

    def work(runtime):
        runs.append(runtime.device)
        go.wait(SOON)
        return "made"

    first = jobs.ask("key", work)
    assert jobs.ask("key", work) is first
    go.set()
    assert done(first).future.result() == "made"
    assert jobs.ask("key", work) is first
    assert jobs.ask("another key", work) is not first
    assert runs[:1] == ["cpu"]


def test_many_who_ask_at_once_get_one_job(jobs):
    runs = []
    found: list[Job] = []
    gate = threading.Barrier(16)

    def ask():
        gate.wait()
        found.append(jobs.ask("key", lambda runtime: runs.append(1)))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(job) for job in found}) == 1
    done(found[0])
    assert runs == [1]


def test_stop_ends_the_work_as_cancelled_and_it_can_start_again(jobs):
    started = threading.Event()
    job = jobs.ask("key", endless(started))
    assert started.wait(SOON)
    job.stop.set()
    error = done(job).future.exception()
    assert isinstance(error, Cancelled)
    assert "Counting was stopped." in error.message
    assert done(jobs.ask("key", lambda runtime: 1)).future.result() == 1


def test_results_are_bounded_and_the_one_unused_longest_goes_first(jobs):
    first = done(jobs.ask("0", lambda runtime: "first"))
    for number in range(1, KEPT_RESULTS):
        done(jobs.ask(str(number), lambda runtime: None))
    assert jobs.ask("0", lambda runtime: "again") is first  # used: now the youngest
    done(jobs.ask("one more", lambda runtime: None))
    assert jobs.ask("0", lambda runtime: "again") is first
    assert done(jobs.ask("1", lambda runtime: "anew")).future.result() == "anew"
    for number in range(100):
        done(jobs.ask(f"later {number}", lambda runtime: None))
    assert len(jobs._jobs) <= KEPT_RESULTS


def slow_page():
    """A page whose work lasts until it is stopped."""
    import time

    import streamlit as st

    from components import jobs
    from components.page import show_error
    from core.errors import CoreError

    jobs.PATIENCE_SECONDS = 0.05

    def work(runtime):
        for _ in runtime.track(range(400), "Counting"):
            time.sleep(0.01)
        return "made"

    try:
        st.write(jobs.result_of(st.session_state["key"], "Counting sheep", work, long=True))
    except CoreError as error:
        show_error(error)


def test_a_page_shows_progress_stops_and_starts_again():
    app = AppTest.from_function(slow_page, default_timeout=20)
    app.session_state["key"] = f"slow-{time.monotonic()}"
    app.run()
    assert [button.label for button in app.button] == ["Stop"]
    app.button[0].click().run()
    assert not app.exception
    assert "was stopped" in app.info[0].value
    assert [button.label for button in app.button] == ["Start again"]
    app.button[0].click().run()
    assert not app.exception
    assert [button.label for button in app.button] == ["Stop"]
    app.button[0].click().run()


def test_what_is_made_ahead_rests_until_it_is_wanted(jobs, monkeypatch):
    monkeypatch.setattr("components.jobs.AHEAD_RESTS_SECONDS", 3600.0)
    began = threading.Event()

    def work(_runtime):
        began.set()
        return "made"

    job = jobs.ask("key", work, ahead=True)
    assert jobs.ask("key", work, ahead=True) is job
    assert not began.wait(0.2)
    assert jobs.wait(job) == "made"
    assert jobs.ask("key", work) is job


def test_what_is_made_ahead_begins_by_itself_in_the_end(jobs, monkeypatch):
    monkeypatch.setattr("components.jobs.AHEAD_RESTS_SECONDS", 0.05)
    assert done(jobs.ask("key", lambda _: "made", ahead=True)).future.result() == "made"
