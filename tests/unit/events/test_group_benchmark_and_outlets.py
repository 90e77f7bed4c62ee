import numpy as np
import pytest

from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load
from core.events.outlets import Said, Share, also_in, grid_sentences, outlet_grid
from core.groups.card import GroupedHeadlines, cards
from core.groups.quality.metrics import quality
from core.results.render import delimited
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.names import learn_names
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


def event(*lines):
    """A timeline of one event from outlet, time and headline, and its grid."""
    table = delimited([["publisher", "published", "headline"], *map(list, lines)])
    timeline = load(table.encode(), "a.csv")
    n = len(timeline)
    copies = find_duplicates(timeline.texts, publishers=timeline.publishers).duplicate_of
    columns = GroupedHeadlines(
        Similarities(np.ones((n, n), dtype=np.float32)),
        np.zeros(n, dtype=np.int64),
        timeline.texts,
        timeline.days,
        timeline.publishers,
        copies,
    )
    (line,) = cards(columns)
    return timeline, outlet_grid(timeline, line, names=learn_names(timeline.texts))


LEAK = [
    ("Beta", "2018-09-05T12:30:00Z", "Hole on the ISS may be sabotage, Roscosmos says"),
    ("Alpha", "2018-09-05T10:00:00Z", "Roscosmos finds a hole of 2 mm on the ISS"),
    ("Gamma", "2018-09-05T10:20:00Z", "ROSCOSMOS finds hole of 2 mm on the ISS - Reuters"),
    ("Delta", "2018-09-08T09:00:00Z", "NASA, Roscosmos discuss the hole on the International Space Station"),
    ("Beta", "2018-09-06T09:00:00Z", "Roscosmos: hole of 4 mm on the ISS was drilled"),
]


def told(grid, outlet):
    (line,) = (line for line in grid.lines if line.outlet == outlet)
    return {grid.sayings[place].text for place in line.says}


def test_the_grid_says_who_was_first_and_who_has_copies():
    _, grid = event(*LEAK)
    assert [(line.outlet, line.also_in, grid.when(line)) for line in grid.lines] == [
        ("Alpha", ("Gamma",), "first"),
        ("Beta", (), "2 h 30 min later"),
        ("Delta", (), "3 days later"),
    ]
    assert [len(line.rows) for line in grid.lines] == [1, 2, 1]
    assert (grid.more, grid.day_only) == (0, False)


def test_the_grid_puts_what_all_say_before_what_one_says():
    _, grid = event(*LEAK)
    found = [(one.kind, one.text, one.outlets, one.share) for one in grid.sayings]
    assert found[:2] == [(Said.ACTOR, "Roscosmos", 3, Share.ALL), (Said.NAME, "ISS", 3, Share.ALL)]
    assert {one[:3] for one in found[2:]} == {
        (Said.NUMBER, "2", 1),
        (Said.NUMBER, "4", 1),
        (Said.HEDGE, "may", 1),
        (Said.ACTOR, "NASA", 1),
    }
    assert all(one[3] is Share.ONE for one in found[2:])
    assert told(grid, "Beta") == {"Roscosmos", "ISS", "may", "4"}
    assert told(grid, "Delta") == {"Roscosmos", "ISS", "NASA"}


def test_a_number_that_more_outlets_contradict_is_disputed():
    _, grid = event(
        ("A", "2024-05-01", "Quake kills 12 people in Peru"),
        ("B", "2024-05-01", "At least 12 dead in Peru quake"),
        ("C", "2024-05-02", "Quake in Peru kills 14"),
    )
    numbers = {one.text: one.disputed for one in grid.sayings if one.kind is Said.NUMBER}
    assert numbers == {"12 dead": False, "14 dead": True}
    assert [grid.when(line) for line in grid.lines] == ["first day", "first day", "1 day later"]


def test_the_report_says_the_grid_in_sentences():
    _, grid = event(*LEAK)
    assert grid_sentences(grid) == (
        "Reported first: Alpha; the last 3 days later.",
        "All 3 outlets say: Roscosmos, ISS.",
        "Only one outlet says: Alpha: 2; Beta: may, 4; Delta: NASA.",
    )
    _, single = event(LEAK[0])
    assert grid_sentences(single) == ()
    _, undated = event(*LEAK, ("Omega", "", "Roscosmos speaks of a hole"))
    assert grid_sentences(undated)[0] == "Reported first: Alpha; the last 3 days later; 1 without a date."


def test_no_common_noun_of_a_german_event_is_a_name():
    _, grid = event(
        ("SZ", "2026-11-03", "Hochwasser in Passau: Altstadt evakuiert, zwei Tote"),
        ("Bild", "2026-11-03", "Passau: Drei Menschen sterben im Hochwasser"),
        ("dpa", "2026-11-04", "Ministerpräsident Söder sagt Flutopfern in Passau 50 Millionen Euro zu"),
        ("BR24", "2026-11-04", "Söder besucht Hochwassergebiet, GDL droht mit Bahnstreik"),
    )
    named = {one.text for one in grid.sayings if one.kind in (Said.ACTOR, Said.NAME)}
    assert named == {"Passau", "Söder", "GDL"}
    numbers = {one.text for one in grid.sayings if one.kind is Said.NUMBER}
    assert {"zwei Tote", "Drei Menschen"} <= numbers
