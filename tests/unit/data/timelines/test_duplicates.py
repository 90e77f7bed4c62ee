import numpy as np
import pytest

from core.data.timelines.duplicates import Kind, find_duplicates, fold
from core.data.timelines.samples import load_sample


def near(a: str, b: str, **more) -> bool:
    found = find_duplicates([a, b], **more)
    return found.kind[1] == Kind.NEAR and found.duplicate_of[1] == 0


def test_exact_copies_point_to_the_first():
    found = find_duplicates(["A b", "C d", "A  b", "C d", "A b"])
    assert found.duplicate_of.tolist() == [0, 1, 0, 1, 0]
    assert found.kind.tolist() == [0, 0, 1, 1, 1]
    assert (found.exact, found.near) == (3, 0)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Crew returns safely to the station", "CREW RETURNS SAFELY TO THE STATION"),
        ("Crew 'returns' safely to the station", 'Crew "returns" safely to the station!'),
        ("Crew returns safely to the station", "Crew returns safely to the station - Reuters"),
        ("Crew returns safely to the station", "Crew returns safely to the station | bbc.co.uk"),
        ("Crew returns safely to the station", "UPDATE 2-Crew returns safely to the station"),
        ("Crew returns safely to the station", "(UPDATE 1) Crew returns safely to the station"),
        ("Crew returns safely to the station (1)", "VIDEO: Crew returns safely to the station"),
        ("Crew returns safely to the space station", "Crew returns safely to the..."),
        (
            "Crew returns safely to the spacestation after the alarm",
            "Crew returns safely to the space station after the alarm",
        ),
        ("Экипаж вернулся на станцию после тревоги", "ЭКИПАЖ вернулся на станцию, после тревоги"),
    ],
)
def test_syndicated_copies(a, b):
    assert near(a, b)
    assert near(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "Flood kills 5 people in the north of the country",
            "Flood kills 6 people in the north of the country",
        ),
        (
            "The crew is safe aboard the space station today",
            "The crew is not safe aboard the space station today",
        ),
        ("Yes!", "Yes?"),
        ("?", "!"),
        ("Man wins", "Man winds"),
        ("Russian spaceship delivers three astronauts", "Russian spaceship delivers supplies"),
    ],
)
def test_what_differs_in_substance_is_no_copy(a, b):
    found = find_duplicates([a, b])
    expected = [0, 0] if (a, b) == ("Yes!", "Yes?") else [0, 1]
    assert found.duplicate_of.tolist() == expected


def test_a_known_publisher_of_many_words_is_cut_off():
    a, b = "Crew returns safely to the station", "Crew returns safely to the station - the daily planet news"
    assert not near(a, b)
    assert near(a, b, publishers=["x", "The Daily Planet News"])


def test_a_copy_of_a_copy_belongs_to_the_first():
    found = find_duplicates(
        [
            "Crew returns safely to the station",
            "x",
            "CREW returns safely to the station",
            "CREW returns safely to the station",
        ]
    )
    assert found.duplicate_of.tolist() == [0, 1, 0, 0]
    assert found.kind.tolist() == [Kind.FIRST, Kind.FIRST, Kind.NEAR, Kind.NEAR]


def test_nothing_and_one():
    assert len(find_duplicates([]).duplicate_of) == 0
    assert find_duplicates(["A"]).duplicate_of.tolist() == [0]


def test_fold_and_back():
    timeline = load_sample("uci")
    found = find_duplicates(timeline.texts, publishers=list(timeline.table["publisher"]))
    assert found.exact == 25
    assert 100 < found.near < 250
    folded = fold(timeline, found)
    assert len(folded.timeline) == len(timeline) - found.exact - found.near
    assert folded.timeline.texts == [timeline.texts[row] for row in folded.kept]
    assert np.array_equal(folded.kept[folded.position], found.duplicate_of)
    assert (found.duplicate_of <= np.arange(len(timeline))).all()


def test_the_iss_sample_has_no_copies():
    found = find_duplicates(load_sample("iss").texts)
    assert (found.exact, found.near) == (0, 0)
