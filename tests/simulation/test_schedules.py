"""Schedules of two servers on a simulated disk (docs/storage.md): no seed may break a promise."""

import os

import pytest

pytest.importorskip("apsw")

from tests.simulation.schedule import run

QUICK = 40
SCHEDULES = int(os.environ.get("HEADLINE_LAB_SCHEDULES", "1200"))
PART = 150


def test_few_schedules_break_no_promise():
    for seed in range(QUICK):
        run(seed)


def test_a_seed_gives_the_same_story():
    assert run(511).story == run(511).story


@pytest.mark.slow
@pytest.mark.parametrize("first", range(QUICK, SCHEDULES, PART))
def test_no_schedule_breaks_a_promise(first):
    for seed in range(first, min(SCHEDULES, first + PART)):
        run(seed)
