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
