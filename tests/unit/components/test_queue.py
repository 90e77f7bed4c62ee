import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.server import queue
from components.server.queue import KEPT_RESULTS, Job, JobQueue
from core.errors import Cancelled
from core.runtime import Runtime

SOON = 10.0


class House:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.here = set("abcdefgh")
        self.now = 1000.0
        self.order: list[str] = []
        monkeypatch.setattr(queue, "detect_device", lambda: "cpu")
        monkeypatch.setattr(queue, "time", SimpleNamespace(monotonic=self._clock))
        self.jobs = JobQueue(lambda session: session in self.here)
        self._gates: dict[str, threading.Event] = {}
        self._began: dict[str, threading.Event] = {}

    def _clock(self) -> float:
        self.now += 1e-6
        return self.now

    def ask(self, session: str, name: str, *, long: bool, ahead: bool = False) -> Job:
        """Work that goes on until `finish` lets it end, and can be stopped."""
        gate = self._gates.setdefault(name, threading.Event())
        began = self._began.setdefault(name, threading.Event())

        def work(runtime: Runtime) -> str:
            self.order.append(name)
            began.set()
            while not gate.wait(0.005):
                runtime.report("Working", 0, 1)
                if runtime.stop.is_set():
                    raise Cancelled(name)
            return name

        return self.jobs.ask(name, work, session=session, long=long, ahead=ahead)

    def began(self, name: str) -> bool:
        return self._began[name].wait(SOON)

    def finish(self, *names: str) -> None:
        for name in names:
            self._gates[name].set()


@pytest.fixture
def house(monkeypatch):
    made = House(monkeypatch)
    yield made
    for name in list(made._gates):
        made.finish(name)
    made.jobs.close()


def done(job):
    wait([job.future], timeout=SOON)
    assert job.future.done()
    return job


def test_short_work_never_waits_behind_long_work(house):
    for session in "abc":
        house.ask(session, f"long {session}", long=True)
    assert house.began("long a")
    quick = house.ask("d", "quick", long=False)
    assert house.began("quick")
    house.finish("quick")
    assert done(quick).future.result() == "quick"
    assert house.order == ["long a", "quick"]


def test_short_work_goes_first_on_both_workers(house):
    house.ask("a", "quick a", long=False)
    house.ask("b", "quick b", long=False)
    house.ask("c", "long", long=True)
    house.ask("d", "quick d", long=False)
    house.finish("quick a")
    assert house.began("quick d")
    assert "long" not in house.order


def test_long_work_is_not_passed_for_ever(house):
    house.ask("a", "quick a", long=False)
    house.ask("b", "quick b", long=False)
    house.ask("c", "long", long=True)
    house.now += queue.LONG_WAITS_SECONDS
    for session in "abc":
        house.jobs.look(house.ask(session, "long", long=True), session)
    house.ask("d", "quick d", long=False)
    house.finish("quick a")
    assert house.began("long")


def test_sessions_take_turns(house):
    first = house.ask("a", "a1", long=True)
    rest = [house.ask("a", name, long=True) for name in ("a2", "a3")]
    others = [house.ask("b", "b1", long=True), house.ask("c", "c1", long=True)]
    house.finish("a1", "a2", "a3", "b1", "c1")
    for job in (first, *rest, *others):
        done(job)
    assert house.order == ["a1", "b1", "c1", "a2", "a3"]


def test_who_left_does_not_keep_the_next_visitor_waiting(house):
    """Three visitors open the Consistency page and leave; the fourth waits for his own work only."""
    left = [house.ask(session, f"long {session}", long=True) for session in "abc"]
    assert house.began("long a")
    house.here -= set("abc")
    house.now += queue.LOOKING_SECONDS
    mine = house.ask("d", "mine", long=True)
    assert house.began("mine")
    for job in left:
        assert isinstance(done(job).future.exception(), Cancelled)
    house.finish("mine")
    assert done(mine).future.result() == "mine"
    assert house.order == ["long a", "mine"]


def test_work_stops_by_itself_when_its_session_is_gone(house):
    job = house.ask("a", "long", long=True)
    assert house.began("long")
    house.here.remove("a")
    house.now += queue.LOOKING_SECONDS + 1
    assert isinstance(done(job).future.exception(), Cancelled)


def test_a_reload_finds_its_work_still_running(house):
    job = house.ask("a", "long", long=True)
    assert house.began("long")
    house.here.remove("a")
    house.now += queue.LOOKING_SECONDS / 2
    assert house.ask("b", "long", long=True) is job
    house.now += 10 * queue.LOOKING_SECONDS
    house.finish("long")
    assert done(job).future.result() == "long"
    assert house.order == ["long"]


def test_work_survives_leaving_its_page_and_gives_way_to_who_waits(house):
    kept = house.ask("a", "kept", long=True)
    assert house.began("kept")
    house.now += 10 * queue.LOOKING_SECONDS  # a looks at another page
    assert house.jobs.before(kept) is None
    other = house.ask("b", "other", long=True)
    assert house.began("other")
    assert not kept.future.done()
    house.finish("other", "kept")
    assert done(other).future.result() == "other"
    assert done(kept).future.result() == "kept"
    assert house.order == ["kept", "other", "kept"]


def test_stop_takes_the_work_from_nobody_else(house):
    job = house.ask("a", "long", long=True)
    assert house.ask("b", "long", long=True) is job
    house.jobs.leave(job, "a")
    assert not job.stop.is_set()
    house.jobs.leave(job, "b")
    assert isinstance(done(job).future.exception(), Cancelled)


def test_the_place_in_line_counts_what_goes_first(house):
    running = house.ask("a", "long a", long=True)
    second, third = (house.ask(session, f"long {session}", long=True) for session in "bc")
    assert [house.jobs.before(job) for job in (running, second, third)] == [None, (1, 0), (1, 1)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets the priority of a thread")
def test_long_work_steps_back_for_pages_and_short_work(monkeypatch):
    monkeypatch.setattr(queue, "detect_device", lambda: "cpu")
    jobs = JobQueue()

    def own():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def nice(_runtime):
        with ThreadPoolExecutor(1) as inside:
            return [own(), inside.submit(own).result()]

    page = own()
    assert done(jobs.ask("quick", nice, long=False)).future.result() == [page, page]
    long = done(jobs.ask("long", nice, long=True)).future.result()
    assert long == [min(page + queue.LONG_NICE, 19)] * 2
    jobs.close()


@pytest.fixture
def jobs(monkeypatch):
    monkeypatch.setattr("components.server.queue.detect_device", lambda: "cpu")
    made = JobQueue()
    yield made
    made.close()


def test_many_who_ask_at_once_get_one_job(jobs):
    runs = []
    found: list[Job] = []
    gate = threading.Barrier(16)

    def ask():
        gate.wait()
        found.append(jobs.ask("key", lambda runtime: runs.append(1)))

    with ThreadPoolExecutor(16) as threads:
        for _ in range(16):
            threads.submit(ask)
    assert len({id(job) for job in found}) == 1
    done(found[0])
    assert runs == [1]


def test_results_are_bounded_and_the_one_unused_longest_goes_first(jobs):
    first = done(jobs.ask("0", lambda runtime: "first"))
    for number in range(1, KEPT_RESULTS):
        done(jobs.ask(str(number), lambda runtime: None))
    assert jobs.ask("0", lambda runtime: "again") is first  # used: now the youngest
    done(jobs.ask("one more", lambda runtime: None))
    assert jobs.ask("0", lambda runtime: "again") is first
    assert done(jobs.ask("1", lambda runtime: "anew")).future.result() == "anew"


def slow_page():
    """A page whose work lasts until it is stopped."""
    import time

    import streamlit as st

    from components.frame import progress
    from components.frame.errors import show_error
    from core.errors import CoreError

    progress.PATIENCE_SECONDS = 0.05

    def work(runtime):
        for _ in runtime.track(range(400), "Counting"):
            time.sleep(0.01)
        return "made"

    try:
        st.write(progress.result_of(st.session_state["key"], "Counting sheep", work, long=True))
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


def test_what_is_made_ahead_begins_by_itself_in_the_end(jobs, monkeypatch):
    monkeypatch.setattr("components.server.queue.AHEAD_RESTS_SECONDS", 0.05)
    assert done(jobs.ask("key", lambda _: "made", ahead=True)).future.result() == "made"
