import numpy as np
import pandas as pd
import pytest

from benchmarks.grouping import measure_groups
from components.opened.resources import scorer_weights
from core.data.timelines.samples import load_named
from core.events import lanes
from core.events.outlets import also_in
from core.files import ROOT
from core.groups.quality import quality
from core.runtime import Runtime
from research.benchmark.events import measure_grouping

STORIES = ("Rocket lands on the moon", "Bank cuts its rates", "Storm hits the coast", "Team wins the cup")


@pytest.fixture(scope="module")
def timeline(tmp_path_factory):
    path = tmp_path_factory.mktemp("timeline") / "stories.csv"
    said = [(story, day, how) for day, story in enumerate(STORIES, 1) for how in "abc"]
    rows = [f"{story} {how},2020-01-0{day},{story[:4]}" for story, day, how in said]
    path.write_text("\n".join(["headline,date,gold_group", *rows]))
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def found(timeline, cache):
    return measure_grouping(
        Runtime(cache=cache),
        sets=[str(timeline), "no/such.csv"],
        methods=["average_linkage", "connected_components"],
        scorer="token_overlap",
        resamples=60,
    )


@pytest.mark.slow
def test_figures_are_the_quality_of_the_groups(found, timeline):
    gold = [story[:4] for story in STORIES for _ in "abc"]
    alone, together = (found.cell(str(timeline), key) for key in ("alone", "together"))
    expected = quality(list(range(12)), gold, resamples=found.resamples)
    assert alone.figures == expected.scores
    assert (together.value("bcubed_recall"), together.value("bcubed_precision")) == (1, 0.25)
    assert "such.csv" in found.set("no/such.csv").why_not
    assert found.cell(str(timeline), "average_linkage").value("bcubed_f1") == 1


@pytest.mark.slow
def test_where_no_scorer_is_named_each_timeline_is_signed_with_its_own(timeline, cache, tmp_path):
    mixed = tmp_path / "mixed.csv"
    texts = [
        "Sturm trifft die Küste im Norden",
        "La tempête frappe la côte nord",
        "Шторм обрушился на побережье",
    ]
    rows = [f"{text} {n},2020-01-01,storm{n}" for n in "12" for text in texts]
    mixed.write_text("\n".join(["headline,date,gold_group", *rows]), encoding="utf-8")
    files = [str(timeline), str(mixed)]
    found = measure_grouping(Runtime(cache=cache), sets=files, methods=["average_linkage"], resamples=60)
    one, several = (found.cell(file, "average_linkage").signature for file in files)
    assert "event_trees.v1" in one
    assert "event_trees_languages" not in one
    assert "event_trees.v1|model:event_trees_languages" in several
    keys = {scorer_weights("auto", reading=load_named(file).reading) for file in files}
    assert len(keys) == 2, "a job of one would give the groups of the other"


def test_columns_of_comparison_are_there_exactly_where_methods_are_compared(found, timeline, cache):
    how = {"methods": ["connected_components"], "scorer": "token_overlap", "resamples": 60}
    alone = measure_grouping(Runtime(cache=cache), sets=[str(timeline)], **how)
    tables = [next(each.tables(each.sets[0], brief=True)) for each in (found, alone)]
    both, one = ({column.title for column in table.columns} for table in tables)
    # Four gold groups give a difference, but are too few to test it.
    assert {title.rpartition(" ")[2] for title in both - one} == {"average_linkage"}
    assert not [title for title in both if "Holm" in title]
    assert not one - both


def test_the_figures_of_the_readme_are_those_of_the_command(cache):
    ours = measure_groups(pd.read_csv(ROOT / "samples/iss/iss_excerpt.csv", dtype=str), cache)
    theirs = measure_grouping(Runtime(cache=cache), sets=["sample:iss"], methods=["average_linkage"])
    (shown,) = theirs.tables(theirs.sets[0], brief=True)
    assert [column.title for column in shown.columns if "Holm" in column.title] == ["p (Holm, 2 comparisons)"]
    figure = theirs.cell("sample:iss", "average_linkage").figures["pair_f1"]
    assert ours["pair_f1"] == round(figure.value, 3)
    assert ours["pair_f1_interval"] == [round(end, 3) for end in figure.interval]


OUTLETS = ["Alpha", "Beta", None, "Alpha", "Gamma", "Delta"]


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ((0,), ""),
        ((0, 3, 1, 2, 4, 5), "also in: Beta, Gamma and 1 more"),
        ((0, 3), "repeated once"),
        ((2, 2, 2), "repeated 2 times"),
    ],
)
def test_copies_name_the_other_outlets_once(report, said):
    assert also_in(OUTLETS, report, most=2) == said


@pytest.mark.parametrize("texts", [["One"], ["…", "!"], ["Same"] * 5, ["a b", "c d"], list(STORIES) * 75])
def test_a_first_look_lays_out_an_even_sample_and_finds_its_stories(texts, monkeypatch):
    monkeypatch.setattr(lanes, "SAMPLE", 100)
    look = lanes.first_look(texts, Runtime())
    count = min(100, len(texts))
    assert (len(look.rows), look.positions.shape) == (count, (count, 2))
    assert (look.rows[0], look.rows[-1]) == (0, len(texts) - 1)
    assert np.isfinite(look.positions).all()
    assert sum(size for _, size in look.stories) == count
    if len(texts) > 100:
        assert len(look.stories) == len(STORIES)
        assert all(len({texts[row] for row in look.rows[look.groups == group]}) == 1 for group in look.groups)
