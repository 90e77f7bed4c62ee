import gzip
import io
import os
import sys
import threading
import time
from contextlib import contextmanager

import psutil
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from core.bounded_work import apart
from core.data.timelines.load import load
from core.errors import Cancelled, CoreError, InputError
from core.processes import work_through
from core.runtime import Runtime
from tests.programs import finished
from tests.unit.numerals import copy_checker
from tests.unit.processes import hostile_work

STEP = "Reading the file"


@contextmanager
def other_threads():
    """How often another thread had its turn; known at the end."""
    turns, over = [0], threading.Event()

    def watch():
        while not over.wait(0.01):
            turns[0] += 1

    watching = threading.Thread(target=watch)
    watching.start()
    yield turns
    over.set()
    watching.join()


@contextmanager
def memory():
    """The most that this process has taken in between, in bytes; known at the end."""
    before, taken, over = psutil.Process().memory_info().rss, [0], threading.Event()

    def watch():
        while not over.wait(0.005):
            taken[0] = max(taken[0], psutil.Process().memory_info().rss - before)

    watching = threading.Thread(target=watch)
    watching.start()
    yield taken
    over.set()
    watching.join()


@pytest.fixture
def one_second(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_READING_SECONDS", "1")


def test_what_computes_too_long_is_stopped_and_other_threads_go_on(one_second):
    before = apart(hostile_work.pid, step=STEP)
    told = pytest.raises(InputError, match=r"^Reading the file took more than 1 seconds of computing and was")
    with other_threads() as turns, told:
        apart(hostile_work.quadratic, 60, step=STEP)
    assert turns[0] > 5  # beside the expression itself another thread has one at most
    assert apart(hostile_work.pid, step=STEP) != before
    assert not psutil.pid_exists(before)


def test_what_takes_too_much_memory_is_stopped(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_READING_MEGABYTES", "200")
    assert apart(hostile_work.big, 100, step=STEP) == 100_000_000
    with pytest.raises(InputError, match=r"took more than 200 MB of memory and was stopped\. Split the file"):
        apart(hostile_work.big, 400, step=STEP)
    monkeypatch.setenv("HEADLINE_LAB_READING_MEGABYTES", "600")
    assert apart(hostile_work.big, 400, step=STEP) == 400_000_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
@pytest.mark.parametrize("name", ["a.csv.gz", "a.parquet"])
def test_the_system_stops_a_file_that_unpacks_to_gigabytes_and_the_server_stays_small(name, monkeypatch):
    monkeypatch.setenv(
        "HEADLINE_LAB_UNPACKED_MEGABYTES", "100000"
    )  # the reader's own guard is out of the way
    monkeypatch.setenv("HEADLINE_LAB_READING_MEGABYTES", "500")
    lines = [b"a" * 90_000] * 20_000  # 1.8 GB
    packed = io.BytesIO()
    if name.endswith("gz"):
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=1) as file:
            file.writelines(line + b"\n" for line in [b"headline", *lines])
    else:
        same = pa.DictionaryArray.from_arrays(pa.array([0] * len(lines), pa.int32()), pa.array(lines[:1]))
        pq.write_table(pa.table({"headline": list(map(str, range(len(lines)))), "body": same}), packed)
    apart(hostile_work.pid, step=STEP)
    with (
        memory() as taken,
        pytest.raises(InputError, match=r"more than 500 MB of memory and was stopped\. Split"),
    ):
        apart(load, packed.getvalue(), name, step=STEP)
    assert taken[0] < 60e6


def test_a_process_that_dies_costs_nobody_else_anything():
    with pytest.raises(InputError, match=r"broke off: it is damaged in a way that ended the process"):
        apart(hostile_work.deadly, step=STEP)
    assert apart(hostile_work.pid, step=STEP) != os.getpid()


def test_a_stop_ends_the_work_at_once():
    runtime = Runtime()
    threading.Timer(0.5, runtime.stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled, match="Reading the file was stopped"):
        apart(hostile_work.sleeping, runtime=runtime, step=STEP)
    assert time.monotonic() - started < 60  # it sleeps for ten minutes


def test_limits_of_the_environment_hold_there_as_they_are_now(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROWS", "7")
    assert apart(hostile_work.rows, step=STEP) == 7
    monkeypatch.delenv("HEADLINE_LAB_FILE_ROWS")
    assert apart(hostile_work.rows, step=STEP) == 50_000


PORTIONS = [[1, 2, 3], [4], [5, 6], [7, 8], [9]]


def workers():
    """Processes that work for this one; the library has one more, which cleans up after them."""
    found = psutil.Process().children(recursive=True)
    # What another test started may have ended without being waited for.
    alive = [one for one in found if one.status() != psutil.STATUS_ZOMBIE]
    return {one.pid for one in alive if any("LokyProcess" in part for part in one.cmdline())}


@pytest.mark.parametrize("processes", [1, 3])
def test_results_are_in_order_whatever_the_number_of_processes(processes):
    found = work_through(
        copy_checker.load_squares, PORTIONS, Runtime(seed=7), processes=processes, step="Squares"
    )
    assert found == [[8, 11, 16], [23], [32, 43], [56, 71], [88]]


def test_a_process_that_dies_is_told_in_one_sentence():
    with pytest.raises(CoreError, match="ended before it was done"):
        work_through(copy_checker.load_dying, PORTIONS, Runtime(), processes=2, step="Dying")


def test_a_stop_ends_all_processes_at_once():
    before = workers()
    runtime = Runtime()
    timer = threading.Timer(1.0, runtime.stop.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        work_through(copy_checker.load_sleeper, PORTIONS, runtime, processes=2, step="Sleep")
    assert time.monotonic() - started < 30  # the work itself sleeps for a minute
    assert workers() == before


def test_a_process_never_runs_the_main_module_again(tmp_path):
    script = tmp_path / "page.py"
    script.write_text(
        "from core.runtime import Runtime\n"
        "from core.processes import work_through\n"
        "from tests.unit.numerals.copy_checker import load_squares\n"
        "print(work_through(load_squares, [[2], [3]], Runtime(), processes=2, step='Squares'))\n"
    )
    done = finished(sys.executable, script, cwd=tmp_path)
    assert done.stdout == "[[4], [9]]\n"


def test_processes_that_are_ended_at_once_leave_no_warning():
    work_through(copy_checker.load_squares, PORTIONS, Runtime(), processes=2, step="Squares")
    said = finished(sys.executable, "-c", "import warnings; warnings.warn('resource_tracker: gone')")
    assert not said.stderr
