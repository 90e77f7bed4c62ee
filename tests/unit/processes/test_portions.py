"""Portions over several processes: the same results, every kind of end."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import psutil
import pytest

from core.errors import Cancelled, CoreError, ModelUnavailableError
from core.files import ROOT
from core.processes import work_through
from core.runtime import Runtime
from tests.unit.numerals import copy_checker

PORTIONS = [[1, 2, 3], [4], [5, 6], [7, 8], [9]]


def workers() -> set[int]:
    """Processes that work for this one; the library has one more, which cleans up after them."""
    found = psutil.Process().children(recursive=True)
    # What another test started may have ended without being waited for.
    alive = [one for one in found if one.status() != psutil.STATUS_ZOMBIE]
    return {one.pid for one in alive if any("LokyProcess" in part for part in one.cmdline())}


@pytest.mark.parametrize("processes", [1, 3])
def test_results_are_in_order_whatever_the_number_of_processes(processes: int) -> None:
    found = work_through(
        copy_checker.load_squares, PORTIONS, Runtime(seed=7), processes=processes, step="Squares"
    )
    assert found == [[8, 11, 16], [23], [32, 43], [56, 71], [88]]


def test_the_work_is_shared_by_processes_that_then_end() -> None:
    before = workers()
    found = work_through(copy_checker.load_process_ids, PORTIONS, Runtime(), processes=2, step="Ids")
    shared = {pid for portion in found for pid in portion}
    assert len(shared) == 2
    assert os.getpid() not in shared
    assert workers() == before


def test_nothing_to_do_starts_nothing() -> None:
    assert work_through(copy_checker.load_dying, [[1]][:0], Runtime(), processes=4, step="None") == []


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_counts_entries_up_to_their_number(processes: int) -> None:
    told: list[tuple[str, int, int]] = []
    runtime = Runtime(report=lambda *given: told.append(given))
    work_through(copy_checker.load_squares, PORTIONS, runtime, processes=processes, step="Squares")
    assert told[0] == ("Squares", 0, 9)
    assert told[-1] == ("Squares", 9, 9)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert len(told) == len(PORTIONS) + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_an_expected_error_stays_what_it_is(processes: int) -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        work_through(copy_checker.load_missing, PORTIONS, Runtime(), processes=processes, step="Missing")
    assert (caught.value.message, caught.value.hint) == ("The weights are not here.", "Install them.")


def test_a_bug_is_told_with_its_place() -> None:
    before = workers()
    with pytest.raises(RuntimeError, match=r"(?s)copy_checker.*ZeroDivisionError"):
        work_through(copy_checker.load_buggy, [[1], [0], [2]], Runtime(), processes=2, step="Bug")
    assert workers() == before


def test_a_process_that_dies_is_told_in_one_sentence() -> None:
    with pytest.raises(CoreError, match="ended before it was done"):
        work_through(copy_checker.load_dying, PORTIONS, Runtime(), processes=2, step="Dying")


def test_a_stop_ends_all_processes_at_once() -> None:
    before = workers()
    runtime = Runtime()
    timer = threading.Timer(1.0, runtime.stop.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        work_through(copy_checker.load_sleeper, PORTIONS, runtime, processes=2, step="Sleep")
    assert time.monotonic() - started < 30  # the work itself sleeps for a minute
    assert workers() == before


def test_a_process_never_runs_the_main_module_again(tmp_path: Path) -> None:
    import subprocess
    import sys

    root = ROOT
    script = tmp_path / "page.py"
    script.write_text(
        "from core.runtime import Runtime\n"
        "from core.processes import work_through\n"
        "from tests.unit.numerals.copy_checker import load_squares\n"
        "print(work_through(load_squares, [[2], [3]], Runtime(), processes=2, step='Squares'))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    assert done.stdout == "[[4], [9]]\n"
