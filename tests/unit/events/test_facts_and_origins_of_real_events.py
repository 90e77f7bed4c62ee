"""Facts and origins of events that were really reported: these outlets, these values, these places."""

import csv
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from benchmarks.facts_grids import cells, grids, judgements, values_of
from benchmarks.origins import SOURCES, UNTOUCHED, guessed, judged, score
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.events.facts import facts_grid
from core.events.facts_text import cell_words
from core.events.origins import origins
from core.events.places import PlaceReading, stands_as_place
from core.groups.summary import fold_reports
from tests.unit.events.test_facts import lines_of, places_in

PRESS = Path(__file__).parents[2] / "data/cases/presseschau.xlsx"


def grid_of(timeline, words):
    """The grid of the headlines that have all of these words."""
    rows = [row for row, text in enumerate(timeline.texts) if all(word in text for word in words)]
    (line,) = lines_of(timeline.select(np.array(rows)))

    def in_timeline(places):
        return tuple(rows[place] for place in places)

    reports = tuple(map(in_timeline, line.reports))
    return facts_grid(timeline, replace(line, rows=in_timeline(line.rows), reports=reports))


def states(grid, head):
    """What each outlet states in a column, and the place of each of its values there."""
    at = [column.head for column in grid.columns].index(head)
    places = places_in(grid, head)
    return {row.outlet: (cell_words(row.cells[at]), places[row.outlet]) for row in grid.rows if row.cells[at]}


def test_the_german_press_review():
    grid = grid_of(load(PRESS.read_bytes(), PRESS.name), ["Passau"])
    outlets = ["Süddeutsche Zeitung", "Der Spiegel", "Bild", "BR24", "Die Welt", "dpa"]
    assert [row.outlet for row in grid.rows] == outlets
    assert states(grid, "where") == {outlet: ("Passau", [0]) for outlet in outlets}
    dead = states(grid, "dead")
    assert {outlet: words for outlet, (words, _) in dead.items()} == {
        "Süddeutsche Zeitung": "zwei Tote (2)",
        "Der Spiegel": "Zwei Tote (2)",
        "Bild": "Drei Menschen sterben (3)",
    }
    assert dead["Bild"][1] != dead["Der Spiegel"][1] == dead["Süddeutsche Zeitung"][1]
    assert states(grid, "names")["BR24"] == ("Söder", [0])
    stated = [sum(bool(row.cells[at]) for row in grid.rows) for at in range(len(grid.columns))]
    assert stated == sorted(stated, reverse=True)


def test_a_launch_of_the_space_station_timeline():
    grid = grid_of(load_sample("iss"), ["last", "off"])
    three = states(grid, "aboard")
    assert (three["ap"][0], three["france24"][0]) == ("crew of 3", "Three astronauts")
    assert three["ap"][1] == three["france24"][1]
    origin = {row.outlet: row.origin for row in grid.rows}
    assert origin["ap"] == origin["foxnews"] != origin["reuters"]
    assert states(grid, "where")["france24"][0] == "ISS"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "head", "outlet", "said"),
    [
        (["Metro-North"], "names", "WEAR", "Metro-North"),
        (["Metro-North"], "where", "New York Daily News", "Harlem"),
        (["Metro-North"], "what happened", "Westport Now", "Killed"),
        (["Colorado", "pot"], "money", "The Japan Times", "$2 million"),
        (["Chiquita"], "money", "Washington Post", "$526 million"),
        (["Mt. Gox"], "names", "Reuters", "Mt. Gox"),
    ],
)
def test_events_of_the_uci_sample(words, head, outlet, said):
    assert said.casefold() in states(grid_of(load_sample("uci"), words), head)[outlet][0].casefold()


@pytest.mark.slow
def test_companies_and_people_are_no_places():
    for words, names in (
        (["Chiquita"], {"Chiquita", "Fyffes"}),
        (["iOS 7.1"], {"Apple", "iOS", "iPhone"}),
        (["Flappy Bird"], {"Google", "Apple", "App Store"}),
    ):
        grid = grid_of(load_sample("uci"), words)
        where = states(grid, "where") if "where" in [column.head for column in grid.columns] else {}
        assert not names & {name for said, _ in where.values() for name in said.split("; ")}


@pytest.mark.parametrize(
    ("text", "name", "language", "stands"),
    [
        ("Ferry sinks near Cebu", "Cebu", "en", PlaceReading.PLACE),
        ("Zugunglück in der Nähe von Essen: drei Tote in Ulm", "Ulm", "de", PlaceReading.PLACE),
        ("Accident de bus à Cusco, cinq morts", "Cusco", "fr", PlaceReading.PLACE),
        ("Terremoto a Norcia, sette morti", "Norcia", "it", PlaceReading.PLACE),
        ("Cinco muertos en Valencia", "Valencia", "es", PlaceReading.PLACE),
        ("Пять человек погибли в Казани", "Казани", "ru", PlaceReading.PLACE),
        ("Prices rise in the Apple store", "Apple", "en", PlaceReading.OPEN),
        ("Toll rises to 8, Erdogan says", "Erdogan", "en", PlaceReading.NO_PLACE),
        ("Police praise Harry", "Harry", "en", PlaceReading.NO_PLACE),
    ],
)
def test_a_name_stands_as_a_place_behind_a_word_of_place(text, name, language, stands):
    start = text.index(name)
    assert stands_as_place(text, start, start + len(name), language) == stands


LABELLED = Path(__file__).parents[2] / "data" / "origins.csv"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "least"), [(("uci", "iss", "press"), 0.96), (("allsides", "og2021"), 0.94)]
)
def test_pairs_of_events_that_chose_nothing_are_right(names, least):
    sources = {name: SOURCES[name]() for name in names}
    if any(source is None for source in sources.values()):
        pytest.skip("the sets that may not be copied are not here")
    events = [event for event in judged(UNTOUCHED) if event[0]["source"] in names]
    found = score(events, [guessed(event, sources[event[0]["source"]])["origins"] for event in events])
    assert found["pairs_right"] >= least
    assert found["precision"] >= 0.85


@pytest.fixture(scope="module")
def labelled():
    groups = {}
    for line in csv.DictReader(LABELLED.read_text("utf-8").splitlines()):
        groups.setdefault(line["group"], []).append((line["origin"], line["headline"]))
    return groups


def test_origins_are_those_that_were_read(labelled):
    """220 groups of four UCI headlines (CC BY 4.0), labelled by reading before the rule was run on them."""
    texts = [text for lines in labelled.values() for _, text in lines]
    copy_of = dict(zip(texts, find_duplicates(texts).duplicate_of.tolist(), strict=True))
    right = both = found = 0
    for lines in labelled.values():
        own = [text for _, text in lines]
        of = dict(enumerate(range(4)))
        reports = fold_reports(range(4), np.array([copy_of[text] for text in own]), own)
        of |= {one.row: one.of for one in origins(own, range(4), copies=reports)}
        for a, b in combinations(range(4), 2):
            one_text, said = lines[a][0] == lines[b][0], of[a] == of[b]
            right += one_text == said
            both += one_text and said
            found += said
    assert len(labelled) == 220
    assert right / 1320 >= 0.955
    assert both / found >= 0.88


@pytest.mark.slow
def test_what_a_reader_judged_of_grids_is_still_said():
    first, second, fourth = (values_of(judgements(sample)) for sample in ("first", "second", "fourth"))
    said = {cell for event, grid in grids("fourth") for cell in cells(event, grid)}
    assert len(said & fourth.keys()) >= 0.95 * len(fourth) > 800
    shares = [sum(judged.values()) / len(judged) for judged in (first, second, fourth)]
    assert shares[0] < shares[1] < shares[2]
