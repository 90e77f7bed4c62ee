"""The time that is left is that of the work that is known, and never "0 s" while work goes on."""

from types import SimpleNamespace

import pytest

from components import job_queue as steps
from components.job_queue import Steps


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(steps, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_late_step_is_not_charged_with_the_time_before_it(clock):
    told = Steps()
    told.report("Reading headlines", 0, 10)
    clock[0] += 100
    told.report("Reading headlines", 10, 10)
    told.report("Comparing", 0, 100)
    clock[0] += 1
    told.report("Comparing", 10, 100)
    assert told.seconds_left() == pytest.approx(9.0)


def test_a_step_inside_another_counts_as_its_part(clock):
    told = Steps()
    told.report("Repairing", 1, 4)
    clock[0] += 30
    for part in range(3):
        told.report("Clustering the links", part, 2)
    assert told.share() == 0.5
    assert str(told) == "Clustering the links 2 of 2"
    told.report("Clustering the links", 1, 2)
    assert told.share() == 0.375
    told.report("Repairing", 2, 4)
    assert told.share() == 0.5
    assert told.seconds_left() == pytest.approx(30.0)


@pytest.mark.parametrize(("done", "total"), [(0, 0), (0, 10), (1, 100), (10, 10)])
def test_no_number_before_it_is_known_or_when_the_step_is_over(clock, done, total):
    told = Steps()
    told.report("Reading", 0, total)
    clock[0] += 60
    told.report("Reading", done, total)
    assert told.seconds_left() is None


def test_a_step_that_comes_again_starts_anew(clock):
    told = Steps()
    told.report("Reading", 0, 10)
    told.report("Reading", 10, 10)
    clock[0] += 500
    told.report("Reading", 0, 10)
    clock[0] += 5
    told.report("Reading", 5, 10)
    assert told.seconds_left() == pytest.approx(5.0)
