"""Grouping methods on a timeline with gold groups: figures, comparisons, tables, and what is resumed."""

import pytest

from core.groups.quality.metrics import quality
from core.runtime import Runtime
from core.statistics.bootstrap import holm
from research.benchmark.events import run

STORIES = ("Rocket lands on the moon", "Bank cuts its rates", "Storm hits the coast", "Team wins the cup")


@pytest.fixture(scope="module")
def timeline(tmp_path_factory):
    path = tmp_path_factory.mktemp("timeline") / "stories.csv"
    rows = [
        f"{story} {how},2020-01-0{day},{story[:4]}" for day, story in enumerate(STORIES, 1) for how in "abc"
    ]
    path.write_text("\n".join(["headline,date,gold_group", *rows]))
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def found(timeline, cache):
    return run(
        Runtime(cache=cache),
        sets=[str(timeline), "no/such.csv"],
        methods=["average_linkage", "connected_components"],
        scorer="token_overlap",
        resamples=60,
    )


def test_figures_are_the_quality_of_the_groups(found, timeline):
    gold = [story[:4] for story in STORIES for _ in "abc"]
    alone, together = (found.cell(str(timeline), key) for key in ("alone", "together"))
    expected = quality(list(range(12)), gold, resamples=found.resamples)
    assert alone.figures == expected.scores
    assert (together.value("bcubed_recall"), together.value("bcubed_precision")) == (1, 0.25)
    assert "such.csv" in found.set("no/such.csv").why_not
    assert found.cell(str(timeline), "average_linkage").value("bcubed_f1") == 1


def test_methods_are_compared_with_the_default_and_corrected(found, timeline):
    assert [one.one for one in found.comparisons] == ["alone", "together", "connected_components"]
    assert {(one.other, one.measure) for one in found.comparisons} == {("average_linkage", "bcubed_f1")}
    assert [one.corrected for one in found.comparisons] == holm(
        [one.difference.p for one in found.comparisons]
    )
    base = found.cell(str(timeline), "average_linkage").value("bcubed_f1")
    for one in found.comparisons:
        assert one.difference.value == pytest.approx(found.cell(one.set, one.one).value("bcubed_f1") - base)
