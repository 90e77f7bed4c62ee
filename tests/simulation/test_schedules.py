"""Schedules of two servers on a simulated disk (docs/storage.md): no seed may break a promise."""

import re

import pytest

pytest.importorskip("apsw")

from core.files import ROOT
from tests.simulation.__main__ import WORLDS
from tests.simulation.schedule import run

QUICK = {"journal": 40, "rooms": 20, "streams": 20, "archives": 6, "trainings": 8}
SCHEDULES = 300
"""As many as the last fault of `tests/mutations` needs to be found; the guide says how to play more."""
PART = 150


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_few_schedules_break_no_promise(world):
    for seed in range(QUICK[world]):
        run(seed, WORLDS[world])


REPAIRED = re.findall(
    r"^\| ([a-z]*) ?([\d, ]+) \| ", (ROOT / "docs/storage.md").read_text("utf-8"), re.MULTILINE
)


@pytest.mark.slow
@pytest.mark.parametrize(("world", "seeds"), REPAIRED)
def test_seeds_that_the_guide_calls_repaired_break_no_promise(world, seeds):
    for seed in map(int, seeds.split(",")):
        run(seed, WORLDS[world or "journal"])


def test_the_guide_names_repaired_seeds():
    assert len(REPAIRED) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_a_seed_gives_the_same_story(world):
    seed = 511 if world == "journal" else 3
    stories = [run(seed, WORLDS[world]) for _ in range(2)]
    without_folder = [[re.sub(r"/tmp\w+/", "", line) for line in played.story] for played in stories]
    assert without_folder[0] == without_folder[1]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(QUICK["journal"], SCHEDULES, PART))
def test_no_schedule_breaks_a_promise(first):
    for seed in range(first, min(SCHEDULES, first + PART)):
        run(seed)


@pytest.mark.slow
@pytest.mark.parametrize("world", [world for world in WORLDS if world != "journal"])
def test_no_schedule_of_others_breaks_a_promise(world):
    for seed in range(QUICK[world], SCHEDULES // 8):
        run(seed, WORLDS[world])
