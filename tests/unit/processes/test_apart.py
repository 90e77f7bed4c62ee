"""Work apart: bounds of memory and time, every kind of end, and a process that is there again after it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from core.errors import Cancelled, DataSourceError, InputError
from core.processes import apart
from core.runtime import Runtime
from tests.unit.processes import hostile_work

STEP = "Reading the file"


@contextmanager
def other_threads() -> Iterator[list[float]]:
    """The longest that another thread had to wait for its turn, in seconds; known at the end."""
    gaps = [0.0]
    over = threading.Event()

    def watch() -> None:
        before = time.monotonic()
        while not over.wait(0.01):
            gaps[0], before = max(gaps[0], time.monotonic() - before), time.monotonic()

    watching = threading.Thread(target=watch)
    watching.start()
    yield gaps
    over.set()
    watching.join()


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_READING_SECONDS", "1")


def test_it_works_in_another_process_which_stays() -> None:
    first = apart(hostile_work.pid, step=STEP)
    assert first != os.getpid()
    assert apart(hostile_work.pid, b"x" * 1_000_000, step=STEP) == first


def test_what_computes_too_long_is_stopped_and_other_threads_go_on(one_second: None) -> None:
    before = apart(hostile_work.pid, step=STEP)
    told = pytest.raises(InputError, match=r"^Reading the file took more than 1 seconds of computing and was")
    with other_threads() as gaps, told:
        apart(hostile_work.quadratic, 60, step=STEP)
    assert gaps[0] < 1.0  # the expression alone would hold every thread for hours
    assert apart(hostile_work.pid, step=STEP) != before
    assert not psutil.pid_exists(before)


def test_what_takes_too_much_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_READING_MEGABYTES", "200")
    assert apart(hostile_work.big, 100, step=STEP) == 100_000_000
    with pytest.raises(InputError, match=r"took more than 200 MB of memory and was stopped\. Split the file"):
        apart(hostile_work.big, 400, step=STEP)
    monkeypatch.setenv("HEADLINE_LAB_READING_MEGABYTES", "600")
    assert apart(hostile_work.big, 400, step=STEP) == 400_000_000


def test_a_process_that_dies_costs_nobody_else_anything() -> None:
    with pytest.raises(InputError, match=r"broke off: it is damaged in a way that ended the process"):
        apart(hostile_work.deadly, step=STEP)
    assert apart(hostile_work.pid, step=STEP) != os.getpid()


def test_an_error_for_people_stays_what_it_is() -> None:
    with pytest.raises(DataSourceError) as caught:
        apart(hostile_work.refused, step=STEP)
    assert (caught.value.message, caught.value.hint) == ("The file is not here.", "Look elsewhere.")


def test_a_stop_ends_the_work_at_once() -> None:
    runtime = Runtime()
    threading.Timer(0.5, runtime.stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled, match="Reading the file was stopped"):
        apart(hostile_work.sleeping, runtime=runtime, step=STEP)
    assert time.monotonic() - started < 60  # it sleeps for ten minutes


def test_limits_of_the_environment_hold_there_as_they_are_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROWS", "7")
    assert apart(hostile_work.rows, step=STEP) == 7
    monkeypatch.delenv("HEADLINE_LAB_FILE_ROWS")
    assert apart(hostile_work.rows, step=STEP) == 50_000
